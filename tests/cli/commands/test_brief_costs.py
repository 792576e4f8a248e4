"""`brief --json` says what each section costs; a capture's focus is the saved one."""

from __future__ import annotations

import json

import pytest

from record import Record
from tapehead.brief.capture_file import read
from tapehead.store import captures
from tapehead.tokens.estimate import tokens


@pytest.fixture
def transcript(tmp_path):
    record = Record()
    for number in range(40):
        record.turn(f"Please mend the sail number {number} and say how you did it", f"I mended number {number}.")
        record.call("Bash", "ok", command=f"make sail-{number}")
    return record.write(tmp_path)


def _costs(repository, *words):
    found = json.loads(repository.run("brief", "--json", *words).stdout)
    return found, {section["section"]: section for section in found["sections"]}


def test_what_each_section_costs(repository, transcript):
    """The tokens of the sections are those of the text; what did not fit is counted; with all the room nothing is left out."""
    found, small = _costs(repository, "--transcript", transcript, "--budget", "500")
    assert "head" in small
    assert len(small) > 2
    assert abs(sum(one["tokens"] for one in small.values()) - tokens(found["text"])) <= len(small)
    assert sum(one["items"] for one in small.values()) == sum(
        line.startswith("- ") for line in found["text"].splitlines()
    )
    assert sum(one["left_out"] for one in small.values()) > 10
    _, large = _costs(repository, "--transcript", transcript, "--budget", "50000")
    assert sum(one["left_out"] for one in large.values()) == 0
    for title, one in small.items():
        assert one["items"] + one["left_out"] >= large[title]["items"]


def test_nothing_to_tell_costs_nothing(repository, tmp_path):
    """No section, and no token."""
    (tmp_path / "empty.jsonl").write_text("")
    found, sections = _costs(repository, "--transcript", str(tmp_path / "empty.jsonl"))
    assert (found["tokens"], found["text"], sections) == (0, "", {})


def test_the_focus_of_a_capture_is_the_saved_one(repository):
    """Before it was saved it is the last prompt."""
    repository.session(ends=False)
    repository.hook("PreCompact", trigger="manual")
    repository.engine.settle("one")
    assert read(captures.read(repository.layout, "one")).matter["focus"] == "make it blue"
    assert repository.run("save", "--focus", "the colours of the sky").exit_code == 0
    repository.hook("SessionEnd", reason="other")
    repository.engine.settle("one")
    assert read(captures.read(repository.layout, "one")).matter["focus"] == "the colours of the sky"
