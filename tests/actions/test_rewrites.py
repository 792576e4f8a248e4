"""After a rebase or a squash, checkpoints and records follow their commits."""

from __future__ import annotations

import os

import pytest

import scenes
from tapehead.actions.rewrites import follow
from tapehead.attribution.committed_lines import History
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import trailers
from tapehead.statemachine.vocabulary import Event
from tapehead.store import lock, tape


@pytest.fixture
def scene(tmp_path):
    """Two commits of an agent's, each with its trailer and its checkpoint."""
    repo = scenes.repository(tmp_path / "repo")
    scene = scenes.Scene(repo / ".git" / "tapehead")
    scene.repo, scene.ids = repo, ["aaaaaaaaaaaa", "bbbbbbbbbbbb"]
    for number, name in enumerate(scene.ids):
        scene.hear("one", Event.TURN_START, data={"worktree": str(repo), "prompt": "x"})
        scene.settled("one")
        (repo / f"f{number}.txt").write_text("agent\nagent too\n")
        scene.hear("one", Event.TURN_END)
        scene.settled("one")
        tape.append(scene.layout.reserved, {"id": name, "session": "one"})
        scenes.git(repo, "add", "-A")
        scenes.git(repo, "commit", "-qm", f"c{number}\n\n{trailers.NAME}: {name}")
        scene.hear("one", Event.GIT_COMMIT, data={"commit": scenes.git(repo, "rev-parse", "HEAD")}, host="git")
        scene.settled("one")
    scene.kept = Checkpoints(work_tree(scene.layout, scene.store.load("one")).side)
    return scene


def rewritten(scene, *words, editor="true"):
    """A rebase, heard of as the hook writes it down."""
    heard = scene.repo / ".git" / "heard"
    hook = scene.repo / ".git" / "hooks" / "post-rewrite"
    hook.write_text(f"#!/bin/sh\ncat > '{heard}'\n")
    hook.chmod(0o755)
    env = {"GIT_SEQUENCE_EDITOR": editor, "GIT_EDITOR": "true"}
    os.environ.update(env)
    try:
        scenes.git(scene.repo, "rebase", "-q", "-i", *words)
    finally:
        for name in env:
            del os.environ[name]
    pairs = [row.split()[:2] for row in heard.read_text().splitlines()]
    tape.append(scene.layout.rewrites, {"at": "2027-01-01T00:00:00Z", "worktree": str(scene.repo), "pairs": pairs})


def test_a_rebase(scene):
    """Each checkpoint knows its commit's new name and its former one; blame finds the lines again."""
    before = scenes.git(scene.repo, "rev-list", "--reverse", "HEAD~2..HEAD").split()
    scenes.git(scene.repo, "checkout", "-q", "-b", "up", "HEAD~2")
    (scene.repo / "up.txt").write_text("theirs\n")
    scenes.git(scene.repo, "add", "-A")
    scenes.git(scene.repo, "commit", "-qm", "upstream")
    scenes.git(scene.repo, "checkout", "-q", "main")
    rewritten(scene, "up")
    assert follow(scene.layout) == 2
    after = scenes.git(scene.repo, "rev-list", "--reverse", "up..HEAD").split()
    found = [scene.kept.get(name) for name in scene.ids]
    assert [one.commit for one in found] == after
    assert [one.former_commits for one in found] == [(name,) for name in before]
    assert [one.attribution["session_added"] for one in found] == [2, 2]
    history = History(str(scene.repo), scene.kept.records)
    assert [history.owner("HEAD", b"f1.txt", line) for line in (1, 2)] == ["one", "one"]
    assert history.owner("HEAD", b"up.txt", 1) == ""
    assert follow(scene.layout) == 0


def test_a_squash(scene):
    """Two checkpoints lead to one commit, and its message names both."""
    rewritten(scene, "HEAD~2", editor="sed -i '2s/^pick/squash/'")
    follow(scene.layout)
    head = scenes.git(scene.repo, "rev-parse", "HEAD")
    assert trailers.found(scenes.git(scene.repo, "log", "-1", "--format=%B")) == scene.ids
    assert [scene.kept.get(name).commit for name in scene.ids] == [head, head]
    record = scene.kept.record(head)
    assert record.checkpoints == tuple(scene.ids)
    assert record.files == {b"f0.txt": ((1, 2, "one"),), b"f1.txt": ((1, 2, "one"),)}


@pytest.mark.parametrize(
    "row", ["{", "[]", '{"worktree": 3, "pairs": [], "at": ""}', '{"worktree": "/", "pairs": [["a"]], "at": ""}']
)
def test_what_cannot_be_read_is_passed_over(scene, row):
    """And so are commits that are gone, or that nobody has a checkpoint of."""
    tape.append_raw(scene.layout.rewrites, row.encode())
    nowhere = {"at": "x", "worktree": str(scene.repo), "pairs": [["c" * 40, "d" * 40], ["x", "y"]]}
    tape.append(scene.layout.rewrites, nowhere)
    base = scenes.git(scene.repo, "rev-parse", "HEAD~2")
    tape.append(scene.layout.rewrites, {**nowhere, "pairs": [["c" * 40, base]]})
    tape.append(scene.layout.rewrites, {**nowhere, "at": 3})
    assert follow(scene.layout) == 0


def test_one_at_a_time(scene):
    """Whoever comes while another reads leaves it to that one."""
    held = lock.take(scene.layout.rewrites + ".lock", 0)
    assert follow(scene.layout) == 0
    lock.release(held)
