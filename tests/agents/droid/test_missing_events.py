"""What `droid exec` runs no hook for."""

import json

import other_records
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.droid import hooks
from tapehead.statemachine.vocabulary import Event

COMPACTED = json.dumps(other_records.DROID[7]) + "\n"


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(other_records.DROID[0]) + "\n")
    return path


def told(record, name, *tape, **fields):
    payload = {"session_id": "s", "hook_event_name": name, "permission_mode": "off", "transcript_path": str(record)}
    found = hooks.heard({**payload, **fields}, {})
    told.record = found
    return hooks.untold(found, lambda: b"\n".join(tape))


def line(event, **data):
    return json.dumps({"event": event, "data": data}, separators=(",", ":")).encode()


def test_a_prompt_that_no_hook_told(record):
    """Told at the end of its turn, as late; the turn's compaction after it."""
    size = record.stat().st_size
    record.write_text(record.read_text() + json.dumps(other_records.DROID[3]) + "\n" + COMPACTED)
    asked, begun, done = told(record, "Stop", line("session_start", source="startup", record=size))
    assert (asked.event, asked.data["prompt"], asked.data["late"]) == (Event.TURN_START, "open the door", True)
    assert [begun.event, done.event] == [Event.COMPACTION, Event.COMPACTED]
    assert done.data["summary"] == "a door was looked at"
    assert done.data["record"] == told.record.data["record"] == record.stat().st_size


def test_a_prompt_that_was_told(record):
    """It is not told again."""
    size = record.stat().st_size
    record.write_text(record.read_text() + json.dumps(other_records.DROID[3]) + "\n")
    assert told(record, "Stop", line("session_start", record=size), line("turn_start")) == []


def test_an_announced_compaction(record):
    """It is over when the record says so."""
    size = record.stat().st_size
    record.write_text(record.read_text() + COMPACTED)
    assert [each.event for each in told(record, "Stop", line("turn_start", record=size), line("compaction"))] == [
        Event.COMPACTED
    ]


def test_a_start_that_tells_of_its_compaction(record):
    """The record tells of the same one, before it or after it: it counts once."""
    size = record.stat().st_size
    assert told(record, "SessionStart", line("compaction", record=size), source="compact") == []
    record.write_text(record.read_text() + COMPACTED)
    after = line("session_start", source="compact", record=size)
    assert told(record, "UserPromptSubmit", line("compaction"), after) == []
    assert told.record.data["record"] == record.stat().st_size


@given(st.binary(max_size=300), st.binary(max_size=80))
def test_whatever_stands_there(tmp_path_factory, content, tape):
    """Nothing raises."""
    path = tmp_path_factory.mktemp("r") / "one.jsonl"
    path.write_bytes(content + b'\n{"type":"compaction_state"}\n"message"\n')
    for name in ("UserPromptSubmit", "Stop"):
        told(path, name, tape + b'"event":"session_start","record":0}')
