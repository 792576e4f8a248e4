"""Commits that no hook told of are told by the worker, where hooks were wanted."""

from __future__ import annotations

import json

import pytest

import scenes
from tapehead.cli import worker
from tapehead.git import hooks_install
from tapehead.statemachine.vocabulary import Event
from tapehead.store import atomic, starts


@pytest.fixture
def scene(tmp_path, monkeypatch):
    repo = scenes.repository(tmp_path / "repo")
    scene = scenes.Scene(repo / ".git" / "tapehead")
    scene.repo = repo
    head = scenes.git(repo, "rev-parse", "HEAD")
    scene.hear("one", Event.SESSION_START, data={"worktree": str(repo), "head": head})
    scene.hear("one", Event.TURN_START, data={"worktree": str(repo), "head": head, "prompt": "x"})
    scene.settled("one")
    return scene


def wanted(scene):
    program = scene.repo.parent / "tapehead"
    program.touch(mode=0o700)
    atomic.write(scene.layout.git_hooks, json.dumps({"program": str(program)}).encode())


def commits(scene, *names):
    for name in names:
        (scene.repo / name).write_text("agent\n")
        scenes.git(scene.repo, "add", "-A")
        scenes.git(scene.repo, "commit", "-qm", "x")
    return scenes.git(scene.repo, "rev-parse", "HEAD")


@pytest.mark.parametrize("event", [Event.TURN_END, Event.TURN_START, Event.SESSION_START])
def test_missed_commits_are_told_once(scene, event):
    """Two commits past hooks that another program took out: two checkpoints, and the hooks are back, whatever comes next."""
    wanted(scene)
    head = commits(scene, "f0", "f1")
    scene.hear("one", event, data={"worktree": str(scene.repo), "head": head})
    for _ in range(2):
        worker.work(scene.engine, "one")
    state = scene.store.load("one")
    assert (state.step_count, state.failures) == (2, {})
    assert state.base_commit == head
    assert hooks_install.missing(str(scene.repo)) == []


def test_a_session_that_is_over_is_told_by_the_next(scene):
    """It left work behind that was committed past the hooks: the worker of another session in that work tree tells it."""
    wanted(scene)
    for name in ("one", "two"):
        starts.note(scene.layout, "main", {"session": name, "at": "2027-01-01T00:00:00.000000Z"})
    (scene.repo / "left.txt").write_text("agent\n")
    scene.hear("one", Event.TURN_END)
    scene.hear("one", Event.SESSION_STOP)
    assert scene.settled("one").files_touched
    head = commits(scene, "mine.txt")
    scene.hear("two", Event.SESSION_START, data={"worktree": str(scene.repo), "head": head})
    worker.work(scene.engine, "two")
    state = scene.store.load("one")
    assert (state.step_count, state.fully_condensed, state.base_commit) == (1, True, head)


def test_where_nobody_wanted_hooks_nothing_is_told(scene):
    """The repository is as it was."""
    commits(scene, "f")
    worker.work(scene.engine, "one")
    assert scene.store.load("one").step_count == 0
    assert hooks_install.missing(str(scene.repo)) == [*hooks_install.NAMES]
