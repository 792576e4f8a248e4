"""What git's own files say, compared with what the real git says of real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from scenes import git, repository
from tapehead.git import layout, run


def said_by_git(directory):
    """Common dir, git dir, toplevel, branch and commit, by git itself."""

    def ask(*words):
        done = subprocess.run(["git", *words], cwd=directory, capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    common, git_dir = ask("rev-parse", "--git-common-dir"), ask("rev-parse", "--absolute-git-dir")
    inside = ask("rev-parse", "--is-inside-work-tree") == "true"
    return (
        os.path.normpath(os.path.join(directory, common)),
        git_dir,
        ask("rev-parse", "--show-toplevel") if inside else "",
        ask("symbolic-ref", "-q", "HEAD").removeprefix("refs/heads/"),
        ask("rev-parse", "-q", "--verify", "HEAD"),
    )


def found_by_us(directory):
    found = layout.find(str(directory))
    return found.common_dir, found.git_dir, found.worktree, *layout.head(found)


def plain(base):
    return repository(base / "repo")


def below(base):
    (plain(base) / "a" / "b").mkdir(parents=True)
    return base / "repo" / "a" / "b"


def no_commit_yet(base):
    return repository(base / "repo", commits=0)


def detached(base):
    git(repository(base / "repo", commits=2), "checkout", "-q", "HEAD~1")
    return base / "repo"


def packed(base):
    git(plain(base), "pack-refs", "--all")
    assert not (base / "repo" / ".git" / "refs" / "heads" / "main").exists()
    return base / "repo"


def packed_and_moved_on(base):
    git(packed(base), "commit", "-q", "--allow-empty", "-m", "more")
    return base / "repo"


def deep_branch(base):
    git(plain(base), "checkout", "-q", "-b", "feature/deep/er")
    return base / "repo"


def worktree(base):
    git(plain(base), "worktree", "add", "-q", str(base / "linked"))
    return base / "linked"


def moved_worktree(base):
    git(base / "repo" if worktree(base) else base, "worktree", "move", str(base / "linked"), str(base / "elsewhere"))
    return base / "elsewhere"


def bare(base):
    git(base, "init", "-q", "--bare", "bare.git")
    return base / "bare.git"


def worktree_of_a_bare_one(base):
    git(base, "clone", "-q", "--bare", str(plain(base)), "bare.git")
    git(base / "bare.git", "worktree", "add", "-q", str(base / "linked"), "-b", "other")
    return base / "linked"


def submodule(base):
    repository(base / "inner")
    git(plain(base), "submodule", "--quiet", "add", str(base / "inner"), "sub")
    return base / "repo" / "sub"


def separate_git_dir(base):
    repository(base / "repo")
    git(base / "repo", "init", "-q", "--separate-git-dir", str(base / "store.git"))
    return base / "repo"


def inside_git_dir(base):
    return plain(base) / ".git"


def rebasing(base):
    repo = repository(base / "repo", commits=1)
    git(repo, "checkout", "-q", "-b", "side")
    (repo / "file.txt").write_text("side\n")
    git(repo, "commit", "-qam", "side")
    git(repo, "checkout", "-q", "main")
    (repo / "file.txt").write_text("main\n")
    git(repo, "commit", "-qam", "main")
    git(repo, "checkout", "-q", "side")
    subprocess.run(["git", "rebase", "main"], cwd=repo, capture_output=True, check=False)
    return repo


KINDS = [plain, below, no_commit_yet, detached, packed, packed_and_moved_on, deep_branch, worktree, moved_worktree]
KINDS += [bare, worktree_of_a_bare_one, submodule, separate_git_dir, inside_git_dir, rebasing]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_our_reading_is_gits_own(tmp_path, kind):
    """In every kind of repository: the same common dir, git dir, work tree, branch and commit that git says."""
    at = kind(tmp_path)
    assert found_by_us(at) == said_by_git(at)


def test_worktrees_have_gits_names(tmp_path):
    """A linked worktree is known by the name git has for it, wherever it moves; the main one has none."""
    assert layout.find(str(moved_worktree(tmp_path))).worktree_id == "linked"
    assert layout.find(str(tmp_path / "repo")).worktree_id == ""


def test_a_rebase_is_seen_while_it_lasts(tmp_path):
    """In the middle of it, and not after it was called off; nor in a repository at rest."""
    repo = rebasing(tmp_path)
    git_dir = layout.find(str(repo)).git_dir
    assert layout.rebasing(git_dir)
    git(repo, "rebase", "--abort")
    assert not layout.rebasing(git_dir)


def test_a_rebase_by_patches_is_seen(tmp_path):
    """The other way of git to rebase has another directory."""
    git_dir = plain(tmp_path) / ".git"
    (git_dir / "rebase-apply").mkdir()
    assert layout.rebasing(str(git_dir))


def test_outside_there_is_none(tmp_path):
    """No repository above: none is found; a directory that is gone is asked through its parents."""
    assert layout.find(str(tmp_path / "not" / "there")) is None
    repo = plain(tmp_path)
    assert layout.find(str(repo / "gone" / "deeper")).worktree == str(repo)


@pytest.mark.parametrize("content", ["", "garbage", "gitdir:", "gitdir: /nowhere/at/all"])
def test_a_broken_git_file_is_passed_over(tmp_path, content):
    """What points nowhere is no repository, and the search goes on above it."""
    repo = plain(tmp_path)
    (repo / "in").mkdir()
    (repo / "in" / ".git").write_text(content)
    found = layout.find(str(repo / "in"))
    assert found is None or found.worktree in (str(repo), str(repo / "in"))


@pytest.mark.parametrize(
    "parts", [("HEAD",), ("HEAD", "objects/"), ("objects/", "refs/"), ("HEAD/", "objects/", "refs/")]
)
def test_half_a_git_directory_is_none(tmp_path, parts):
    """HEAD, objects and refs make a repository, as git itself decides; some of them do not."""
    for part in parts:
        (tmp_path / "x" / part).mkdir(parents=True) if part.endswith("/") else None
        (tmp_path / "x").mkdir(exist_ok=True)
        if not part.endswith("/"):
            (tmp_path / "x" / part).write_text("ref: refs/heads/main\n")
    assert layout.find(str(tmp_path / "x")) is None
    with pytest.raises(subprocess.CalledProcessError):
        git(tmp_path / "x", "rev-parse", "--git-dir")


@pytest.mark.parametrize(
    ("head", "answer"),
    [
        ("", ("", "")),
        ("nonsense", ("", "")),
        ("ref: refs/heads/.invalid", ("", "")),
        ("ref: refs/heads/../../../etc/passwd", ("../../../etc/passwd", "")),
        ("ref: refs/heads/nowhere", ("nowhere", "")),
        ("a" * 40, ("", "a" * 40)),
        ("a" * 64, ("", "a" * 64)),
        ("A" * 40, ("", "")),
    ],
)
def test_heads_of_every_kind(tmp_path, head, answer):
    """Half-written, hostile, elsewhere (reftable), detached in either hash: read for what it is, never out of the repository."""
    repo = plain(tmp_path)
    (repo / ".git" / "HEAD").write_text(head)
    assert layout.head(layout.Repository(str(repo / ".git"), str(repo / ".git"), str(repo), "")) == answer


def test_what_is_no_file_has_no_text(tmp_path):
    """A directory, a pipe nobody writes to, a name that cannot be: nothing, at once."""
    os.mkfifo(tmp_path / "pipe")
    for odd in (str(tmp_path), str(tmp_path / "pipe"), str(tmp_path / "gone"), "a\0b", "a\ud800"):
        assert layout._text(odd) == ""


def test_changed_files_are_listed_by_their_new_name(tmp_path):
    """Staged and unstaged renames, odd names, untracked directories: one entry each, as git's status has them."""
    repo = repository(tmp_path / "repo")
    for name in ("one", "two"):
        (repo / name).write_text(f"{name}\n" * 20)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "two files")
    git(repo, "mv", "one", "uno")
    (repo / "two").rename(repo / "due")
    git(repo, "add", "-N", "due")
    (repo / 'a "b"\n').write_text("x")
    (repo / "folder").mkdir()
    (repo / "folder" / "x").write_text("x")
    found = run.changed_files(str(repo), 20)
    assert sorted(found) == sorted(["R  uno", " R due", '?? a "b"\n', "?? folder/"])
    assert sorted(run.untracked_files(str(repo), 20)) == ['a "b"\n', "folder/x"]


