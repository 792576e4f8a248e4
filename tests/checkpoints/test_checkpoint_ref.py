"""The ref that holds the checkpoints: written by many at once, killed at any point, united from two sides."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import checkpoint_writer
import scenes
from checkpoint_writer import a_name, an_id, put, store
from tapehead.checkpoints import checkpoint as values
from tapehead.checkpoints import checkpoint_ref as ref
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.checkpoints.union import unite
from tapehead.git.run import GitFailed


@pytest.fixture
def repo(tmp_path):
    return scenes.repository(tmp_path / "repo")


def test_what_was_put_is_found(repo):
    """By its id, by its commit, by its tree and by its patch id; all of them are listed; nothing else is found."""
    at = store(repo)
    assert (at.tip(), at.ids(), at.get(an_id(1)), at.record(a_name(1))) == ("", [], None, None)
    assert at.records([a_name(1)]) == {}
    ones = [put(at, number, prompts=("do é",), tokens={"input": 3}) for number in range(5)]
    assert [at.get(one.id) for one in ones] == ones
    assert at.ids() == sorted(one.id for one in ones)
    assert at.file(ones[3].id, "brief.md") == b"# brief 3\n"
    assert at.record(a_name(2)).files == {b"f": ((1, 2, "s"),)}
    assert at.records([a_name(2), a_name(77), a_name(4), "no name"]).keys() == {a_name(2), a_name(4)}
    assert at.commit_by("tree", a_name(1001)) == a_name(1)
    assert at.commit_by("patch", a_name(2004)) == a_name(4)
    assert at.commit_by("patch", "../x") == at.commit_by("tree", a_name(5)) == ""
    assert at.get("../../etc") is None


def test_nothing_else_of_the_users_moves(repo):
    """No branch, no tag, no index, no work tree; and the objects are sound."""
    before = (scenes.git(repo, "for-each-ref", "refs/heads", "refs/tags"), (repo / ".git" / "index").read_bytes())
    put(store(repo), 1)
    assert before == (
        scenes.git(repo, "for-each-ref", "refs/heads", "refs/tags"),
        (repo / ".git" / "index").read_bytes(),
    )
    assert scenes.git(repo, "status", "--porcelain") == ""
    assert scenes.git(repo, "branch", "--list", "-a").split() == ["*", "main"]
    assert not scenes.git(repo, "fsck", "--full", "--strict", "--no-dangling")


def test_a_second_part_joins_the_record(repo):
    """Two sessions with a part in one commit: the record names both."""
    at = store(repo)
    for session, number in (("s", 1), ("t", 2)):
        one = Checkpoint(id=an_id(number), session=session)
        at.put(one, {}, Record(a_name(9), checkpoints=(one.id,), files={session.encode(): ((1, 1, session),)}), 0)
    found = at.record(a_name(9))
    assert found.checkpoints == tuple(sorted((an_id(1), an_id(2))))
    assert found.files.keys() == {b"s", b"t"}


@given(st.dictionaries(st.text(min_size=1), st.integers() | st.text() | st.lists(st.text()), max_size=4), st.text())
def test_unknown_fields_survive_and_wrong_ones_are_left_out(unknown, text):
    """What a newer version wrote comes out as it went in; a field of the wrong kind counts as not there."""
    one = Checkpoint(id=an_id(3), session=text, prompts=(text,), compactions=2)
    document = {**unknown, **json.loads(values.written(one))}
    read = values.read(json.dumps(document).encode())
    assert json.loads(values.written(read)) == document
    wrong = {**document, "compactions": "two", "prompts": 3, "per_file": [], "session": None}
    assert values.read(json.dumps(wrong).encode()) == attrs.evolve(read, compactions=0, prompts=(), session="")


@given(
    st.binary()
    | st.from_type(type(None) | bool | int | str | list[int] | dict[str, int]).map(lambda v: json.dumps(v).encode())
)
def test_what_is_no_checkpoint_is_none(raw):
    """Whatever came over the network."""
    assert values.read(raw) is None
    assert values.read_record(raw) is None


def writer(repo, numbers, killed_at=0):
    words = [sys.executable, checkpoint_writer.__file__, str(repo), str(killed_at), *map(str, numbers)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("many", [12, pytest.param(50, marks=pytest.mark.slow)])
def test_many_at_once_from_four_worktrees(repo, tmp_path, monkeypatch, many):
    """Four processes, each in a worktree of its own: no checkpoint is lost, also where our own lock does not help."""
    places = [repo]
    for number in range(3):
        scenes.git(repo, "worktree", "add", "-q", str(tmp_path / f"w{number}"))
        places.append(tmp_path / f"w{number}")
    running = [writer(place, range(number, many, 4)) for number, place in enumerate(places)]
    assert [one.communicate()[1] for one in running] == [""] * 4
    assert store(repo).ids() == sorted(map(an_id, range(many)))
    assert not scenes.git(repo, "fsck", "--full", "--strict", "--no-dangling")


def test_one_who_was_slower_puts_his_on_top(repo, monkeypatch):
    """Between the look at the ref and its move another one came: both are there."""
    at, other = store(repo), store(repo)
    put(at, 0)
    monkeypatch.setattr(ref.lock, "take", lambda *_: None)  # a file system without locks
    moved = ref.Checkpoints.moved
    meddled = []

    def meddle(self, old, new):
        if self is at and not meddled:
            meddled.append(put(other, 1))
        return moved(self, old, new)

    monkeypatch.setattr(ref.Checkpoints, "moved", meddle)
    put(at, 2)
    assert at.ids() == sorted(map(an_id, range(3)))


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=() if n in {1, 4, 7, 10} else pytest.mark.slow) for n in range(1, 12)]
)
def test_killed_at_any_point(repo, number):
    """A writer that is killed when it has just started its nth git leaves the ref sound, and the next one is not held up."""
    put(store(repo), 0)
    one = writer(repo, range(1, 9), killed_at=number)
    one.communicate()
    assert one.returncode == -signal.SIGKILL
    assert not scenes.git(repo, "fsck", "--full", "--strict", "--no-dangling")
    put(store(repo), 500)
    assert {an_id(0), an_id(500)} <= {*store(repo).ids()}
    assert not scenes.git(repo, "fsck", "--full", "--strict", "--no-dangling")


def test_a_lock_that_a_killed_git_left_is_removed(repo, monkeypatch):
    """Not while it is young; and where the ref cannot be moved at all, that is said."""
    monkeypatch.setattr(ref, "_PAUSE", 0.0)
    monkeypatch.setattr(ref, "_TRIES", 2)
    monkeypatch.setattr(ref, "STALE", 1000.0)
    at = store(repo)
    put(at, 1)
    held = repo / ".git" / "refs" / "tapehead" / "checkpoints.lock"
    held.touch()
    with pytest.raises(GitFailed, match="could not be moved"):
        put(at, 2)
    os.utime(held, (1, 1))
    put(at, 2)
    assert len(at.ids()) == 2


def test_two_sides_are_united(tmp_path):
    """Each ends with the checkpoints of both. Of one that both have differently each keeps its own, and says so once."""
    sides = []
    for name in ("left", "right"):
        repo = scenes.repository(tmp_path / name)
        at = store(repo)
        put(at, 0)
        for number in range(1, 3):
            put(at, number + 10 * len(sides))
        at.keep([Checkpoint(id=an_id(0), session=name, updated_at=f"202{len(sides)}")], [], "again\n", 0)
        sides.append((repo, at, name))
    for (repo, at, name), (other, _, _) in (sides, sides[::-1]):
        scenes.git(repo, "fetch", "-q", str(other), f"{ref.REF}:refs/theirs")
        united = unite(at, scenes.git(repo, "rev-parse", "refs/theirs"), 0)
        assert united.refused == {"00/0000000000": "changed"}
        assert unite(at, scenes.git(repo, "rev-parse", "refs/theirs"), 0).tip == united.tip
        assert at.ids() == sorted(map(an_id, (0, 1, 2, 11, 12)))
        assert at.get(an_id(0)).session == name


def test_the_first_sync_takes_all(tmp_path):
    """A side that has none yet ends with the other's."""
    full, empty = scenes.repository(tmp_path / "full"), scenes.repository(tmp_path / "empty")
    put(store(full), 1)
    scenes.git(empty, "fetch", "-q", str(full), f"{ref.REF}:refs/theirs")
    assert unite(store(empty), "", 0).tip == ""
    unite(store(empty), scenes.git(empty, "rev-parse", "refs/theirs"), 0)
    assert store(empty).ids() == [an_id(1)]
