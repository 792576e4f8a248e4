"""What Copilot does not tell in time: a start, and that a compaction is over."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.copilot import hooks
from tapehead.agents.copilot.missing_events import untold
from tapehead.statemachine.vocabulary import Event
from tapehead.system import processes as process

DONE = {
    "type": "session.compaction_complete",
    "data": {"success": True, "trigger": "manual", "summaryContent": "short"},
}


@pytest.fixture
def record(tmp_path):
    path = tmp_path / "session-state" / "s" / "events.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text('{"type":"session.start"}\n')
    return path


def heard(record, name="UserPromptSubmit", **fields):
    env = {"COPILOT_CLI": "1", "COPILOT_HOME": str(record.parents[2])}
    return hooks.heard({"session_id": "s", "timestamp": "t", "hook_event_name": name, **fields}, env)


def line(event, **data):
    return json.dumps({"event": event, "data": data}, separators=(",", ":")).encode()


def same_process():
    return process.host_above(os.getppid()).pid


def told(found, *tape):
    return [
        (each.event, each.data.get("source") or each.data["trigger"])
        for each in untold(found, lambda: b"\n".join(tape))
    ]


def test_the_first_prompt_is_a_start(record):
    """Where nothing is on the tape; and up to where the record was looked at is noted."""
    found = heard(record)
    assert told(found) == [(Event.SESSION_START, "startup")]
    assert found.data["record"] == record.stat().st_size


def test_a_prompt_after_an_end_is_a_resume(record):
    """Also in the same process: the user can go back to a session that they left."""
    tape = [line("turn_start", pid=same_process()), line("session_stop", record=3)]
    assert told(heard(record), *tape) == [(Event.SESSION_START, "resume")]


def test_a_prompt_in_another_process_is_a_resume(record):
    """The end of one that was killed is never told."""
    assert told(heard(record), line("turn_start", pid=1)) == [(Event.SESSION_START, "resume")]
    assert told(heard(record), line("turn_start", pid=same_process())) == []


def test_only_a_prompt_starts_anything(record):
    """An end that comes late says nothing of a start."""
    assert told(heard(record, "SessionEnd", reason="complete")) == []


@pytest.mark.parametrize("announced", [True, False])
def test_a_compaction_that_is_over(record, announced):
    """Once, with the agent's own summary; where it was not announced, it is told from its beginning."""
    tape = [
        line("turn_end", record=record.stat().st_size),
        *([line("compaction", trigger="auto")] if announced else []),
    ]
    record.write_text(record.read_text() + json.dumps(DONE) + "\n")
    found = heard(record, "Stop")
    done = untold(found, lambda: b"\n".join(tape))
    assert [each.event for each in done] == [Event.COMPACTION, Event.COMPACTED][announced:]
    assert done[-1].data["summary"] == "short"
    assert done[-1].data["record"] == found.data["record"] == record.stat().st_size
    assert untold(heard(record, "Stop"), lambda: line("turn_end", record=record.stat().st_size)) == []


def test_one_that_failed_is_none(record):
    """The context is as it was."""
    size = record.stat().st_size
    record.write_text(record.read_text() + json.dumps({**DONE, "data": {"success": False}}) + "\n")
    assert told(heard(record, "Stop"), line("turn_end", record=size)) == []


def test_a_torn_line_waits(record):
    """It is looked at again when it is whole."""
    size = record.stat().st_size
    record.write_text(record.read_text() + json.dumps(DONE))
    found = heard(record, "Stop")
    assert told(found, line("turn_end", record=size)) == []
    assert found.data["record"] == size


@given(st.binary(max_size=300), st.binary(max_size=80))
def test_whatever_stands_there(tmp_path_factory, content, tape):
    """Nothing raises."""
    path = tmp_path_factory.mktemp("r") / "session-state" / "s" / "events.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(content + b'\n"session.compaction_complete"\n')
    for name in ("UserPromptSubmit", "Stop"):
        untold(heard(path, name), lambda: tape + b'"record":0}')