def test_recent_commits_are_told(tmp_path):
    """The newest first, as many as asked for."""
    repo = repository(tmp_path / "repo", commits=3)
    assert [text.split(" ", 1)[1] for text in run.recent_commits(str(repo), 2, 20)] == ["commit 2", "commit 1"]


def test_git_of_another_place_is_not_inherited(tmp_path, monkeypatch):
    """Inside a git hook the environment names that repository: ours is the directory that was asked about."""
    repo, other = repository(tmp_path / "repo"), repository(tmp_path / "other", commits=2)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert len(run.recent_commits(str(repo), 9, 20)) == 1


def children():
    """The processes that this one has started and not yet buried."""
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def test_git_that_fails_says_so(tmp_path, monkeypatch):
    """Said no, took too long, printed without end, or is not there: one kind of error, and no child left behind."""
    before = children()
    with pytest.raises(run.GitFailed, match="ended with 128"):
        run.git(str(tmp_path), "rev-parse", "HEAD", timeout=20)
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexec yes\n")
    fake.chmod(0o700)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    with pytest.raises(run.GitFailed, match="took longer"):
        run.git(str(tmp_path), "status", timeout=20)
    with pytest.raises(run.GitFailed, match="took longer than 0 s"):
        run.git(str(tmp_path), "status", timeout=0)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(run.GitFailed, match="cannot be started"):
        run.git(str(tmp_path), "status", timeout=20)
    assert children() <= before
