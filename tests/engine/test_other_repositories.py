"""A session that works in several repositories: each has its own snapshots and checkpoints, under one session id."""

from __future__ import annotations

import json
import os
import time

import pytest
from click.testing import CliRunner

import scenes
from several_repositories import AGENT, HUMAN, LONG_AGO, SECOND, Session, blamed, edit, repository, shell, write
from tapehead.cli.app import app
from tapehead.engine import git_hook
from tapehead.engine.engine import Engine
from tapehead.statemachine.vocabulary import Event
from tapehead.store import starts
from tapehead.store.paths import Layout


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    monkeypatch.setattr(git_hook, "_work", lambda *_: None)


def test_a_second_repository_by_an_absolute_path(tmp_path, monkeypatch):
    """Found by the edit: its lines are the agent's, what lay there before is not; a commit there gets a trailer and a checkpoint of its own."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    write(other / "mine.txt", "human = 1\n", time.time_ns() - 2 * LONG_AGO)
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(edit(other / "a.txt", "base = 1\nagent = 2\n"), edit(home / "b.txt", "agent = 3\n"))
    assert blamed(other / "a.txt", monkeypatch) == [HUMAN, AGENT]
    assert blamed(other / "mine.txt", monkeypatch) == [HUMAN]
    message = other / ".git" / "MSG"
    message.write_text("both\n")
    scenes.git(other, "add", "-A")
    git_hook.run(["prepare-commit-msg", str(message), "message"], {**os.environ, "GIT_EDITOR": ":"})
    assert "Tapehead-Checkpoint: " in message.read_text()
    scenes.git(other, "commit", "-q", "-F", str(message))
    git_hook.run(["post-commit"], os.environ)
    Engine(Layout(str(other / ".git" / "tapehead" / "guests")), time.time_ns).settle("one")
    found = json.loads(CliRunner().invoke(app, ["explain", "--json"]).stdout)
    assert [part["session"] for part in found["parts"]] == ["one"]
    assert found["lines"] == {**found["lines"], "agent": 1, "human": 1, "not_known": 0}
    assert found["parts"][0]["prompts"] == ["do it"]
    assert blamed(other / "a.txt", monkeypatch) == [HUMAN, AGENT]
    assert blamed(home / "b.txt", monkeypatch) == [AGENT]


def test_from_then_on_it_is_recorded_at_each_prompt(tmp_path, monkeypatch):
    """What the human writes there between two turns is the human's, though a shell writes the same file in the next one."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(edit(other / "a.txt", "base = 1\nagent = 2\n"))
    session.now += 10 * SECOND
    write(other / "a.txt", "base = 1\nagent = 2\nhuman = 3\n", session.now)
    session.turn(shell("make gen", other / "a.txt", "base = 1\nagent = 2\nhuman = 3\nshell = 4\n"))
    assert blamed(other / "a.txt", monkeypatch) == [HUMAN, AGENT, HUMAN, AGENT]


def test_a_commit_of_which_no_hook_told(tmp_path, monkeypatch):
    """Where our hooks were never installed, the next `blame` catches up on it, as in the session's own repository."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(edit(other / "a.txt", "base = 1\nagent = 2\n"))
    scenes.git(other, "commit", "-qam", "on")
    assert blamed(other / "a.txt", monkeypatch) == [HUMAN, AGENT]
    found = json.loads(CliRunner().invoke(app, ["explain", "--json"]).stdout)
    assert [part["session"] for part in found["parts"]] == ["one"]


def test_a_commit_in_the_turn_in_which_it_is_found(tmp_path, monkeypatch):
    """The agent commits there before anybody knows of the repository: it is caught up on, with what was there before the turn."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.hear(Event.TURN_START, prompt="do it")
    session.call("Bash", {"command": f"cd {other} && make"}, **{str(other / "new.txt"): "shell = 1\n"})
    at = f"{session.now // SECOND} +0000"
    monkeypatch.setenv("GIT_COMMITTER_DATE", at)
    scenes.git(other, "add", "-A")
    scenes.git(other, "commit", "-qm", "by the agent")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    session.say("assistant", [{"type": "text", "text": "done"}])
    session.hear(Event.TURN_END)
    assert blamed(other / "new.txt", monkeypatch) == [AGENT]
    assert blamed(other / "a.txt", monkeypatch) == [HUMAN]
    found = json.loads(CliRunner().invoke(app, ["explain", "--json"]).stdout)
    assert [part["session"] for part in found["parts"]] == ["one"]


@pytest.mark.parametrize("kind", ["nested", "submodule", "above several"])
def test_repositories_below(tmp_path, monkeypatch, kind):
    """Found by what changed in them, also where only a shell wrote; one that nothing changed in is left alone."""
    root = tmp_path / "work"
    if kind == "above several":
        root.mkdir()
    else:
        repository(root)
    inner, idle = repository(root / "libs" / "inner"), repository(root / "libs" / "idle")
    if kind == "submodule":
        (root / ".gitmodules").write_text('[submodule "i"]\n\tpath = libs/inner\n\turl = x\n')
    store = tmp_path / "store" if kind == "above several" else root / ".git" / "tapehead"
    session = Session(root, store, tmp_path)
    session.turn(shell("make", inner / "a.txt", "base = 1\nshell = 2\n"))
    assert blamed(inner / "a.txt", monkeypatch) == [HUMAN, AGENT]
    assert not (idle / ".git" / "tapehead").exists()


def test_what_only_was_read_is_left_alone(tmp_path):
    """A shell that names another repository is no reason to write into it."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(shell(f"make -C {other}", home / "b.txt", "shell = 1\n"))
    assert not (other / ".git" / "tapehead").exists()


def test_it_is_no_session_of_that_store(tmp_path, monkeypatch):
    """No list shows it there, and nobody inherits from it."""
    home, other = repository(tmp_path / "home"), repository(tmp_path / "other")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(edit(other / "a.txt", "base = 1\nagent = 2\n"))
    monkeypatch.chdir(other)
    (found,) = json.loads(CliRunner().invoke(app, ["status", "--json"]).stdout)
    assert found["sessions"] == []
    assert starts.newest(Layout(str(other / ".git" / "tapehead")), "main") == []


def test_nothing_is_looked_for_where_that_is_not_wanted(tmp_path, monkeypatch):
    """A setting turns it off."""
    monkeypatch.setenv("TAPEHEAD_CHECKPOINTS_OTHERS", "false")
    home, other = scenes.repository(tmp_path / "home"), scenes.repository(tmp_path / "home" / "inner")
    session = Session(home, home / ".git" / "tapehead", tmp_path)
    session.turn(edit(other / "a.txt", "one\n"))
    assert not (other / ".git" / "tapehead").exists()
    assert not (home / ".git" / "tapehead" / "sessions" / "one.others").exists()
