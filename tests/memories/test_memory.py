"""A memory as a file, and the index that lists them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tapehead.memories import memory_list
from tapehead.memories.memory import KINDS, Memory, description_for, name_for, render_memory, understood

LINE = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=40).map(
    lambda text: " ".join(text.split())
)
MEMORY = st.builds(
    Memory,
    name=st.text(max_size=90).map(name_for),
    kind=st.sampled_from(KINDS),
    description=LINE.map(lambda text: text or "about"),
    text=LINE.map(lambda text: text if text and text != "---" else "words"),
    source=LINE,
    said=LINE,
    replaces=LINE,
)


@given(MEMORY)
def test_what_is_written_is_read_again(memory):
    """Field for field."""
    assert understood(render_memory(memory), memory.name) == memory


@given(st.text(max_size=200))
def test_any_file_is_a_memory(text):
    """A user may write whatever they like: it has a kind and one line for the index."""
    found = understood(text, "x")
    assert found.kind in KINDS
    assert "\n" not in found.description


@given(st.text())
def test_a_name_can_be_a_file(words):
    """It neither leaves its directory nor hides, and is not too long."""
    name = name_for(words)
    assert 0 < len(name) <= 60
    assert "/" not in name
    assert not name.startswith(".")
    assert len(description_for(words)) <= 160


@given(
    st.lists(MEMORY, max_size=5, unique_by=lambda memory: memory.name),
    st.lists(MEMORY, max_size=3),
    st.text(max_size=60),
)
def test_the_index_and_the_files_agree(memories, gone, own):
    """Whatever it said before: a line for each file, none for others, and a second time changes nothing."""
    before = "\n".join([own, *map(memory_list.line_of, gone)])
    after = memory_list.in_step(before, memories)
    assert sorted(memory_list.list_linked(after)) == sorted(memory.file for memory in memories)
    assert memory_list.in_step(after, memories) == after


def test_a_person_s_own_words_in_the_index_stay():
    """Their heading, their order, their description of a file that is there."""
    one, two = (Memory(name, "user", "about", "text") for name in ("one", "two"))
    before = "# Mine\n\n- [two](two.md) — the important one\nfree words\n- [gone](gone.md)\n- [web](https://x.example/a.md)\n"
    after = memory_list.in_step(before, [one, two])
    assert (
        after
        == "# Mine\n\n- [two](two.md) — the important one\nfree words\n- [web](https://x.example/a.md)\n- [one](one.md) — about (user)\n"
    )
