"""An agent that was interrupted, or that died, writes nothing more: what changes afterwards is the human's."""

from __future__ import annotations

import json
import os
import subprocess
import time
from datetime import UTC, datetime

import pytest

import scenes
from tapehead.agents.claude.interruptions import Ending, ending_of
from tapehead.attribution.known_lines import Known
from tapehead.attribution.last_work import worked_until
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.engine.engine import Engine
from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape
from tapehead.store.paths import Layout
from tapehead.store.state import State
from tapehead.system import processes as process

INTERRUPTED = "[Request interrupted by user]"
SECOND = 1_000_000_000


class Work:
    """A repository in which an agent's turn is never ended by a hook. Files are written at moments that the test chooses."""

    def __init__(self, repo):
        self.repo = repo
        self.engine = Engine(Layout(str(repo / ".git" / "tapehead")), time.time_ns)
        self.transcript = repo.parent / "transcript.jsonl"
        self.agent = subprocess.Popen(["sleep", "600"])
        for name in ("a.txt", "b.txt", "c.txt"):
            (repo / name).write_text("1\n2\n")
        scenes.git(repo, "add", "-A")
        scenes.git(repo, "commit", "-qm", "base")
        self.say("user", "do it")
        pid = {"pid": self.agent.pid, "pid_started": process.look(self.agent.pid).started}
        self.hear(Event.SESSION_START, **pid)
        self.hear(Event.TURN_START, prompt="do it", **pid)

    def hear(self, event, **data):
        now = time.time_ns()
        where = {"worktree": str(self.repo), "transcript_path": str(self.transcript), **data}
        line = {"id": tape.stamp(now, os.getpid()), "at": tape.instant(now), "host": "claude", "event": event.value}
        self.engine.store.append("one", {**line, "facts": [], "data": where})
        self.engine.settle("one")

    def say(self, who, content, at=None):
        when = datetime.fromtimestamp((at or time.time_ns()) / SECOND, UTC).isoformat()
        entry = {"type": who, "timestamp": when, "message": {"role": who, "content": content}}
        with self.transcript.open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def write(self, name, text, at):
        (self.repo / name).write_text(text)
        os.utime(self.repo / name, ns=(at, at))

    def commit(self):
        scenes.git(self.repo, "add", "-A")
        scenes.git(self.repo, "commit", "-qm", "on")
        self.hear(Event.GIT_COMMIT, commit=scenes.git(self.repo, "rev-parse", "HEAD"), branch="main")

    def shares(self):
        tree = work_tree(self.engine.layout, self.engine.store.load("one"))
        record = Checkpoints(tree.side).record(scenes.git(self.repo, "rev-parse", "HEAD"))
        return {} if record is None else {path.decode(): runs for path, runs in record.files.items()}

    def ends(self):
        self.agent.kill()
        self.agent.wait()


@pytest.fixture
def work(tmp_path):
    work = Work(scenes.repository(tmp_path / "repo"))
    yield work
    work.ends()


def interrupt(work):
    """The agent wrote a.txt, and was interrupted; then the human wrote b.txt and took a line from c.txt."""
    now = time.time_ns() + 10 * SECOND
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
    work.say("assistant", [{"type": "text", "text": "yes"}])
    (work.repo / "d.txt").write_text("agent\n")
    work.hear(Event.TURN_END)
    work.commit()
    assert work.shares() == {"a.txt": ((3, 1, "one"),), "d.txt": ((1, 1, "one"),)}


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
