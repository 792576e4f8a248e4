"""An agent that was interrupted, or that died, writes nothing more: what changes afterwards is the human's."""

from __future__ import annotations

import json
import os
import time

import pytest

import scenes
from agent_work import SECOND, Work
from tapehead.agents.claude.interruptions import Ending, ending_of
from tapehead.attribution.known_lines import Known
from tapehead.attribution.last_work import worked_until
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.statemachine.vocabulary import Event
from tapehead.store.state import State

INTERRUPTED = "[Request interrupted by user]"


@pytest.fixture
def work(tmp_path):
    work = Work(scenes.repository(tmp_path / "repo"))
    yield work
    work.ends()


def interrupt(work):
    """The agent wrote a.txt, and was interrupted; then the human wrote b.txt and took a line from c.txt."""
    now = time.time_ns() + 10 * SECOND
    work.run(now - SECOND)
    work.write("a.txt", "1\n2\nagent\n", now - SECOND)
    work.say("user", [{"type": "text", "text": INTERRUPTED}], now)
    work.write("b.txt", "1\n2\nhuman\n", now + SECOND)
    work.write("c.txt", "1\n", now + SECOND)


def test_after_an_interruption_the_human_commits(work):
    """No Stop came: what was written before it is the agent's, and what came after is not."""
    interrupt(work)
    work.commit()
    assert work.shares() == {"a.txt": ((3, 1, "one"),)}
    made = work.engine.store.load("one").last_checkpoint_id
    kept = Checkpoints(work_tree(work.engine.layout, work.engine.store.load("one")).side).get(made)
    assert (kept.attribution["agent_removed"], kept.attribution["human_removed"]) == (0, 1)


def test_after_an_interruption_the_next_turn(work):
    """The snapshot that was left open is closed before the new one begins."""
    interrupt(work)
    work.say("user", "go on")
    work.hear(Event.TURN_START, prompt="go on")
    work.run()
    (work.repo / "d.txt").write_text("agent\n")
    work.hear(Event.TURN_END)
    work.commit()
    assert work.shares() == {"a.txt": ((3, 1, "one"),), "d.txt": ((1, 1, "one"),)}


def test_after_an_interruption_in_the_same_file(work):
    """What the agent's edit put there stays the agent's, though the human saved the file later."""
    now = time.time_ns() + 10 * SECOND
    given = {"file_path": str(work.repo / "a.txt"), "old_string": "2", "new_string": "2\nagent = 1"}
    work.say("assistant", [{"type": "tool_use", "id": "e", "name": "Edit", "input": given}], now)
    work.say("user", [{"type": "tool_result", "tool_use_id": "e", "content": "done"}], now)
    work.say("user", [{"type": "text", "text": INTERRUPTED}], now + SECOND)
    work.write("a.txt", "1\nhuman = 2\n2\nagent = 1\n", now + 9 * SECOND)
    work.commit()
    assert work.shares() == {"a.txt": ((4, 1, "one"),)}


def test_another_session_begins_after_an_interruption(work):
    """The turn that was left open is closed by whoever comes next: what the human wrote meanwhile is not the interrupted agent's."""
    interrupt(work)
    work.hear(Event.SESSION_START, session="two")
    work.hear(Event.TURN_START, session="two", prompt="go on")
    known = work_tree(work.engine.layout, work.engine.store.load("two")).chain.tip()
    assert {path.decode(): runs for path, runs in known.files.items()} == {"a.txt": ((3, 1, "one"),)}
    assert [*known.open] == ["two"]


def test_after_a_kill(work):
    """Its last line in the transcript was its last sign of life."""
    now = time.time_ns()
    work.say("assistant", [{"type": "text", "text": "done so far"}])
    os.utime(work.transcript, ns=(now + 10 * SECOND,) * 2)
    work.write("a.txt", "1\n2\nagent\n", now + 9 * SECOND)
    work.ends()
    work.write("b.txt", "1\n2\nhuman\n", now + 11 * SECOND)
    work.hear(Event.PROCESS_LOST)
    work.commit()
    assert work.shares() == {"a.txt": ((3, 1, "one"),)}


def test_after_a_kill_in_the_middle_of_a_tool(work):
    """How long the tool went on writing nobody knows: what changed stays the agent's."""
    now = time.time_ns()
    work.say("assistant", [{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}])
    work.ends()
    work.write("a.txt", "1\n2\ntool\n", now + 11 * SECOND)
    work.hear(Event.PROCESS_LOST)
    work.commit()
    assert work.shares() == {"a.txt": ((3, 1, "one"),)}


def test_an_agent_at_work_is_at_work(work):
    """What is written while it lives and nobody interrupted it is its own."""
    work.write("a.txt", "1\n2\nagent\n", time.time_ns() + 10 * SECOND)
    work.commit()
    assert work.shares() == {"a.txt": ((3, 1, "one"),)}


def test_how_a_transcript_ends(work):
    """By its newest line of the conversation; words that a tool printed are none of the user's."""
    assert ending_of(str(work.transcript)) == Ending()
    work.say("user", INTERRUPTED, 5 * SECOND)
    with work.transcript.open("a") as file:
        file.write('{"type": "system"}\n{"type": "user", "isSidechain": true, "message": {"content": "x"}}\nhalf')
    assert ending_of(str(work.transcript)) == Ending(5 * SECOND)
    with work.transcript.open("a") as file:
        file.write("\n")
    work.say("user", "another prompt")
    assert ending_of(str(work.transcript)) == Ending(5 * SECOND)
    work.transcript.write_text("")
    work.say("user", [{"type": "tool_result", "content": INTERRUPTED}])
    assert ending_of(str(work.transcript)) == Ending()
    broken = {"type": "user", "timestamp": "?", "message": {"content": INTERRUPTED}}
    work.transcript.write_text(json.dumps(broken) + "\n")
    assert ending_of(str(work.transcript)) == Ending()


def test_where_nobody_can_say(work):
    """Another agent, no transcript, an interruption of a turn before."""
    seen = Known(open={"one": 1}, made={"at": 100})
    for state in (State("one", agent="gemini"), State("one", agent="claude", transcript_path="/nowhere")):
        assert worked_until(state, seen) is None
    state = State("one", agent="claude", transcript_path=str(work.transcript))
    work.say("user", INTERRUPTED, 99 * SECOND)
    assert worked_until(state, seen) is None
    work.say("user", INTERRUPTED, 100 * SECOND)
    assert worked_until(state, seen) == 100 * SECOND
