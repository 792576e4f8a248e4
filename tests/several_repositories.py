"""A session with its transcript, in several repositories; time is the story's own."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

import scenes
from tapehead.cli.app import app
from tapehead.engine.engine import Engine
from tapehead.engine.other_repositories import follow
from tapehead.statemachine.vocabulary import Event
from tapehead.store import starts, tape
from tapehead.store.paths import Layout

SECOND = 1_000_000_000
LONG_AGO = 1_000 * SECOND


class Session:
    """One agent, started in a directory, with its transcript; ten seconds between any two things."""

    def __init__(self, cwd, root, folder):
        self.cwd, self.transcript = cwd, folder / "transcript.jsonl"
        self.now, self.calls = time.time_ns() - LONG_AGO, 0
        self.engine = Engine(Layout(str(root)), lambda: self.now)
        starts.note(self.engine.layout, "main", {"session": "one", "at": tape.instant(self.now)})
        self.hear(Event.SESSION_START)

    def hear(self, event, **data):
        self.now += 10 * SECOND
        line = {"id": tape.stamp(self.now, 1), "at": tape.instant(self.now), "host": "claude", "event": event.value}
        where = {"worktree": str(self.cwd), "transcript_path": str(self.transcript), **data}
        tape.append(self.engine.layout.tape("one"), {**line, "facts": [], "data": where})
        self.engine.settle("one")
        follow(self.engine, "one")

    def say(self, who, content, **more):
        when = datetime.fromtimestamp(self.now / SECOND, UTC).isoformat()
        with self.transcript.open("a") as file:
            file.write(json.dumps({"type": who, "timestamp": when, "message": {"content": content}, **more}) + "\n")

    def call(self, name, given, **files):
        """A call of a tool, and the files that it writes meanwhile."""
        self.calls, self.now = self.calls + 1, self.now + 10 * SECOND
        self.say("assistant", [{"type": "tool_use", "id": f"t{self.calls}", "name": name, "input": given}])
        self.now += SECOND
        for path, text in files.items():
            write(path, text, self.now)
        self.now += SECOND
        self.say("user", [{"type": "tool_result", "tool_use_id": f"t{self.calls}", "content": "done"}])

    def turn(self, *calls):
        self.hear(Event.TURN_START, prompt="do it")
        for name, given, files in calls:
            self.call(name, given, **files)
        self.say("assistant", [{"type": "text", "text": "done"}])
        self.hear(Event.TURN_END)


def write(path, text, at):
    with open(path, "w") as file:
        file.write(text)
    os.utime(path, ns=(at, at))


def edit(path, text):
    return "Write", {"file_path": str(path), "content": text}, {str(path): text}


def shell(command, path, text):
    return "Bash", {"command": command}, {str(path): text}


def repository(path):
    scenes.repository(path, commits=0)
    before = time.time_ns() - 2 * LONG_AGO
    write(path / "a.txt", "base = 1\n", before)
    scenes.git(path, "add", "-A")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", f"{before // SECOND} +0000")
        scenes.git(path, "commit", "-qm", "base")
    return path


def blamed(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    done = CliRunner().invoke(app, ["blame", path.name, "--json"])
    assert done.exit_code == 0, done.stderr
    return [(line["who"], line["session"]) for line in json.loads(done.stdout)["lines"]]


HUMAN, AGENT = ("human", ""), ("agent", "one")
