"""`tapehead resume BRANCH` in another clone: the session that made the branch's newest checkpoint is continued from what was synced."""

from __future__ import annotations

import json
import os

import pytest

import server_merges
from tapehead.cli.app import app
from tapehead.cli.commands import resume as command
from tapehead.store import origin


@pytest.fixture
def world(tmp_path, monkeypatch):
    found = server_merges.World(tmp_path, os.environ["HOME"])
    found.build()
    author = found.repository(found.author)
    monkeypatch.chdir(found.author)
    assert author.run("sync", "origin").exit_code == 0
    return found


@pytest.fixture
def begun(monkeypatch):
    """The agents that were started, none of which is."""
    started = []
    monkeypatch.setattr(command, "must_be_there", lambda *_: None)
    monkeypatch.setattr(command, "warn_if_deaf", lambda *_: None)
    monkeypatch.setattr(command, "begin", lambda agent, *_: started.append(agent))
    monkeypatch.setattr(command, "go_on", lambda *_: pytest.fail("it cannot be opened here"))
    return started


def test_from_another_machine(world, monkeypatch, begun):
    """The next start gets the brief: what the user asked there, marked as another's word. Done twice, it is there once."""
    other = world.as_colleague(monkeypatch)
    assert other.json("sync")["received"] == 2
    world.git(other.root, "checkout", "-q", "feature")
    told = other.json("resume", "feature")
    assert (told["session"], told["agent"], told["here"], told["verified"]) == ("one", "claude", False, False)
    assert (told["asked"], told["remote"], told["by"]) == ("write it", "origin", "Author")
    assert other.json("status")[0]["sessions"] == [], "--json only tells"
    for _ in range(2):
        done = other.run("resume", "feature")
        assert done.exit_code == 0, done.stderr
        assert "worked on another machine (by Author, not verified)" in done.stdout
    assert begun == ["claude", "claude"]
    assert origin.sender(other.layout, "one") == ("origin", "Author")
    (session,) = other.json("status")[0]["sessions"]
    assert (session["session_id"], session["phase"], session["turn_number"]) == ("one", "ended", 2)
    said = other.hook("SessionStart", "three", source="startup")
    assert "write it" in json.dumps(said)
    assert "not checked" in json.dumps(said)


def test_a_branch_that_was_only_fetched(world, monkeypatch, begun):
    """By the name that it has on the remote, with another agent, and from another commit, which is said."""
    other = world.as_colleague(monkeypatch)
    other.run("sync")
    done = other.run("resume", "feature", "--in", "codex")
    assert begun == ["codex"]
    assert "this worktree is at another commit" in done.stdout


def test_nothing_to_go_on_from(world, monkeypatch, begun):
    """No sync yet, no such branch, no checkpoint on it: each is said, with what to do."""
    other = world.as_colleague(monkeypatch)
    refused = other.run("resume", "feature")
    assert (refused.exit_code, "No checkpoint on feature" in refused.stderr) == (1, True)
    assert "tapehead sync" in refused.stderr
    assert other.run("resume", "nowhere").exit_code == 1
    other.run("sync")
    assert "No checkpoint on main" in other.run("resume", "main").stderr
    assert begun == []


def test_branches_are_completed(world, monkeypatch):
    """Beside the ids of sessions."""
    monkeypatch.chdir(world.author)
    (argument,) = [one for one in app.get_command(None, "resume").params if one.name == "which"]
    assert [item.value for item in argument.shell_complete(None, "fea")] == ["feature"]
