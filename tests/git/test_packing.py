"""Our own store is packed by itself, and nothing of it is lost by that."""

from __future__ import annotations

import os
import random

import pytest

import scenes
from tapehead.attribution import snapshots
from tapehead.engine import worker
from tapehead.engine.engine import Engine
from tapehead.git import layout, loose, own_copies, packing
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.git.trees import Trees
from tapehead.store import lock
from tapehead.store.paths import Layout

A_TURN = 12 * 1024
"""Bytes that a turn may take in a repository of a thousand files."""


class Recording:
    """A repository whose work tree is recorded turn by turn."""

    def __init__(self, repo):
        self.repo = repo
        repository = layout.find(str(repo))
        self.root = os.path.join(repository.common_dir, "tapehead")
        self.side = Side(os.path.join(self.root, "lines.git"), repository.common_dir)
        self.trees, self.chain = Trees(repository, self.side, "main"), snapshots.Chain(self.side, "main")
        self.number = 0

    def mark(self, kind):
        self.number += 1
        return self.chain.put(
            snapshots.Mark(kind, "s", self.number, f"l{self.number}", self.number), self.trees.record()
        )

    def loose(self):
        return [name for _, name in packing.loose_files(self.side)]

    def size(self):
        return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(self.root) for name in names)

    def sweep(self):
        scenes.git(self.repo, "reflog", "expire", "--expire=now", "--all")
        scenes.git(self.repo, "gc", "-q", "--prune=now")


@pytest.fixture
def recording(tmp_path):
    return Recording(scenes.repository(tmp_path / "repo"))


def test_a_turn_takes_little_room(recording):
    """In a repository of a thousand files, with an edit in every turn and a commit in some; packed by the worker itself."""
    repo, chance = recording.repo, random.Random(7)
    for number in range(1000):
        path = repo / f"d{number % 25}" / f"e{number % 5}" / f"f{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"line {line} of {number}\n" for line in range(40)))
    scenes.git(repo, "add", "-A")
    scenes.git(repo, "commit", "-qm", "all")
    recording.mark(snapshots.START)
    before, turns, made = recording.size(), 45, []
    for turn in range(turns):
        recording.mark(snapshots.START)
        for path in chance.sample(sorted(repo.glob("d*/e*/*.py")), 3):
            lines = path.read_text().splitlines(keepends=True)
            lines[chance.randrange(40)] = f"turn {turn}\n"
            path.write_text("".join(lines))
        made.append(recording.mark(snapshots.END))
        if turn % 10 == 9:
            scenes.git(repo, "commit", "-qam", "on")
    assert len(recording.loose()) > packing.MANY_LOOSE
    worker.tidy(Engine(Layout(recording.root), lambda: 0))
    assert len(recording.loose()) < packing.MANY_LOOSE
    assert (recording.size() - before) / turns < A_TURN
    for known in made:
        assert recording.chain.known(known.mark) == known
    recording.side.git("fsck", "--full", "--no-dangling")


def test_a_copy_of_our_own_outlives_the_users_after_packing(recording, monkeypatch):
    """Packing keeps what the user's repository has too: the user's may go."""
    monkeypatch.setattr(packing, "MANY_LOOSE", 1)
    monkeypatch.setattr(packing, "MANY_PACKS", 2)
    recording.mark(snapshots.START)
    made = []
    for number in range(5):
        (recording.repo / "file.txt").write_text(f"recorded {number}\n")
        scenes.git(recording.repo, "commit", "-qam", "on")
        made.append(recording.mark(snapshots.END))
        assert packing.pack(recording.side)
        assert not recording.loose()
        assert len(packing.own_packs(recording.side)) <= 2
    scenes.git(recording.repo, "reset", "-q", "--hard", "HEAD~5")
    recording.sweep()
    for number, known in enumerate(made):
        assert recording.side.git("cat-file", "blob", f"{known.work}:file.txt") == b"recorded %d\n" % number


def test_what_is_packed_is_not_copied_again(recording, monkeypatch):
    """Where HEAD leaves a commit behind, only what we have not yet is copied."""
    monkeypatch.setattr(packing, "MANY_LOOSE", 1)
    (recording.repo / "file.txt").write_text("recorded\n")
    scenes.git(recording.repo, "commit", "-qam", "on")
    recording.mark(snapshots.START)
    scenes.git(recording.repo, "reset", "-q", "--hard", "HEAD~1")
    recording.mark(snapshots.END)
    packing.pack(recording.side)
    own_copies.rescue(recording.side, recording.chain.ref)
    assert not recording.loose()
    held = packing.Packed(recording.side)
    (one,) = packing.own_packs(recording.side)
    assert all(held.holds(name) for name in packing.list_objects(recording.side, one))
    assert not held.holds("00" * 20)
    assert not held.holds("ff" * 20)


def test_little_is_left_and_one_at_a_time(recording, monkeypatch):
    """A few loose objects are not worth it; where another is at it, nothing is done."""
    recording.mark(snapshots.START)
    assert packing.pack(recording.side) == 0
    monkeypatch.setattr(packing, "MANY_LOOSE", 1)
    held = packing.held_by_us(recording.side, 0)
    assert packing.pack(recording.side) == 0
    lock.release(held)
    (recording.repo / ".git" / "tapehead" / "lines.git" / "objects" / "ab").mkdir(exist_ok=True)
    scratch = recording.repo / ".git" / "tapehead" / "lines.git" / "objects" / "ab" / "tmp_obj_x"
    scratch.write_bytes(b"half")
    assert packing.pack(recording.side) > 0
    assert recording.loose() == ["abtmp_obj_x"]


def test_a_git_that_fails_loses_nothing(recording, monkeypatch):
    """What could not be packed stays where it is, and the worker goes on."""
    monkeypatch.setattr(packing, "MANY_LOOSE", 1)
    recording.mark(snapshots.START)
    before = recording.loose()

    def fails(*_):
        raise GitFailed("no room")

    monkeypatch.setattr(packing, "pack_objects", fails)
    worker.tidy(Engine(Layout(recording.root), lambda: 0))
    assert sorted(recording.loose()) == sorted(before)
    worker.tidy(Engine(Layout(os.path.join(recording.root, "elsewhere")), lambda: 0))


def test_the_largest_objects_are_copied_too(recording, monkeypatch):
    """A file beyond what is copied at once goes into a pack of ours: it outlives a reset and a prune."""
    monkeypatch.setattr(own_copies, "_AT_ONCE", 1000)
    recording.mark(snapshots.START)
    content = random.Random(1).randbytes(5000)
    (recording.repo / "large.bin").write_bytes(content)
    scenes.git(recording.repo, "add", "-A")
    scenes.git(recording.repo, "commit", "-qm", "large")
    known = recording.mark(snapshots.END)
    name = scenes.git(recording.repo, "rev-parse", "HEAD:large.bin")
    assert packing.Packed(recording.side).holds(name) or loose.is_here(f"{recording.side.path}/objects", name)
    scenes.git(recording.repo, "reset", "-q", "--hard", "HEAD~1")
    recording.sweep()
    assert recording.side.git("cat-file", "blob", f"{known.work}:large.bin") == content
