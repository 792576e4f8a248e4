"""Which repository a directory is in: over generated layouts, we work where git works and refuse where git refuses."""

from __future__ import annotations

import itertools
import os
import subprocess

import pytest

from scenes import git, repository
from tapehead.git import layout

SOMEONE = 4321
"""A user who is not us."""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def by_git(directory, **env):
    """The common dir that the real git names; None where it refuses."""
    done = subprocess.run(
        ["git", "rev-parse", "--git-common-dir"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **env},
    )
    return os.path.realpath(os.path.join(directory, done.stdout.strip())) if done.returncode == 0 else None


def by_us(directory, **env):
    found = layout.find(str(directory), {**os.environ, **env})
    return found.common_dir if found else None


HEADS = {
    "a branch": b"ref: refs/heads/main\n",
    "a branch, spaced": b"ref:\t  refs/heads/x",
    "a hash": b"a" * 40 + b"\n",
    "a hash in capitals": b"A" * 40,
    "half a hash": b"a" * 39,
    "another ref": b"ref: HEAD\n",
    "out of the repository": b"ref: ../../etc/passwd",
    "nothing": b"",
    "garbage": b"\xff\x00\xfe",
}
PARTS = (("objects/", "refs/"), ("objects/",), ("refs/",), ("objects", "refs/"), ())
COMMON = (None, "", ".", "../other.git", "../nowhere", "ABSOLUTE\n")
PLACES = ("bare", ".git", "named by a file", "linked")


def build(base, head, parts, common, place):
    """A directory to stand in, with a git dir of these parts in one of the places where git looks."""
    git(base, "init", "-q", "--bare", "other.git")
    here = base / "here"
    here.mkdir()
    git_dir = {"bare": here, ".git": here / ".git"}.get(place, base / "made.git")
    git_dir.mkdir(exist_ok=True)
    (git_dir / "HEAD").write_bytes(head)
    for part in parts:
        (git_dir / part).mkdir() if part.endswith("/") else (git_dir / part).write_text("")
    if common is not None:
        (git_dir / "commondir").write_text(common.replace("ABSOLUTE", str(base / "other.git")))
    if place == "named by a file":
        (here / ".git").write_text("gitdir: ../made.git\n")
    if place == "linked":
        (here / ".git").symlink_to(git_dir)
    return here


@pytest.mark.parametrize("place", PLACES)
def test_git_dirs_of_every_make(tmp_path, place):
    """Every HEAD, with every set of parts and every commondir, in every place: found or refused as git does."""
    different = []
    for number, (head, parts, common) in enumerate(itertools.product(HEADS, PARTS, COMMON)):
        if head not in ("a branch", "garbage") and (parts != PARTS[0] or common not in (None, "../other.git")):
            continue  # what is wrong with a HEAD does not depend on what else is there
        base = tmp_path / str(number)
        base.mkdir()
        here = build(base, HEADS[head], parts, common, place)
        if by_us(here) != by_git(here):
            different.append((head, parts, common, by_us(here), by_git(here)))
    assert different == []


GIT_FILES = (
    *(
        b"gitdir: ../real/.git",
        b"gitdir: ../real/.git\r\n\n",
        b"gitdir:../real/.git",
        b"gitdir:  ../real/.git",
        b"gitdir: ",
    ),
    *(
        b"",
        b"nonsense",
        b"gitdir: /",
        b"gitdir: ../nowhere",
        b"gitdir: ../real",
        b"gitdir: ../real/.git\0",
        b"x" * (1 << 21),
    ),
)


@pytest.mark.parametrize("text", GIT_FILES, ids=range(len(GIT_FILES)))
def test_git_files_of_every_kind(tmp_path, text):
    """A `.git` file leads where git follows it; one that leads nowhere ends the search, with a repository above it too."""
    outer = repository(tmp_path / "outer")
    repository(outer / "real")
    (outer / "in" / "deep").mkdir(parents=True)
    (outer / "in" / ".git").write_bytes(text)
    for here in (outer / "in", outer / "in" / "deep"):
        assert by_us(here) == by_git(here)


def test_what_is_neither_file_nor_directory(tmp_path):
    """A pipe, a dangling link, an empty directory by the name of `.git` are passed over, as git does."""
    outer = repository(tmp_path / "outer")
    for name in ("pipe", "dangling", "empty"):
        (outer / name).mkdir()
    os.mkfifo(outer / "pipe" / ".git")
    (outer / "dangling" / ".git").symlink_to("nowhere")
    (outer / "empty" / ".git").mkdir()
    for name in ("pipe", "dangling", "empty"):
        assert by_us(outer / name) == by_git(outer / name) == str(outer / ".git")


def test_a_directory_reached_by_a_link(tmp_path):
    """A link into a work tree is in that work tree, whatever stands around the link."""
    repo, other = repository(tmp_path / "repo"), repository(tmp_path / "other")
    (repo / "sub").mkdir()
    (other / "link").symlink_to(repo / "sub")
    assert by_us(other / "link") == by_git(other / "link") == str(repo / ".git")


