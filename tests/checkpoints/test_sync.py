"""Two clones and a bare remote: both end with all checkpoints, and nothing else moves."""

from __future__ import annotations

import os

import pytest

import scenes
from tapehead.checkpoints import sync
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.engine import background_sync as detached
from tapehead.engine import git_hook
from tapehead.git.side import Side


@pytest.fixture
def sides(tmp_path):
    scenes.repository(tmp_path / "first")
    scenes.git(tmp_path, "clone", "-q", "--bare", "first", "remote.git")
    for name in ("left", "right"):
        scenes.git(tmp_path, "clone", "-q", "remote.git", name)
    return [tmp_path / "left", tmp_path / "right"]


def kept(repo):
    return Checkpoints(Side(str(repo / ".git" / "tapehead" / "lines.git"), str(repo / ".git")))


def put(repo, *numbers):
    for number in numbers:
        one = Checkpoint(id=f"{number:012x}", commit=f"{number:040x}")
        kept(repo).put(one, {"brief.md": b"x\n"}, Record(one.commit, checkpoints=(one.id,)), 0)


def ids(*numbers):
    return [f"{number:012x}" for number in numbers]


def own(repo):
    """What is the user's: refs that are not ours, index, config, HEAD, logs, and the files."""
    found = {}
    for directory, folders, files in os.walk(repo):
        folders[:] = [name for name in folders if name not in ("tapehead", "objects")]
        for name in files:
            with open(os.path.join(directory, name), "rb") as file:
                found[os.path.join(directory, name)] = file.read()
    return found


def test_a_user_who_waits_hears_what_is_under_way(sides):
    """Each step of each of the three refs, in order."""
    put(sides[0], 1)
    told = []
    sync.sync_all(kept(sides[0]).side, "origin", 0, told.append)
    steps = [
        f"{step} {what}"
        for what in ("checkpoints", "handoffs", "shared memories")
        for step in ("fetching", "comparing", "pushing")
    ]
    assert told == steps


def test_both_sides_end_with_all(sides):
    """Whoever syncs first; what came and what went is counted; what is the user's own stays byte for byte."""
    left, right = sides
    put(left, 1, 2)
    put(right, 2, 3)
    before = [own(side) for side in sides]
    assert sync.sync(kept(left), "origin", 0) == sync.Synced("origin", 0, 2)
    assert sync.sync(kept(right), "origin", 0) == sync.Synced("origin", 1, 1)
    assert sync.sync(kept(left), "origin", 0) == sync.Synced("origin", 1, 0)
    assert sync.sync(kept(left), "origin", 0) == sync.Synced("origin", 0, 0)
    assert kept(left).ids() == kept(right).ids() == ids(1, 2, 3)
    assert kept(left).tip() == kept(right).tip() == scenes.git(left, "rev-parse", sync.tracking("origin"))
    assert [own(side) for side in sides] == before
    assert scenes.git(left, "branch", "-a") == scenes.git(right, "branch", "-a")
    for side in sides:
        assert not scenes.git(side, "fsck", "--full", "--strict", "--no-dangling")


def test_a_remote_that_is_told_from_the_work_tree(sides):
    """A path like `../remote.git` leads where it leads git."""
    left, right = sides
    scenes.git(left, "remote", "set-url", "origin", "../remote.git")
    put(left, 1)
    assert sync.sync(kept(left), "origin", 0).sent == 1
    assert sync.sync(kept(right), "../remote.git", 0).received == 1


def test_nothing_to_sync(sides):
    """A repository without checkpoints neither makes nor sends any."""
    assert sync.sync(kept(sides[0]), "origin", 0) == sync.Synced("origin", 0, 0)
    assert scenes.git(sides[0], "for-each-ref", "refs/tapehead") == ""


def test_offline_it_says_so_and_catches_up(sides, tmp_path):
    """What was made meanwhile goes with the next one."""
    put(sides[0], 1)
    (tmp_path / "remote.git").rename(tmp_path / "away")
    with pytest.raises(sync.Unreachable):
        sync.sync(kept(sides[0]), "origin", 0)
    (tmp_path / "away").rename(tmp_path / "remote.git")
    assert sync.sync(kept(sides[0]), "origin", 0).sent == 1


def test_two_that_push_at_once(sides, monkeypatch):
    """The second one's push is refused; it fetches again, and both are there."""
    left, right = sides
    put(left, 1)
    put(right, 2)
    pushed = sync._Sync._pushed
    meddled = []

    def meddle(self):
        if not meddled:
            meddled.append(True)
            sync.sync(kept(right), "origin", 0)
        return pushed(self)

    monkeypatch.setattr(sync._Sync, "_pushed", meddle)
    sync.sync(kept(left), "origin", 0)
    assert kept(left).ids() == ids(1, 2)


def test_a_push_takes_them_along_where_it_was_asked_for(sides, monkeypatch):
    """Detached; by the setting, and not without it."""
    left = sides[0]
    put(left, 1)
    monkeypatch.chdir(left)
    started = []
    monkeypatch.setattr(
        "tapehead.engine.background.run_detached", lambda module, words, env: started.append((module, words))
    )
    git_hook.run(["pre-push", "origin", "url"], os.environ)
    assert started == []
    git_hook.run(["pre-push", "origin", "url"], {**os.environ, "TAPEHEAD_CHECKPOINTS_PUSH": "1"})
    ((module, words),) = started
    assert module == detached.__name__
    monkeypatch.setattr("os.nice", lambda _: None)
    monkeypatch.setattr("tapehead.system.alarms.end_after", lambda *_: None)
    detached.main(*words)
    assert sync.sync(kept(sides[1]), "origin", 0).received == 1
