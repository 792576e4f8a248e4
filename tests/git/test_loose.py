"""Objects written without git are the ones that git would have written."""

from __future__ import annotations

import os
import stat
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.git import loose

WHO = b"tapehead <tapehead@localhost> 1700000000 +0000"


@pytest.fixture(params=["sha1", "sha256"])
def repo(request, tmp_path):
    subprocess.run(["git", "init", "-q", "--bare", f"--object-format={request.param}", str(tmp_path)], check=True)
    return tmp_path


def git(repo, *words, stdin=b""):
    return subprocess.run(["git", "-C", str(repo), *words], input=stdin, check=True, capture_output=True).stdout


def like(repo):
    """A name of the repository's own form."""
    return git(repo, "hash-object", "--stdin").decode().strip()


def test_a_commit_of_them(repo):
    """Blob, tree and commit have the names that git gives them, hold what they were given, and git finds nothing wrong with them."""
    objects = str(repo / "objects")
    state = loose.blob(objects, like(repo), b"{}")
    empty = loose.tree(objects, state, [])
    first = loose.commit(objects, empty, [], WHO, b"first\n")
    folder = loose.tree(objects, state, [(b"100644", b"state.json", state), (b"40000", b"work", empty)])
    second = loose.commit(objects, folder, [first], WHO, b"second\n")
    assert state == git(repo, "hash-object", "--stdin", stdin=b"{}").decode().strip()
    listed = f"100644 blob {state}\tstate.json\n040000 tree {empty}\twork\n".encode()
    assert git(repo, "ls-tree", second) == listed
    assert git(repo, "mktree", "--missing", stdin=listed).decode().strip() == folder
    assert git(repo, "log", "--format=%H %P %an %ae %at %s", second).decode().splitlines() == [
        f"{second} {first} tapehead tapehead@localhost 1700000000 second",
        f"{first}  tapehead tapehead@localhost 1700000000 first",
    ]
    assert git(repo, "fsck", "--strict", "--no-dangling") == b""


@given(content=st.binary(max_size=300))
def test_any_content(tmp_path_factory, content):
    """Git reads back what was written, byte for byte, and a second time changes nothing."""
    repo = tmp_path_factory.mktemp("repo")
    git(repo, "init", "-q", "--bare")
    name = loose.blob(str(repo / "objects"), "0" * 40, content)
    assert git(repo, "cat-file", "blob", name) == content
    assert loose.blob(str(repo / "objects"), "0" * 40, content) == name


def test_nobody_else_reads_them(repo):
    """An object is its owner's alone, and nothing else lies about."""
    name = loose.blob(str(repo / "objects"), like(repo), b"private")
    folder = repo / "objects" / name[:2]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [(path.name, stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir()] == [(name[2:], 0o600)]


def test_a_full_disk(repo, monkeypatch):
    """What could not be written whole is not there at all."""

    def full(_descriptor, _data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        loose.blob(str(repo / "objects"), "0" * 40, b"lost")
    assert [path for path in (repo / "objects").rglob("*") if path.is_file()] == []


def test_what_a_kill_leaves_behind_git_knows(repo, monkeypatch):
    """Its name is the one that git gives to its own: `git gc` removes it, and `git fsck` does not take it for an object."""

    def killed(scratch, _path):
        left.append(os.path.basename(scratch))
        raise KeyboardInterrupt

    left: list[str] = []
    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        loose.blob(str(repo / "objects"), like(repo), b"half")
    assert [name.startswith("tmp_obj_") for name in left] == [True]
