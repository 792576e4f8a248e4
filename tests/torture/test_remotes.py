"""A remote that deletes, rewrites and lies: ours stays whole, git stays whole, and the user is told."""

from __future__ import annotations

import json
import os
import random
import subprocess
from functools import partial

import attrs
import pytest
from click.testing import CliRunner

import scenes
from tapehead.checkpoints import checkpoint as values
from tapehead.checkpoints import sync as syncing
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.checkpoints.checkpoint_ref import REF, Checkpoints
from tapehead.checkpoints.tree_listing import whole
from tapehead.cli.app import app
from tapehead.git.run import git
from tapehead.git.side import Side

WHO = {f"GIT_{role}_{what}": "x@y" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


class Lying:
    """Two clones of one remote, and whoever has the remote in hand."""

    def __init__(self, base):
        scenes.repository(base / "first")
        scenes.git(base, "clone", "-q", "--bare", "first", "remote.git")
        self.remote = base / "remote.git"
        self.mine, self.other = (self._clone(base, name) for name in ("mine", "other"))
        sessions = self.mine / ".git" / "tapehead" / "sessions"
        sessions.mkdir(parents=True)
        (sessions / "own.tape").write_text("")
        self.put(self.other, *(Checkpoint(id=f"{n:012x}", commit=f"{n:040x}", session="theirs") for n in (1, 2)))
        self.sync(self.other)
        self.put(self.mine, *(Checkpoint(id=f"{n:012x}", commit=f"{n:040x}", session="own") for n in (11, 12, 13)))
        self.sync(self.mine)

    def _clone(self, base, name):
        scenes.git(base, "clone", "-q", "remote.git", name)
        return base / name

    def kept(self, repo):
        return Checkpoints(Side(str(repo / ".git" / "tapehead" / "lines.git"), str(repo / ".git")))

    def put(self, repo, *checkpoints):
        for one in checkpoints:
            record = Record(one.commit, f"{int(one.id, 16) + 500:040x}", checkpoints=(one.id,))
            self.kept(repo).put(one, {"brief.md": one.id.encode()}, record, 0)

    def sync(self, repo):
        return syncing.sync(self.kept(repo), "origin", 0)

    def files(self, repo):
        kept = self.kept(repo)
        return whole(partial(git, kept.side.common_dir, timeout=30), kept.tip())

    def git(self, *words, stdin=b""):
        done = subprocess.run(
            ["git", *words], cwd=self.remote, input=stdin, capture_output=True, check=True, env={**os.environ, **WHO}
        )
        return done.stdout.decode().strip()

    def lie(self, changes, *, parent=True, ref=REF):
        """Moves the remote's ref to a commit with another tree: `changes` is a list of lines for `update-index`."""
        env = {**os.environ, **WHO, "GIT_INDEX_FILE": str(self.remote / "index.lie")}

        def run(*words, stdin=b""):
            done = subprocess.run(
                ["git", *words], cwd=self.remote, input=stdin, capture_output=True, check=True, env=env
            )
            return done.stdout.decode().strip()

        run("read-tree", ref if changes is not None else "--empty")
        rows = "".join(
            f"{mode} {self.blob(content) if mode != '0' else '0' * 40}\t{path}\n"
            for mode, path, content in changes or ()
        )
        run("update-index", "--index-info", stdin=rows.encode())
        above = ["-p", ref] if parent else []
        commit = run("commit-tree", run("write-tree"), *above, "-m", "lie")
        self.git("update-ref", REF, commit)
        return commit

    def blob(self, content):
        return self.git("hash-object", "-w", "--stdin", stdin=content)

    def whole(self, repo):
        assert not scenes.git(repo, "fsck", "--full", "--strict", "--no-dangling")


@pytest.fixture
def lying(tmp_path):
    return Lying(tmp_path)


def test_a_remote_that_deletes_everything(lying, monkeypatch):
    """Nothing is gone here, the user is told, what the remote has is kept to look at, and it gets all back."""
    before = lying.files(lying.mine)
    lie = lying.lie(None)
    monkeypatch.chdir(lying.mine)
    done = CliRunner().invoke(app, ["sync"])
    assert "deleted there" in done.output
    assert "refs/tapehead/refused/origin/checkpoints/" in done.output
    assert lying.files(lying.mine) == before
    assert scenes.git(lying.mine, "rev-parse", f"refs/tapehead/refused/origin/checkpoints/{lie[:12]}") == lie
    assert "refused" not in CliRunner().invoke(app, ["sync"]).output
    found = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)
    assert any(one["check"] == "refused" for one in found["findings"])
    assert lying.sync(lying.other).refused == {}
    assert lying.files(lying.other) == before
    lying.whole(lying.mine)


