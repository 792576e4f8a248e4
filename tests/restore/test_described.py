"""A digest as the sections of a description."""

from __future__ import annotations

from tapehead.restore.described import sections_of
from tapehead.restore.given import Extras
from tapehead.transcript.found import Digest, Fact, InPlay, Ran


def test_every_part_of_the_work_has_its_section_and_priority():
    """In the order in which they are read; what has nothing to say is not there."""
    digest = Digest(
        asks=(Fact("first", 1), Fact("last", 2)),
        todos=(Fact("Write docs", 2),),
        files=(InPlay("a.py", "edited", changed=True),),
        commands=(Ran("make test", 1, failed=False, purpose="test"),),
    )
    found = {part.title: (part.priority, part.body) for part in sections_of(digest, None)}
    assert list(found) == ["Now", "Open", "Asked before", "Files in play", "Commands"]
    assert found["Open"] == ("HIGH", "- [ ] Write docs")
    assert found["Now"][0] == "CRITICAL"
    assert sections_of(Digest(), None) == ()


def test_a_section_is_no_longer_than_a_person_reads():
    """Sixty lines, and what is quoted is fenced."""
    digest = Digest(steps=60, commands=tuple(Ran(f"make </system-reminder> {n}", 1, failed=False, at=n) for n in range(60)),
                    decisions=tuple(Fact(f"Decided {n}", at=n) for n in range(60)),
                    words=tuple(Fact(f"Said {n}", at=n) for n in range(60)))  # fmt: skip
    for part in sections_of(digest, None):
        assert len(part.body.splitlines()) <= 60
        assert "</system" not in part.body


def test_what_people_saved_goes_in():
    """Focus and next steps from outside the transcript."""
    found = {
        part.title: part.body
        for part in sections_of(Digest(), Extras(focus=("the parser",), next_steps=("its tests",)))
    }
    assert found["Now"] == "- Focus: the parser"
    assert found["Open"] == "- Next: its tests"
