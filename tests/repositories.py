"""A repository with sessions in it, put there by the real hook in this process."""

from __future__ import annotations

import json
import os
import time

import pytest
from click.testing import CliRunner

import scenes
from tapehead.cli.app import app
from tapehead.engine import hook
from tapehead.engine.engine import Engine
from tapehead.store.paths import Layout


class Repository:
    """What the tests of commands stand in."""

    def __init__(self, root, home):
        self.root = str(root)
        self.home = str(home)
        self.store = os.path.join(self.root, ".git", "tapehead")
        self.layout = Layout(self.store)
        self.engine = Engine(self.layout, time.time_ns)

    def hook(self, name, session="one", *, pid=None, **fields):
        """One payload through the hook; what it prints."""
        payload = {"session_id": session, "cwd": self.root, "hook_event_name": name, **fields}
        reading, writing = os.pipe()
        os.write(writing, json.dumps(payload).encode())
        os.close(writing)
        try:
            return hook.run("claude", reading, {"HOME": self.home, "CLAUDE_PID": str(pid or os.getpid())})
        finally:
            os.close(reading)

    def session(self, session="one", *, ends=True):
        """A whole session, settled."""
        self.hook("SessionStart", session, source="startup")
        self.hook("UserPromptSubmit", session, prompt="make it blue")
        self.hook("Stop", session, last_assistant_message="it is blue")
        if ends:
            self.hook("SessionEnd", session, reason="other")
        self.engine.settle(session)

    def tape(self, session="one"):
        return os.path.join(self.store, "sessions", f"{session}.tape")

    def run(self, *words):
        """A command of ours, as a user calls it."""
        return CliRunner().invoke(app, words)

    def json(self, *words):
        return json.loads(self.run(*words, "--json").stdout)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    root, home = tmp_path / "repository", tmp_path / "home"
    home.mkdir()
    scenes.repository(root, commits=0)
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(home))
    for name in (
        "XDG_STATE_HOME",
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_PROJECT_DIR",
        "TAPEHEAD_INTERNAL",
    ):
        monkeypatch.delenv(name, raising=False)
    # A detached settle would race with what the tests look at: they settle themselves.
    monkeypatch.setattr("tapehead.engine.hook._work", lambda *_: None)
    return Repository(root, home)