@pytest.mark.parametrize("parent", [True, False])
def test_a_remote_that_rewrites_ours(lying, parent):
    """With our history below it, or without: ours stays as it is, and what is new beside it comes all the same."""
    one = lying.kept(lying.mine).get(f"{11:012x}")
    evil = attrs.evolve(one, prompts=("evil",), updated_at="9999", created_at="9999")
    new = Checkpoint(id=f"{3:012x}", commit=f"{3:040x}", session="theirs")
    lie = [("100644", f"00/{11:010x}/checkpoint.json", values.written(evil))]
    lying.lie([*lie, ("100644", f"00/{3:010x}/checkpoint.json", values.written(new))], parent=parent)
    done = lying.sync(lying.mine)
    assert done.refused == {f"00/{11:010x}": "changed"}
    assert done.received == 1
    assert lying.kept(lying.mine).get(one.id) == one
    assert lying.sync(lying.mine).refused == {}
    lying.whole(lying.mine)


def test_a_remote_that_lost_its_ref(lying):
    """It is told, and gets all again."""
    lying.git("update-ref", "-d", REF)
    done = lying.sync(lying.mine)
    assert (done.lost, done.sent) == (5, 5)


def test_a_remote_that_went_back(lying):
    """An old backup: behind is no lie, but it is told."""
    lying.git("update-ref", REF, f"{REF}~1")
    done = lying.sync(lying.mine)
    assert (done.refused, done.lost) == ({}, 2)
    assert lying.kept(lying.mine).tip() == lying.git("rev-parse", REF)


@pytest.mark.parametrize("kind", ["blob", "tree", "tag"])
def test_a_ref_that_names_no_commit(lying, kind):
    """It is said, and nothing moves."""
    before = lying.kept(lying.mine).tip()
    tree = lying.git("rev-parse", f"{REF}^{{tree}}")
    name = {"blob": lying.blob(b"x"), "tree": tree}.get(kind)
    if kind == "tag":
        lying.git("tag", "-a", "-m", "x", "odd", tree)
        name = lying.git("rev-parse", "odd")
    lying.git("update-ref", "--no-deref", REF, name)
    with pytest.raises(syncing.Unreachable):
        lying.sync(lying.mine)
    assert lying.kept(lying.mine).tip() == before
    lying.whole(lying.mine)


def test_refs_that_only_look_like_it(lying):
    """A branch whose name ends like our ref, and a ref that leads to a branch: what counts is the very ref, and no branch moves."""
    lying.git("update-ref", f"refs/heads/{REF}", "HEAD")
    scenes.git(lying.mine, "config", "remote.origin.fetch", "+refs/*:refs/*")
    before = scenes.git(lying.mine, "for-each-ref", "refs/heads"), lying.kept(lying.mine).tip()
    lying.lie(None)
    with pytest.raises(syncing.Unreachable, match="more than one"):  # git itself does not push there
        lying.sync(lying.mine)
    assert scenes.git(lying.mine, "for-each-ref", "refs/heads") == before[0]
    assert len(lying.kept(lying.mine).ids()) == 5
    lying.git("update-ref", "-d", f"refs/heads/{REF}")
    lying.git("symbolic-ref", REF, "refs/heads/main")
    main = lying.git("rev-parse", "main")
    assert lying.sync(lying.mine).received == 0
    assert lying.git("rev-parse", "main") == main
    assert len(lying.kept(lying.mine).ids()) == 5


