"""The files of the durable memory."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.memories import memory_list
from tapehead.memories.memory import Memory
from tapehead.memories.memory_files import Shelf, contradictions
from tapehead.store import atomic
from tapehead.store.paths import Layout

TEXTS = ("Always squash commits before merging.", "The gauge in Brest is late.", "Tickets are tracked in Linear.")
OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["save", "add", "forget"]), st.sampled_from(["one", "two", "three"]), st.sampled_from(TEXTS)
    ),
    max_size=6,
)


class Died(Exception):
    """The process was killed here."""


@pytest.fixture
def shelf(tmp_path):
    return Shelf(Layout(str(tmp_path / "store")))


def memory(name, text="words", kind="feedback"):
    return Memory(name, kind, text, text)


def test_a_memory_has_a_file_and_a_line(shelf):
    """Written anew under its name it has one of each still; forgotten, none."""
    shelf.save(memory("one", "first words"))
    shelf.save(memory("one", "other words"))
    assert [each.text for each in shelf.memories()] == ["other words"]
    assert shelf.index_text() == "# Memory\n\n- [one](one.md) — other words (feedback)\n"
    assert os.stat(shelf.path(memory("one"))).st_mode & 0o777 == 0o600
    assert shelf.forget("one")
    assert not shelf.forget("one")
    assert (shelf.memories(), memory_list.list_linked(shelf.index_text())) == ([], [])


def test_nothing_outside_can_be_forgotten(shelf, tmp_path):
    """A name is a name, and the index is no memory."""
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "precious.md").write_text("keep")
    shelf.save(memory("one"))
    assert not shelf.forget("../precious")
    assert not shelf.forget("MEMORY")
    assert (tmp_path / "store" / "precious.md").exists()


def test_the_same_in_other_words_is_not_added_again(shelf):
    """Another thing under a name that is taken gets a name of its own."""
    first = shelf.add(memory("rule", "Always squash commits before merging."))
    assert shelf.add(memory("other", "always squash the commits before merging")) == first
    assert shelf.add(memory("rule", "The gauge in Brest is late.")).name == "rule-2"


def test_a_directory_of_the_user_s_choice(tmp_path):
    """The files go there, and what lies there is read."""
    shelf = Shelf(Layout(str(tmp_path / "store")), str(tmp_path / "mine"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "hand.md").write_text("Written by hand.\n")
    assert shelf.align()
    shelf.save(memory("one"))
    assert [each.name for each in shelf.ordered()] == ["hand", "one"]
    assert not shelf.align()


def test_contradictions_are_shown_and_not_merged(shelf):
    """Both stay as they are."""
    shelf.add(memory("yes", "Always squash commits before merging."))
    shelf.add(memory("no", "Never squash commits before merging."))
    assert [(one.name, other.name) for one, other in contradictions(shelf.memories())] == [("no", "yes")]


@given(OPERATIONS, st.integers(0, 30))
def test_after_any_crash_the_index_and_the_files_agree(tmp_path_factory, operations, survives):
    """Killed before any write or removal, whoever looks next puts the index right, and every file is whole."""
    shelf = Shelf(Layout(str(tmp_path_factory.mktemp("shelf"))))
    left = [survives]

    def stroke(real):
        def guarded(*args, **kwargs):
            left[0] -= 1
            if left[0] < 0:
                raise Died
            return real(*args, **kwargs)

        return guarded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(atomic.os, "replace", stroke(os.replace))
        patch.setattr(os, "unlink", stroke(os.unlink))
        try:
            for what, name, text in operations:
                getattr(shelf, what)(name if what == "forget" else memory(name, text))
        except Died:
            pass
    shelf.align()
    there = (
        sorted(name for name in os.listdir(shelf.directory) if name.endswith(".md") and name != memory_list.FILE)
        if os.path.isdir(shelf.directory)
        else []
    )
    assert sorted(memory_list.list_linked(shelf.index_text())) == there
    assert all(each.text in TEXTS for each in shelf.memories())
