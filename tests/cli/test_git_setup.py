"""Commits that no hook told of are told by the worker, where hooks were wanted."""

from __future__ import annotations

import json

import pytest

import scenes
from tapehead.cli import worker
from tapehead.git import hooks_install
from tapehead.statemachine.vocabulary import Event
from tapehead.store import atomic


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


def test_missed_commits_are_told_once(scene):
    """Two commits past hooks that another program took out: two checkpoints, and the hooks are back."""
    program = scene.repo.parent / "tapehead"
    program.touch(mode=0o700)
    atomic.write(scene.layout.git_hooks, json.dumps({"program": str(program)}).encode())
    for number in range(2):
        (scene.repo / f"f{number}").write_text("agent\n")
        scenes.git(scene.repo, "add", "-A")
        scenes.git(scene.repo, "commit", "-qm", "x")
    scene.hear("one", Event.TURN_END)
    for _ in range(2):
        worker.work(scene.engine, "one")
    state = scene.store.load("one")
    assert (state.step_count, state.failures) == (2, {})
    assert state.base_commit == scenes.git(scene.repo, "rev-parse", "HEAD")
    assert hooks_install.missing(str(scene.repo)) == []


def test_where_nobody_wanted_hooks_nothing_is_told(scene):
    """The repository is as it was."""
    (scene.repo / "f").write_text("agent\n")
    scenes.git(scene.repo, "add", "-A")
    scenes.git(scene.repo, "commit", "-qm", "x")
    worker.work(scene.engine, "one")
    assert scene.store.load("one").step_count == 0
    assert hooks_install.missing(str(scene.repo)) == [*hooks_install.NAMES]
