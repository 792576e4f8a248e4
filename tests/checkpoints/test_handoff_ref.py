"""What is handed over through a remote: written whole, listed newest first, taken once."""

from __future__ import annotations

import pytest

import scenes
from tapehead.checkpoints import handoff_ref, sync
from tapehead.checkpoints.handoff_ref import Handoff, Handoffs
from tapehead.git import stream
from tapehead.git.run import GitFailed
from tapehead.git.side import Side


@pytest.fixture
def handed(tmp_path):
    repo = scenes.repository(tmp_path / "repo")
    return Handoffs(Side(str(repo / ".git" / "tapehead" / "lines.git"), str(repo / ".git")), "origin")


def test_one_is_taken_once(handed):
    """The second one is told; it is listed no more, and still there for those who ask what was."""
    one = Handoff("a", "s", offered_at="2027-01-01", memo="x", turns=3, masked=1)
    handed.put(one, {"brief.md": b"brief\n", "sessions/s/tape.gz": b"\0"}, 0)
    assert handed.waiting() == handed.all() == [one]
    assert handed.files(one).keys() == {"baton.json", "brief.md", "sessions/s/tape.gz"}
    assert handed.take(one, "me", "2027-01-02", 0)
    tip = handed.kept.tip()
    assert not handed.take(one, "you", "2027-01-01", 0)
    assert handed.kept.tip() == tip
    assert handed.waiting() == []
    assert [(each.taken_by, each.taken_at) for each in handed.all()] == [("me", "2027-01-02")]


def test_a_newer_one_of_the_same_session_takes_the_place_of_the_older(handed):
    """Whatever their times say, whether it was taken or not; and one that was taken does not bring the older back."""
    older, newer = Handoff("b", "s", offered_at="9999-01-01"), Handoff("a", "s", offered_at="2027-01-02")
    other = Handoff("c", "t", offered_at="2026-01-03")
    for one in (older, newer, other):
        handed.put(one, {}, 0)
    assert handed.waiting() == [other, newer]
    handed.take(newer, "me", "2027", 0)
    assert handed.waiting() == [other]


def test_nothing_is_there_before_anything_was_handed_over(handed):
    """And nothing is made by asking."""
    assert handed.all() == handed.waiting() == []
    assert handed.files(Handoff("a", "s")) == {}
    assert handed.kept.tip() == ""


@pytest.mark.parametrize("content", [b"", b"[1]", b"{", b"\xff", b"[" * 100_000, b'{"memo": ["x"], "turns": "many"}'])
def test_another_machines_words_are_looked_at(content, handed):
    """What is no handoff is none, whatever its folder is called; what a field should not be, it is not."""
    names = (b"s/a", b"-x/a", b"s/-x", b"..s/a", b"s")
    handed.kept.change(lambda: [stream.given(name + b"/baton.json", content) for name in names[:4]], "x\n", 0)
    found = handed.all()
    assert [(one.place, one.turns) for one in found] == ([("s/a", 0)] if b"memo" in content else [])
    assert handed.get("s") is None


def test_of_two_marks_the_one_on_the_remote_stands(handed, tmp_path):
    """Whatever their times say: whoever was there first has gone on with the work already."""
    repo = tmp_path / "repo"
    scenes.git(tmp_path, "clone", "-q", "--bare", "repo", "remote.git")
    scenes.git(repo, "remote", "add", "origin", str(tmp_path / "remote.git"))
    scenes.git(tmp_path, "clone", "-q", "remote.git", "other")
    other = Handoffs(Side(str(tmp_path / "other.side"), str(tmp_path / "other" / ".git")), "origin")
    one = Handoff("a", "s", offered_at="2027-01-01")
    handed.put(one, {"brief.md": b"x\n"}, 0)
    for each in (handed, other):
        sync.sync(each.kept, "origin", 0)
    assert other.waiting() == [one]
    handed.take(one, "late in time", "2027-01-09", 0)
    other.take(one, "early in time", "2027-01-02", 0)
    for each in (handed, other, handed):
        sync.sync(each.kept, "origin", 0)
    assert [each.get("s/a").taken_by for each in (handed, other)] == ["late in time"] * 2
    assert handed.kept.tip() == other.kept.tip()


def test_more_than_anybody_would_send(handed, monkeypatch):
    """In number or in size, it is not read."""
    one = Handoff("a", "s")
    handed.put(one, {"brief.md": b"x" * 2000}, 0)
    assert len(handed.files(one)) == 2
    monkeypatch.setattr(handoff_ref, "_BYTES", 1000)
    with pytest.raises(GitFailed, match="2 files"):
        handed.files(one)
    monkeypatch.setattr(handoff_ref, "_BYTES", 1 << 20)
    monkeypatch.setattr(handoff_ref, "_FILES", 1)
    with pytest.raises(GitFailed, match="2 files"):
        handed.files(one)
