"""In a repository that several users share, what we write has the modes that git would give it; what is private stays so."""

from __future__ import annotations

import os
import stat

import pytest

import scenes
from tapehead.checkpoints.checkpoint import Checkpoint, Record
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import hooks_install, shared
from tapehead.git.side import Side


def modes(folder):
    """Of every file and folder below one, without what is ours alone."""
    for directory, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "tapehead" or not directory.endswith(".git")]
        for name in (*folders, *names):
            path = os.path.join(directory, name)
            yield path, stat.S_IMODE(os.lstat(path).st_mode)


@pytest.fixture
def umask():
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize(("word", "given"), [("group", 0o060), ("all", 0o064), ("0640", 0o040)])
def test_what_comes_into_the_users_git_dir(tmp_path, word, given):
    """Objects, refs and hooks, with their folders, although the umask is strict; our own folder stays closed."""
    repo = tmp_path / "repo"
    repo.mkdir()
    scenes.git(repo, "init", "-q", f"--shared={word}")
    scenes.git(repo, "commit", "-q", "--allow-empty", "-m", "base")
    before = dict(modes(repo / ".git"))
    kept = Checkpoints(Side(str(repo / ".git" / "tapehead" / "lines.git"), str(repo / ".git")))
    one = Checkpoint(id="0123456789ab", commit="a" * 40)
    kept.put(one, {"brief.md": b"x\n"}, Record(one.commit, checkpoints=(one.id,)), 0)
    (repo / ".git" / "hooks").rename(repo / ".git" / "hooks.away")
    hooks_install.install(str(repo), "/bin/true")
    (repo / ".git" / "hooks.away").rename(repo / ".git" / "away")
    new = {path: mode for path, mode in modes(repo / ".git") if path not in before and "away" not in path}
    assert any("refs/tapehead" in path for path in new)
    assert any("objects/pack" in path for path in new)
    assert any("hooks/post-commit" in path for path in new)
    for path, mode in new.items():
        readable = given & ~0o022 if not mode & 0o200 else given
        assert mode & readable == readable, (path, oct(mode))
        if os.path.isdir(path):
            assert mode & stat.S_ISGID, path
    assert stat.S_IMODE(os.stat(repo / ".git" / "tapehead").st_mode) & 0o777 == 0o700
    assert not [path for path, mode in modes(repo / ".git" / "tapehead") if mode & 0o077]


@pytest.mark.parametrize("value", ["false", "umask", "0", "nonsense", "0600", "group", "1", "2", "world", "0664"])
def test_modes_are_those_of_git(tmp_path, value):
    """The same as of what git makes there itself."""
    repo = scenes.repository(tmp_path / "repo")
    if value == "nonsense":
        assert shared.adjust_mode(0o644, 0) == 0o644
        return
    scenes.git(repo, "config", "core.sharedRepository", value)
    scenes.git(repo, "update-ref", "refs/some/where", "HEAD")
    theirs = stat.S_IMODE(os.stat(repo / ".git" / "refs" / "some" / "where").st_mode)
    assert shared.adjust_mode(0o644, shared.permissions(str(repo))) == theirs
