"""Commits that no hook told of are told by the worker, where hooks were wanted."""

from __future__ import annotations

import json
import os
import sys
import time

import pytest

import scenes
from tapehead.engine import worker
from tapehead.git import hooks_install
from tapehead.statemachine.vocabulary import Event
from tapehead.store import atomic, starts
from tapehead.store.line import readable


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


PROGRAM = os.path.join(os.path.dirname(sys.executable), "tapehead")


def wanted(scene, program=PROGRAM):
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


def test_a_store_names_no_program_for_git_to_run(scene):
    """What it says it wants is put back only where that is tapehead itself: a store may have come with the repository."""
    evil = scene.repo / "tapehead"
    evil.touch(mode=0o700)
    wanted(scene, evil)
    worker.work(scene.engine, "one")
    assert len(hooks_install.missing(str(scene.repo))) == len(hooks_install.NAMES)


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


def test_where_nobody_wanted_hooks_commits_are_told_all_the_same(scene):
    """The checkpoints are there with the next event; the repository's hooks are as they were."""
    head = commits(scene, "f", "g")
    worker.work(scene.engine, "one")
    state = scene.store.load("one")
    assert (state.step_count, state.base_commit) == (2, head)
    assert hooks_install.missing(str(scene.repo)) == [*hooks_install.NAMES]


def test_the_first_commit_of_all_is_told(tmp_path):
    """A session that began before there was a commit: the first one is not taken for what was there before."""
    repo = tmp_path / "new"
    repo.mkdir()
    scenes.git(repo, "init", "-q")
    scene = scenes.Scene(repo / ".git" / "tapehead", now=1_600_000_000 * scenes.SECOND)
    scene.repo = repo
    scene.hear("one", Event.SESSION_START, data={"worktree": str(repo), "head": ""})
    scene.hear("one", Event.TURN_START, data={"worktree": str(repo), "head": "", "prompt": "x"})
    scene.settled("one")
    head = commits(scene, "f")
    scene.clock.forward(60)
    scene.hear("one", Event.TURN_END, data={"worktree": str(repo), "head": head})
    worker.work(scene.engine, "one")
    assert (scene.store.load("one").step_count, scene.store.load("one").failures) == (1, {})


@pytest.mark.parametrize("how", ["by inner commands", "without a list"])
def test_a_missed_commit_before_one_that_was_heard(tmp_path, how):
    """Also where git's list says nothing of it: a tool moved the branch without a word, or there is no list."""
    repo = scenes.repository(tmp_path / "repo")
    scene = scenes.Scene(repo / ".git" / "tapehead", now=1_600_000_000 * scenes.SECOND)
    scene.repo = repo
    data = {"worktree": str(repo), "head": scenes.git(repo, "rev-parse", "HEAD")}
    scene.hear("one", Event.SESSION_START, data=data)
    scene.hear("one", Event.TURN_START, data={**data, "prompt": "x"})
    scene.settled("one")
    if how == "without a list":
        scenes.git(repo, "config", "core.logAllRefUpdates", "false")
        (repo / ".git" / "logs" / "HEAD").unlink()
        missed = commits(scene, "f0")
    else:
        (repo / "f0").write_text("agent\n")
        scenes.git(repo, "add", "-A")
        missed = scenes.git(repo, "commit-tree", scenes.git(repo, "write-tree"), "-p", "HEAD", "-m", "x")
        scenes.git(repo, "update-ref", scenes.git(repo, "symbolic-ref", "HEAD"), missed)
    heard = commits(scene, "f1")
    scene.hear("one", Event.GIT_COMMIT, data={"commit": heard, "branch": "main"})
    scene.hear("one", Event.TURN_END, data={"worktree": str(repo), "head": heard})
    worker.work(scene.engine, "one")
    told = {line.text("commit") for line in readable(scene.store.lines("one")[0]) if line.event is Event.GIT_COMMIT}
    assert told == {missed, heard}


def test_what_a_pull_brought_is_nobodys_here(scene, tmp_path):
    """In mid-turn too: the commits of others are told to no session, only the one that was made here is."""
    other = tmp_path / "other"
    scenes.git(tmp_path, "clone", "-q", str(scene.repo), str(other))
    for name in ("theirs", "theirs too"):
        (other / name).write_text("x\n")
        scenes.git(other, "add", "-A")
        scenes.git(other, "commit", "-qm", name)
    scenes.git(scene.repo, "pull", "-q", "--ff-only", str(other))
    worker.work(scene.engine, "one")
    assert scene.store.load("one").step_count == 0
    head = commits(scene, "mine")
    worker.work(scene.engine, "one")
    told = [line.text("commit") for line in readable(scene.store.lines("one")[0]) if line.event is Event.GIT_COMMIT]
    assert (told, scene.store.load("one").step_count) == ([head], 1)


def test_a_file_that_was_touched_once_gives_no_part_for_ever(scene):
    """Its work was committed past the hooks; what the human makes of the file afterwards is the human's alone."""
    (scene.repo / "shared.txt").write_text("agent\n")
    scene.hear("one", Event.TURN_END)
    assert scene.settled("one").files_touched
    commits(scene, "more")
    scene.hear("one", Event.TURN_START, data={"worktree": str(scene.repo), "prompt": "y"})
    scene.settled("one")
    scene.hear("one", Event.TURN_END)
    scene.settled("one")  # two marks that have seen the commit, and nobody told of it yet
    (scene.repo / "shared.txt").write_text("agent\nhuman\n")
    scenes.git(scene.repo, "commit", "-qam", "by the human")
    scene.engine.committed("one", scenes.git(scene.repo, "rev-parse", "HEAD"), "main")
    assert scene.settled("one").step_count == 0


def told(scene):
    return [line.text("commit") for line in readable(scene.store.lines("one")[0]) if line.event is Event.GIT_COMMIT]


@pytest.fixture
def now(scene):
    """The same, by the clock that git has too."""
    scene.clock.now = time.time_ns()
    head = scenes.git(scene.repo, "rev-parse", "HEAD")
    os.unlink(scene.layout.tape("one"))
    os.unlink(scene.layout.state("one"))
    scene.hear("one", Event.SESSION_START, data={"worktree": str(scene.repo), "head": head})
    scene.hear("one", Event.TURN_START, data={"worktree": str(scene.repo), "head": head, "prompt": "x"})
    scene.settled("one")
    return scene


def test_a_missed_commit_is_told_though_a_later_one_was_heard(now):
    """The first hook was killed, the second spoke: both commits have their checkpoint, and each is told once."""
    first = commits(now, "f0")
    second = commits(now, "f1")
    now.engine.committed("one", second, "main")
    for _ in range(3):
        worker.work(now.engine, "one")
    assert told(now) == [second, first]
    assert (now.store.load("one").step_count, now.store.load("one").failures) == (2, {})


def test_a_missed_commit_of_another_branch_is_told(now):
    """It was made here, and the user went elsewhere since; what was amended away is not told."""
    scenes.git(now.repo, "switch", "-qc", "other")
    commits(now, "f0")
    scenes.git(now.repo, "commit", "-q", "--amend", "-m", "again")
    there = scenes.git(now.repo, "rev-parse", "HEAD")
    scenes.git(now.repo, "switch", "-q", "-")
    here = commits(now, "f1")
    now.engine.committed("one", here, "main")
    worker.work(now.engine, "one")
    assert told(now) == [here, there]


def test_what_was_made_before_the_session_is_not_told(scene):
    """It has no part in it."""
    scene.engine.committed("one", commits(scene, "f0", "f1"), "main")
    worker.work(scene.engine, "one")
    assert len(told(scene)) == 1
