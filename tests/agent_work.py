"""A repository in which an agent works: its transcript, its files with the times at which they were written, its events."""

from __future__ import annotations

import json
import os
import subprocess
import time
from datetime import UTC, datetime

import scenes
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.engine.engine import Engine
from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape
from tapehead.store.paths import Layout
from tapehead.system import processes as process

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

    def hear(self, event, session="one", **data):
        now = time.time_ns()
        where = {"worktree": str(self.repo), "transcript_path": str(self.transcript), **data}
        line = {"id": tape.stamp(now, os.getpid()), "at": tape.instant(now), "host": "claude", "event": event.value}
        self.engine.store.append(session, {**line, "facts": [], "data": where})
        self.engine.settle(session)

    def say(self, who, content, at=None, **more):
        when = datetime.fromtimestamp((at or time.time_ns()) / SECOND, UTC).isoformat()
        entry = {"type": who, "timestamp": when, "message": {"role": who, "content": content}, **more}
        with self.transcript.open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def run(self, at=None):
        """A command of the agent's, which is over at once."""
        self.say("assistant", [{"type": "tool_use", "id": "run", "name": "Bash", "input": {"command": "make"}}], at)
        self.say("user", [{"type": "tool_result", "tool_use_id": "run", "content": "made"}], at)

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
