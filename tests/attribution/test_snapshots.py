"""The chain of marks: one on top of the other, whoever puts them, and each once."""

from __future__ import annotations

import pytest

import scenes
from tapehead.attribution import snapshots
from tapehead.attribution.snapshots import END, LOOK, START, Chain, Known, Mark
from tapehead.git import layout
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.git.trees import Trees


class World:
    def __init__(self, repo):
        self.repo = repo
        repository = layout.find(str(repo))
        self.side = Side(str(repo / ".git" / "tapehead" / "lines.git"), repository.common_dir)
        self.trees, self.chain, self.at = Trees(repository, self.side, "main"), Chain(self.side, "main"), 0

    def mark(self, kind, session="s", line="", **fields):
        self.at += 1
        return self.chain.put(
            Mark(kind, session, self.at, line or f"line-{self.at}", self.at, **fields), self.trees.record()
        )


@pytest.fixture
def world(tmp_path):
    return World(scenes.repository(tmp_path / "repo"))


def test_who_is_at_work(world):
    """A turn is open from its start to its end; a look opens nothing."""
    assert world.chain.tip() == Known()
    assert world.mark(START).open == {"s": 1}
    assert list(world.mark(START, "t").open) == ["s", "t"]
    assert world.mark(END).open == {"t": 2}
    assert world.mark(LOOK, "").open == {"t": 2}
    assert world.mark(END, "t").open == {}


@pytest.mark.parametrize(
    ("kinds", "owner"),
    [
        ((END, START), ""),
        ((START, END), "s"),
        ((START, START), "s"),
        ((END, END), "s"),
        ((END, LOOK), ""),
        ((START, LOOK), "s"),
    ],
)
def test_whose_the_time_between_two_marks_is(world, kinds, owner):
    """The human's only from an end to a start: what cannot be told apart is the agent's."""
    world.mark(kinds[0])
    (world.repo / "new.txt").write_text("1\n2\n")
    known = world.mark(kinds[1], "" if kinds[1] == LOOK else "s")
    assert known.files.get(b"new.txt", ()) == (((1, 2, owner),) if owner else ())
    assert known.tally == {b"new.txt": (2, 0, 0, 0) if owner else (0, 0, 2, 0)}
    assert known.changed == (b"new.txt",)


def test_a_late_start_is_the_agents(world):
    """But for the first mark of all: what lay there before is not."""
    (world.repo / "old.txt").write_text("1\n")
    assert world.mark(START, late=True).files == {}
    world.mark(END)
    (world.repo / "new.txt").write_text("1\n")
    assert world.mark(START, late=True).files == {b"new.txt": ((1, 1, "s"),)}


def test_what_history_brings_is_nobodys(world):
    """A switch of branches in the middle of a turn; lines that are not committed stay whose they are."""
    scenes.git(world.repo, "checkout", "-q", "-b", "other")
    (world.repo / "theirs.txt").write_text("1\n2\n3\n")
    scenes.git(world.repo, "add", "-A")
    scenes.git(world.repo, "commit", "-qm", "theirs")
    scenes.git(world.repo, "checkout", "-q", "main")
    world.mark(START)
    (world.repo / "mine.txt").write_text("agent\n")
    scenes.git(world.repo, "checkout", "-q", "other")
    known = world.mark(END)
    assert known.files == {b"mine.txt": ((1, 1, "s"),)}
    assert known.tally == {b"mine.txt": (1, 0, 0, 0)}


def test_the_same_line_asks_once(world):
    """Also after another one's mark came on top."""
    first = world.mark(START, line="x")
    world.at -= 1
    assert world.mark(START, line="x") == first
    world.mark(START, "t")
    world.at = 0
    again = world.mark(START, line="x")
    assert again.mark == first.mark
    assert len(world.chain.newest(9)) == 2


def test_one_who_was_slower_comes_on_top(world, monkeypatch):
    """Between the look and the write another one put a mark; and a failure that is something else is raised."""
    world.mark(START)
    written = Chain._written
    meddled = []

    def meddle(self, before, after, mark):
        if not meddled:
            meddled.append(True)
            world.mark(START, "t")
        return written(self, before, after, mark)

    monkeypatch.setattr(Chain, "_written", meddle)
    assert list(world.mark(START, "u").open) == ["s", "t", "u"]
    assert len(world.chain.newest(9)) == 3

    def broken(*_):
        raise GitFailed("no")

    monkeypatch.setattr(Chain, "_written", broken)
    with pytest.raises(GitFailed, match="no"):
        world.mark(END)


def test_a_rename_takes_its_lines_along(world):
    """And its counts."""
    world.mark(START)
    (world.repo / "a.txt").write_text("1\n2\n3\n")
    world.mark(END)
    (world.repo / "a.txt").rename(world.repo / "b.txt")
    known = world.mark(START)
    assert known.files == {b"b.txt": ((1, 3, "s"),)}
    assert known.tally == {b"b.txt": (3, 0, 0, 0)}
    assert known.made["kind"] == snapshots.START
