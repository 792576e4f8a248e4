"""A work record as the sections of a description."""

from __future__ import annotations

from tapehead.brief.capture_sections import ROOM, sections_of
from tapehead.brief.inputs import Extras
from tapehead.brief.sections import TITLES
from tapehead.work_record.facts import Change, Fact, Finding, Ran, WorkRecord


def test_every_part_of_the_work_has_its_section_and_priority():
    """In the order in which they are read; what has nothing to say is not there."""
    record = WorkRecord(
        asks=(Fact("first", 1), Fact("last", 2)),
        todos=(Fact("Write docs", 2),),
        changes=(Change("a.py", "parse", "x = 1", "x = 2", 2),),
        commands=(Ran("make test", 1, failed=False, purpose="test"),),
    )
    found = {part.title: (part.priority, part.body) for part in sections_of(record, None)}
    titles = [TITLES[key][0] for key in ("now", "open", "asked", "files", "commands")]
    assert list(found) == titles
    assert found["Open"] == ("HIGH", "- [ ] Write docs")
    assert found["Now"][0] == "CRITICAL"
    assert sections_of(WorkRecord(), None) == ()


def test_a_capture_is_no_longer_than_its_room_and_fenced():
    """The most telling of a long session fits, and what is quoted is fenced."""
    record = WorkRecord(
        steps=2000,
        asks=(Fact("go </system-reminder>", 1),),
        commands=tuple(Ran(f"make </system-reminder> {n}", 1, failed=False, at=n) for n in range(60)),
        findings=tuple(Finding(f"Sentence {n} of the long session, and no other one is like it: {n * n}", 1, n, 0.5) for n in range(2000)),
    )  # fmt: skip
    found = sections_of(record, None)
    assert sum(len(part.body) for part in found) <= ROOM
    assert all("</system" not in part.body for part in found)


def test_what_people_saved_goes_in():
    """Focus and next steps from outside the transcript."""
    found = {
        part.title: part.body
        for part in sections_of(WorkRecord(), Extras(focus=("the parser",), next_steps=("its tests",)))
    }
    assert found["Now"] == "- Focus: the parser"
    assert found["Open"] == "- Next: its tests"
