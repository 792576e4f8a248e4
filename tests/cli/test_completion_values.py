"""What a shell offers."""

import os
import subprocess
import sys

import pytest

import scenes
from record import Record
from tapehead.cli import completion_values
from tapehead.cli.app import app


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A repository with one session that was recorded, and one that was taken in."""
    monkeypatch.chdir(scenes.repository(tmp_path / "repository"))
    scene = scenes.Scene(tmp_path / "repository/.git/tapehead")
    scene.hear("abc-recorded", "x")
    scene.settled("abc-recorded")
    app(["import", Record("abd-imported").turn("x", "y").write(tmp_path), "--here"], standalone_mode=False)
    return tmp_path / "repository"


def offered(*words):
    """As bash asks; the kind and the word of each."""
    env = {**os.environ, "_TAPEHEAD_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(("tapehead", *words))}
    env["COMP_CWORD"] = str(len(words))
    program = [sys.executable, "-c", "from tapehead.cli.main import main; main()"]
    return subprocess.run(program, env=env, capture_output=True, text=True, check=False).stdout.split()


def test_sessions_by_how_they_begin(place):
    """Recorded or taken in."""
    assert completion_values.session_ids(None, None, "ab") == ["abc-recorded", "abd-imported"]
    assert completion_values.session_ids(None, None, "abd") == ["abd-imported"]


def test_nothing_is_said_of_what_goes_wrong(place, monkeypatch):
    """A shell in the middle of a word is told nothing."""
    (place / ".git/tapehead/memory.db").write_bytes(b"no database" * 1000)
    assert completion_values.session_ids(None, None, "ab") == []


@pytest.mark.parametrize(
    "command", ["brief", "detail", "handoff", "log", "losses", "monitor", "notes", "replay", "save", "search"]
)
def test_every_command_that_takes_a_session_offers_them(command):
    """By the same function."""
    (option,) = [one for one in app.get_command(None, command).params if "--session" in one.opts]
    assert option._custom_shell_complete is not None


def test_through_the_shell(place):
    """Ids for a session, files for a transcript."""
    assert offered("log", "--session", "abc") == ["plain,abc-recorded"]
    assert offered("brief", "--transcript", "fi") == ["file,fi"]
