"""Shared memories through real git: clones, a bare remote, and one that writes what it likes into the ref."""

from __future__ import annotations

import random

import pytest

import scenes
from tapehead.checkpoints import growth, sync
from tapehead.checkpoints.shared_ref import REF, Shared, made
from tapehead.git import stream
from tapehead.git.side import Side


@pytest.fixture
def clones(tmp_path):
    scenes.repository(tmp_path / "first")
    scenes.git(tmp_path, "clone", "-q", "--bare", "first", "remote.git")
    for name in ("ann", "bob", "eve"):
        scenes.git(tmp_path, "clone", "-q", "remote.git", name)
    return [shared(tmp_path / name) for name in ("ann", "bob", "eve")]


def shared(repo):
    return Shared(Side(str(repo / ".git" / "tapehead" / "lines.git"), str(repo / ".git")))


def synced(one):
    return sync.sync_all(one.kept.side, "origin", 0)


def put(one, words, by="ann"):
    content, secret = made("project", words, by, "2026-01-01T10:00:00")
    one.put(content, 0)
    return content, secret


def texts(one):
    return sorted(entry.text for entry in one.entries().values())


def test_clones_converge(clones):
    """Random orders of sharing and syncing; at the end all have all."""
    chance = random.Random(3)
    for number in range(12):
        put(chance.choice(clones), f"word {number}")
        if chance.random() < 0.6:
            synced(chance.choice(clones))
    for one in clones * 2:
        synced(one)
    assert [texts(one) for one in clones] == [sorted(f"word {number}" for number in range(12))] * 3


def test_who_shared_and_when_comes_along_and_can_be_taken_back(clones):
    """Taken back by its author it is gone for all who sync."""
    ann, bob, _ = clones
    content, secret = put(ann, "staging is reset every night", "Ann")
    synced(ann)
    synced(bob)
    ((name, entry),) = bob.entries().items()
    assert (entry.by, entry.at, entry.text) == ("Ann", "2026-01-01T10:00:00", "staging is reset every night")
    ann.withdraw(name, secret, 0)
    synced(ann)
    synced(bob)
    assert bob.entries() == {}
    assert content in bob.files().values()


def test_a_hostile_clone_spoils_only_its_own(clones):
    """What it deletes, changes and forges in the ref is refused, said, and gone from the remote with the next sync."""
    ann, bob, eve = clones
    content, _ = put(ann, "pay in cents", "Ann")
    synced(ann)
    synced(eve)
    (path,) = eve.files()
    rows = [
        stream.given(path.encode(), content.replace(b"cents", b"bitcoin")),
        stream.given(
            path.replace("memories", "withdrawn").encode(), b'{"secret": "00000000000000000000000000000000"}\n'
        ),
        stream.given(b"memories/x.json", b"{}"),
    ]
    eve.kept.change(lambda: rows, "mine now\n", 0)
    scenes.git(eve.kept.side.common_dir, "push", "-q", "--force", "origin", f"{REF}:{REF}")
    done = synced(ann)
    assert done.refused[path] == growth.CHANGED
    assert growth.MALFORMED in done.refused.values()
    assert texts(ann) == ["pay in cents"]
    synced(bob)
    assert texts(bob) == ["pay in cents"]