@pytest.mark.parametrize(
    "tops",
    ["{}", "{}/", "{}/repo", "{}/repo/a", "{}/repo/a/b", "/", "relative:{}/repo", ":{}/repo", "{}/alias", ":{}/alias"],
)
def test_ceilings(tmp_path, tops):
    """GIT_CEILING_DIRECTORIES ends our search where it ends git's."""
    repo = repository(tmp_path / "repo")
    (repo / "a" / "b").mkdir(parents=True)
    (tmp_path / "alias").symlink_to(repo)
    named = {"GIT_CEILING_DIRECTORIES": tops.replace("{}", str(tmp_path))}
    for here in (repo, repo / "a", repo / "a" / "b"):
        assert by_us(here, **named) == by_git(here, **named)


def planted(work):
    """A folder that looks like a bare repository, as a commit can bring it."""
    folder = work / "docs" / "example"
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
        (folder / name / "keep").write_text("")
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text("[core]\n\tbare = false\n\tfsmonitor = false\n")
    return folder


def test_a_committed_folder_is_no_repository(tmp_path):
    """What looks like a bare repository inside a work tree is refused: stricter than git, which has a setting for it."""
    repo = repository(tmp_path / "repo")
    folder = planted(repo)
    explicit = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.bareRepository", "GIT_CONFIG_VALUE_0": "explicit"}
    assert by_git(folder) == str(folder)
    assert by_git(folder, **explicit) is None
    for here in (folder, folder / "objects"):
        assert by_us(here) is by_us(here, **explicit) is None
        with pytest.raises(layout.Refused, match="inside the work tree"):
            layout.look(str(here))
    (folder / "commondir").write_text(str(repository(tmp_path / "victim") / ".git"))
    assert by_us(folder) is None


def test_bare_repositories_of_ones_own(tmp_path):
    """One that stands alone is used unless the user's own settings say no; `.git` itself and a `.bare` beside it are no strangers."""
    git(tmp_path, "init", "-q", "--bare", "alone.git")
    (tmp_path / "gitconfig").write_text("[include]\n\tpath = more\n")
    (tmp_path / "more").write_text('[safe] bareRepository = "explicit" ; no\n')
    named = {"GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig"), "GIT_CONFIG_COUNT": "0"}
    assert by_us(tmp_path / "alone.git") == by_git(tmp_path / "alone.git") == str(tmp_path / "alone.git")
    assert by_us(tmp_path / "alone.git", **named) == by_git(tmp_path / "alone.git", **named) is None
    repo = repository(tmp_path / "repo")
    assert by_us(repo / ".git" / "refs") == by_git(repo / ".git" / "refs")
    (tmp_path / "project").mkdir()
    git(tmp_path / "project", "init", "-q", "--bare", ".bare")
    (tmp_path / "project" / ".git").write_text("gitdir: ./.bare\n")
    assert by_us(tmp_path / "project" / ".bare") == str(tmp_path / "project" / ".bare")


OWNED = ("worktree", "git dir", "git file", "bare")
SAFE = (None, "*", "WORKTREE", "WORKTREE/", "ABOVE/*", "GITDIR", "~/repo", "", "*|", "|*", "elsewhere")


@as_root
@pytest.mark.parametrize("sudo", ["", "4321", "99", "root", "-1"])
@pytest.mark.parametrize("whose", OWNED)
def test_what_belongs_to_another_user(tmp_path, whose, sudo):
    """Root obeys no repository of another user unless it came from there by sudo, or safe.directory names it: as git does."""
    here = tmp_path / "repo"
    if whose == "bare":
        git(tmp_path, "init", "-q", "--bare", "repo")
    else:
        repository(here)
    if whose == "git file":
        git(here, "init", "-q", "--separate-git-dir", str(tmp_path / "store.git"))
    foreign = {"worktree": here, "git dir": here / ".git", "git file": here / ".git", "bare": here}[whose]
    os.chown(foreign, SOMEONE, SOMEONE)
    different = []
    for safe in SAFE:
        config = tmp_path / "gitconfig"
        said = [] if safe is None else safe.split("|")
        told = {"WORKTREE": str(here), "ABOVE": str(tmp_path), "GITDIR": str(here / ".git")}
        for name, value in told.items():
            said = [each.replace(name, value) for each in said]
        config.write_text("".join(f"[safe]\n\tdirectory = {each}\n" for each in said))
        env = {"GIT_CONFIG_GLOBAL": str(config), "HOME": str(tmp_path), "GIT_CONFIG_COUNT": "0", "SUDO_UID": sudo}
        if safe in ("ABOVE/*", "WORKTREE/"):
            continue  # git learnt these in later versions
        if by_us(here, **env) != by_git(here, **env):
            different.append((safe, by_us(here, **env), by_git(here, **env)))
    assert different == []


@as_root
def test_a_repository_cannot_call_itself_safe(tmp_path):
    """safe.directory in the repository's own config says nothing."""
    repo = repository(tmp_path / "repo")
    git(repo, "config", "safe.directory", "*")
    os.chown(repo, SOMEONE, SOMEONE)
    assert by_us(repo) is by_git(repo) is None
    with pytest.raises(layout.Refused, match="belongs to another user"):
        layout.look(str(repo))
