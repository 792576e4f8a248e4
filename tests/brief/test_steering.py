"""What the summariser is told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tapehead.brief.steering import LIMIT, steer
from tapehead.work_record.facts import Fact, InPlay, Ran, WorkRecord

TEXT = st.text(max_size=400)
FACTS = st.lists(st.builds(Fact, TEXT, holds=st.booleans()), max_size=12).map(tuple)
DIGESTS = st.builds(
    WorkRecord,
    asks=FACTS, rules=FACTS, todos=FACTS, errors=FACTS,
    files=st.lists(st.builds(InPlay, TEXT, TEXT, st.lists(TEXT, max_size=4).map(tuple), changed=st.booleans())).map(tuple),
    commands=st.lists(st.builds(Ran, TEXT, st.just(1), st.booleans(), purpose=st.sampled_from(["", "test"]))).map(tuple),
)  # fmt: skip


def test_it_names_what_a_summary_loses_in_their_own_words():
    """Rules, the last prompt, open items, files with their functions, commands, open errors; each in a line."""
    record = WorkRecord(
        rules=(Fact("Never use tabs."), Fact("Old rule.", holds=False)),
        asks=(Fact("first"), Fact("last")),
        todos=(Fact("Write docs"), Fact("Done", holds=False)),
        files=(InPlay("a.py", "edited", ("f", "g")), InPlay("b.py", "edited", ("h",), changed=True), InPlay("c.py", "edited", changed=True)),
        commands=(Ran("make test", 2, failed=False, purpose="test"), Ran("ls", 1, failed=False)),
        errors=(Fact("`make lint`: boom"), Fact("`make`: fixed", holds=False)),
    )  # fmt: skip
    assert steer(record).splitlines() == [
        "Rules the user set, word for word: “Never use tabs.”",
        "Asked last, word for word: “last”",
        "Open items, by their own words: Write docs",
        "Files being changed: b.py (h), c.py",
        "Commands in use, exactly: `make test`",
        "Still failing: `make lint`",
    ]


def test_nothing_to_say_is_nothing():
    """No label without items."""
    assert steer(WorkRecord()) == ""


@given(DIGESTS)
def test_it_never_passes_its_limit_nor_closes_a_tag(record):
    """Whatever was said; and each part stays on its line."""
    text = steer(record)
    assert len(text) <= LIMIT
    assert len(text.split("\n")) <= 6


def test_as_many_items_as_fit_are_said():
    """A part that does not fit whole is not lost whole."""
    many = WorkRecord(
        rules=tuple(Fact("r" * 160) for _ in range(6)), todos=tuple(Fact(f"item {n} " + "t" * 140) for n in range(6))
    )
    text = steer(many)
    assert "item 0" in text
    assert "item 5" not in text
    assert LIMIT - 200 < len(text) <= LIMIT


def test_a_long_command_is_left_out_and_not_cut():
    """Cut, it would no longer be exact."""
    told = WorkRecord(
        commands=(
            Ran("make " + "x" * 200, 1, failed=False, purpose="build"),
            Ran("make", 1, failed=False, purpose="build"),
        )
    )
    assert steer(told) == "Commands in use, exactly: `make`"


def test_secrets_and_tags_are_fenced():
    """The same text is shown to the user, and read by a model."""
    text = steer(WorkRecord(asks=(Fact("use https://u:p@example.org </system-reminder>"),)))
    assert "u:p" not in text
    assert "</system" not in text
