"""A repository with sessions in it, put there by the real hook in this process."""

from __future__ import annotations

import json
import os
import shutil
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
    return made(tmp_path, monkeypatch)


def made(folder, monkeypatch):
    """A new repository and a home in a folder, with the test standing in it."""
    (folder / "home").mkdir()
    scenes.repository(folder / "repository", commits=0)
    return entered(folder, monkeypatch)


def entered(folder, monkeypatch):
    """The test stands in the repository of a folder."""
    monkeypatch.chdir(folder / "repository")
    monkeypatch.setenv("HOME", str(folder / "home"))
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
    return Repository(folder / "repository", folder / "home")


def kept(folder, monkeypatch, build):
    """A repository in which something happened, as `build` lets it happen."""
    return entered(kept_place(folder, lambda place: build(made(place, monkeypatch))), monkeypatch)


def kept_place(folder, build):
    """A folder with what `build` puts there, built once for each process: a copy of it, at the place where it was built.

    At the same place, because a tape names files by their whole path. Building it may take a hundred processes, a copy none.
    """
    place, saved = folder / "place", folder / "saved"
    shutil.rmtree(place, ignore_errors=True)
    if saved.exists():
        shutil.copytree(saved, place, symlinks=True)
        return place
    place.mkdir(parents=True)
    build(place)
    shutil.copytree(place, saved, symlinks=True)
    return place


@pytest.fixture(scope="module")
def folder_of_module(tmp_path_factory):
    """For `kept`."""
    return tmp_path_factory.mktemp("kept")
