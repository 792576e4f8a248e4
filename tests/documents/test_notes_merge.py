"""The notes of today, from those that stand there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tapehead.documents.notes_merge import today
from tapehead.documents.section_merge import Record, join_sections, merge_sections

LINES = st.lists(st.sampled_from([*(f"- line {n}" for n in range(6)), "- “ä”", "- \udcff"]), unique=True, max_size=5)
SECTIONS = st.tuples(LINES, LINES).map(lambda both: dict(zip(("Task", "Worklog"), both, strict=True)))


@given(SECTIONS, SECTIONS)
def test_the_first_time_and_then_they_are_as_merging_would_have_them(first, second):
    """Where nothing stands and nothing is known, all is ours; what is kept of it makes the next ones the same, too."""
    text, record = merge_sections("", Record(), first)
    found = today(b"", [{}, {}, {}], first)
    assert found == (
        text.encode("utf-8", "surrogateescape"),
        [{}, {t: join_sections(ls) for t, ls in first.items()}, {}],
        True,
    )
    text, _ = merge_sections(text, record, second)
    after, _, is_ours = today(found[0], found[1], second)
    assert (after.rstrip(), is_ours) == (text.rstrip().encode("utf-8", "surrogateescape"), True)


@given(SECTIONS, SECTIONS)
def test_a_file_that_was_emptied_by_a_person_is_not_a_first_time(first, second):
    """What we wrote before and is gone was taken out."""
    _, parts, _ = today(b"", [{}, {}, {}], first)
    text, _ = merge_sections("", Record({}, first), second)
    assert today(b"", parts, second)[0] == text.encode("utf-8", "surrogateescape")
