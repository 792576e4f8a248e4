"""Records follow the content: forty ways in which commits come to be somewhere else, by the real git."""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

import server_merges
from server_merges import HUMAN
from tapehead.attribution import server_squashes
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.engine import git_hook
from tapehead.git.side import Side

MERGES = [
    *product(("squash", "squash_title", "rebase", "merge"), (False, True), ("author", "colleague"), (False, True))
]
OTHERS = [*product(("pick", "mail", "filter", "split"), (False,), ("author", "colleague"), (True,))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("world")


@pytest.fixture
def world(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(git_hook, "_work", lambda *_: None)
    monkeypatch.setattr("tapehead.engine.hook._work", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    return server_merges.kept(folder, os.environ["HOME"])


SHORT = {*MERGES[::3], OTHERS[0], OTHERS[3], OTHERS[4], OTHERS[7]}
"""Every value of each, and every way; all of them together are for `make torture`."""


@pytest.mark.parametrize(
    ("how", "moved", "viewer", "synced"),
    [pytest.param(*one, marks=() if one in SHORT else pytest.mark.slow) for one in (*MERGES, *OTHERS)],
)
def test_lines_are_whose_they_were(world, monkeypatch, how, moved, viewer, synced):
    """By the same files, the same change, the message or the lines themselves. Who has not synced is told that it is not known."""
    if synced:
        monkeypatch.chdir(world.author)
        assert world.repository(world.author).run("sync", "origin").exit_code == 0
    world.merge(how, moved=moved)
    at = getattr(world, f"as_{viewer}")(monkeypatch)
    if synced and viewer == "colleague":
        assert at.run("sync").exit_code == 0
    is_known = synced or viewer == "author"
    told = {}
    for name in world.files(at):
        for line in at.json("blame", name)["lines"]:
            true = world.typed[line["text"].strip()]
            told[line["text"].strip()] = line["session"] if line["who"] != "not known" else "?"
            assert told[line["text"].strip()] == (true if is_known else "?"), (name, line)
            assert not line["session"] or line["checkpoints"], line
    agents = sum(owner != HUMAN for owner in told.values())
    assert agents > 10
    check_explain(world, at, told, is_known=is_known)


def check_explain(world, at, told, *, is_known):
    """Of each commit that is new on main explain counts as many lines of each kind as blame shows; and says where it derived them."""
    counts = {"agent": 0, "human": 0, "not_known": 0}
    for commit in world.git(at.root, "rev-list", "--no-merges", "HEAD").split():
        found = at.json("explain", commit)
        brought = [
            row[1:].strip()
            for row in world.git(at.root, "show", "--format=", "-U0", commit).splitlines()
            if row[:1] == "+" and row[:3] != "+++"
        ]
        agents = [text for text in brought if world.typed[text]]
        if is_known:
            assert found["lines"]["agent"] == len(agents), (commit, found)
            assert found["lines"]["human"] == len(brought) - len(agents)
            assert bool(found["parts"]) == bool(agents)
        counts["agent"] += found["lines"]["agent"]
    assert bool(counts["agent"]) == is_known


def work(at):
    """Another agent writes in this clone."""
    at.hook("SessionStart", "two", source="startup")
    at.hook("UserPromptSubmit", "two", prompt="write")
    at.engine.settle("two")
    (Path(at.root) / "two.py").write_text("another = 'agent'\n")
    at.hook("Stop", "two", last_assistant_message="done")
    at.engine.settle("two")
    server_merges.World.git(at.root, "add", "-A")
    server_merges.World.git(at.root, "commit", "-qm", "by another")
    git_hook.run(["post-commit"], os.environ)
    at.engine.settle("two")


def test_a_squash_that_nobody_synced_is_not_known(world, monkeypatch):
    """In a clone that has checkpoints of its own, too: blame and explain say so. What the author has on record is known there."""
    other = world.as_colleague(monkeypatch)
    work(other)
    world.merge("squash_title", moved=False)
    world.git(other.root, "pull", "-q", "--no-rebase", "--no-edit")
    squash = world.git(other.root, "rev-parse", "origin/main")
    assert {line["who"] for line in other.json("blame", "c.py")["lines"]} == {"not known"}
    assert {line["session"] for line in other.json("blame", "two.py")["lines"]} == {"two"}
    told = other.json("explain", squash)["lines"]
    assert (told["agent"], told["human"]) == (0, 0)
    assert told["not_known"] > 0
    author = world.as_author(monkeypatch)
    assert {line["session"] for line in author.json("blame", "c.py")["lines"]} == {"one"}


@pytest.mark.parametrize("how", ["squash_by_gitlab", "squash_bare"])
def test_a_squash_with_a_title_alone_and_no_number(world, monkeypatch, how):
    """As GitLab makes it: with a merge that names the request, or without one and by another than its author. In a clone with records of its own."""
    other = world.as_colleague(monkeypatch)
    work(other)
    world.merge(how, moved=False)
    world.git(other.root, "pull", "-q", "--no-rebase", "--no-edit")
    assert {line["who"] for line in other.json("blame", "c.py")["lines"]} == {"not known"}
    assert {line["session"] for line in other.json("blame", "two.py")["lines"]} == {"two"}
    author = world.as_author(monkeypatch)
    assert {line["session"] for line in author.json("blame", "c.py")["lines"]} == {"one"}


ONE, OTHER, SERVER = "one@here", "other@here", "noreply@github.com"


@pytest.mark.parametrize(
    ("message", "author", "committer", "is_a_servers"),
    [
        ("Feature (#12)\n", ONE, ONE, True),
        ("Feature (!12)", ONE, ONE, True),
        ("Feature\n\nSee merge request team/app!34\n", ONE, ONE, True),
        ("Feature\n", ONE, ONE, False),
        ("Feature\n", ONE, OTHER, True),
        ("Feature\n", ONE, SERVER, True),
        ("Feature\n", SERVER, SERVER, False),
        ("Feature\n\nin the user's own words\n", ONE, SERVER, True),
        ("Feature\n\nin the user's own words\n", ONE, OTHER, False),
        ("Fix (#12) by hand\n", ONE, ONE, False),
    ],
)
def test_how_a_servers_squash_is_known(tmp_path, message, author, committer, is_a_servers):
    """By what servers write, by who committed it; outside of git nothing was committed here."""
    patch = SimpleNamespace(message=message, commit="c", files={}, author=author, committer=committer, at=1000)
    assert server_squashes.is_unseen(str(tmp_path), patch) is is_a_servers


def records(at):
    """All records of a clone, by commit."""
    return {one.commit: one for one in Checkpoints(Side(at.layout.lines, os.path.join(at.root, ".git"))).every_record()}


def test_the_authors_sync_writes_down_what_follows(world, monkeypatch):
    """So that it outlives the branch: said to be derived, and no original changes. A colleague who worked it out as well is refused nothing."""
    author = world.repository(world.author)
    monkeypatch.chdir(world.author)
    assert author.run("sync", "origin").exit_code == 0
    before = records(author)
    world.merge("squash_title", moved=True)
    colleague = world.as_colleague(monkeypatch)
    assert colleague.json("sync")["received"] == 2
    author = world.as_author(monkeypatch)
    assert author.json("sync")["refused"] == {}
    after = records(author)
    head = world.git(author.root, "rev-parse", "HEAD")
    assert {name: one for name, one in after.items() if name in before} == before
    assert after.keys() - before.keys() == {head}
    assert after[head].derived == "content"
    monkeypatch.chdir(colleague.root)
    assert colleague.json("sync")["refused"] == {}
    assert records(colleague) == after
    assert colleague.json("explain")["derived"] == "content"
    name, number = next(
        (name, line["number"])
        for name in ("c.py",)
        for line in colleague.json("blame", name)["lines"]
        if line["session"]
    )
    assert colleague.json("explain", f"{name}:{number}")["line"]["asked"] == {"turn": 2, "prompt": "write it"}
    assert "derived from recorded commits, by the same lines" in colleague.run("explain").stdout


def test_a_pick_changes_nothing_of_its_original(world, monkeypatch):
    """In the author's own clone, with hooks: the pick has a checkpoint of its own, and the original keeps what it had."""
    author = world.repository(world.author)
    monkeypatch.chdir(world.author)
    original = world.git(author.root, "rev-parse", "feature")
    before = author.json("explain", original)
    world.git(author.root, "checkout", "-q", "-b", "release", "main")
    world.git(author.root, "cherry-pick", "feature~2", "feature")
    git_hook.run(["post-commit"], os.environ)
    author.engine.settle("one")
    assert author.json("explain", original) == before
    found = author.json("explain")
    assert found["lines"]["agent"] == before["lines"]["agent"] == 8
    assert found["parts"][0]["session"] == "one"