def lies(chance, number):
    """One of many, by chance."""
    ours = [11, 12, 13]
    theirs = [1, 2]
    which = chance.choice(ours + theirs)
    folder = f"00/{which:010x}"
    new = Checkpoint(
        id=f"{1000 + number:012x}", commit=f"{1000 + number:040x}", session=chance.choice(["own", "theirs", "../x", ""])
    )
    put = f"00/{1000 + number:010x}"
    mode = chance.choice(["100644", "100644", "100755", "120000"])
    return chance.choice(
        [
            ("0", f"{folder}/checkpoint.json", b""),
            ("0", f"{folder}/brief.md", b""),
            (mode, f"{folder}/brief.md", os.urandom(9)),
            (mode, f"{folder}/checkpoint.json", values.written(attrs.evolve(new, id=f"{which:012x}", updated_at="9999"))),
            (mode, f"{put}/checkpoint.json", values.written(new)),
            (mode, f"{put}/checkpoint.json", chance.choice([b"", b"{}", b"[" * 100_000, b"\xff", b'{"id": 3}'])),
            (mode, f"{put}/{chance.choice(['brief.md', 'x' * 200, '-x', 'a b'])}", b"x" * chance.choice([0, 9, 1_100_000])),
            (mode, f"by-commit/00/{which:038x}.json", values.written_record(Record(f"{which:040x}", checkpoints=("f" * 12,)))),
            (mode, f"by-commit/00/{1000 + number:038x}.json", b"{}"),
            ("0", f"by-commit/00/{which:038x}.json", b""),
            (mode, f"by-tree/00/{which + 500:038x}", b"f" * 40),
            (mode, f"by-tree/00/{number:038x}", chance.choice([b"f" * 40, b"../x", b""])),
            (mode, chance.choice(["x", "x/y", "by-x/y", "ab/c/d", "sessions/own.tape"]), b"x"),
        ]
    )  # fmt: skip


def lied_to(base, seed, rounds):
    base.mkdir()
    lying = Lying(base)
    chance = random.Random(seed)
    made = 20
    for number in range(rounds):
        before = lying.files(lying.mine)
        own = {path for path in before if path.startswith(tuple(f"00/{n:010x}/".encode() for n in (11, 12, 13)))}
        changes = {
            path: (mode, path, content)
            for mode, path, content in (lies(chance, number) for _ in range(chance.randint(1, 4)))
        }
        with _unless_git_says_no():
            lying.lie(list(changes.values()) if chance.random() < 0.9 else None, parent=chance.random() < 0.7)
        if chance.random() < 0.3:
            made += 1
            lying.put(lying.mine, Checkpoint(id=f"{made:012x}", commit=f"{made:040x}", session="own"))
        lying.sync(lying.mine)
        after = lying.files(lying.mine)
        assert before.keys() <= after.keys(), (seed, number)
        assert {path: after[path] for path in own} == {path: before[path] for path in own}, (seed, number)
        assert {entry.mode for entry in after.values()} == {b"100644"}
        assert lying.kept(lying.mine).get(f"{11:012x}").session == "own"
    lying.sync(lying.other)
    for repo in (lying.mine, lying.other):
        lying.whole(repo)


class _unless_git_says_no:  # noqa: N801 - it reads as a word
    """A tree that git itself does not make is no lie that can be told."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, at):
        return kind is subprocess.CalledProcessError


def test_a_few_lies(tmp_path):
    """One after the other, each beside work of ours."""
    lied_to(tmp_path / "x", 1, 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_many_lies(tmp_path, seed):
    """By chance: deleted, changed, forged, misnamed, too big, with our history or without."""
    lied_to(tmp_path / "x", seed, 40)
