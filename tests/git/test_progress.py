"""What git is in the middle of, by the real git."""

from __future__ import annotations

import subprocess

import pytest

import scenes
from tapehead.brief.freshness import freshness
from tapehead.brief.newcomer import context
from tapehead.brief.repository_state import look, repo_facts
from tapehead.git.progress import in_progress


@pytest.fixture
def repo(tmp_path):
    """A branch `topic` beside main, with two commits that do not go together with main's."""
    repo = scenes.repository(tmp_path / "repo")
    main = scenes.git(repo, "branch", "--show-current")
    scenes.git(repo, "switch", "-qc", "topic")
    for text in ("one", "two"):
        (repo / "file.txt").write_text(f"{text}\n")
        scenes.git(repo, "commit", "-qam", text)
    scenes.git(repo, "switch", "-q", main)
    (repo / "file.txt").write_text("other\n")
    scenes.git(repo, "commit", "-qam", "other")
    scenes.git(repo, "branch", "-M", "main")
    return repo


def begun(repo, *words):
    subprocess.run(["git", *words], cwd=repo, capture_output=True, check=False)
    return in_progress(str(repo / ".git"))


def line(repo):
    now = look(str(repo))
    return freshness(repo_facts({"branch": "main", "head": now.head}, now))


def test_nothing(repo):
    """Most of the time."""
    assert begun(repo, "status") == ""
    assert "progress" not in line(repo)


def test_a_rebase(repo):
    """With the branch, which HEAD does not name meanwhile, the step, and the files in conflict."""
    scenes.git(repo, "switch", "-q", "topic")
    assert begun(repo, "rebase", "main") == "a rebase of topic (step 1 of 2)"
    told = line(repo)
    assert told.startswith("Repository: a rebase of topic (step 1 of 2) is in progress, conflicts in file.txt; ")
    assert "branch was main, now topic" in told
    context.cache_clear()
    assert "- In progress: a rebase of topic (step 1 of 2)" in context(str(repo), "2027-01-01").told


@pytest.mark.parametrize("way", ["merge", "cherry-pick"])
def test_a_merge_and_a_cherry_pick(repo, way):
    """Each by its name."""
    assert begun(repo, way, "topic") == f"a {way}"
    assert f"a {way} is in progress, conflicts in file.txt" in line(repo)
    scenes.git(repo, way, "--abort")
    assert begun(repo, "status") == ""


def test_a_revert(repo):
    """And what is resolved is no conflict any more."""
    scenes.git(repo, "switch", "-q", "topic")
    assert begun(repo, "revert", "--no-edit", "HEAD~1") == "a revert"
    (repo / "file.txt").write_text("mine\n")
    scenes.git(repo, "add", "file.txt")
    assert "conflicts" not in line(repo)


def test_a_bisect(repo):
    """With where it began."""
    scenes.git(repo, "switch", "-q", "topic")
    assert begun(repo, "bisect", "start", "HEAD", "HEAD~2") == "a bisect from topic"
    assert "branch was main, now topic" in line(repo)


def test_a_patch_that_does_not_apply(repo, tmp_path):
    """`git am`."""
    scenes.git(repo, "format-patch", "-q", "-1", "topic", "-o", str(tmp_path / "patches"))
    (patch,) = (tmp_path / "patches").iterdir()
    assert begun(repo, "am", str(patch)) == "an am (step 1 of 1)"


def test_of_a_worktree_only_its_own(repo):
    """One that lies inside another's work tree too: its branch, its rebase, and not those around it."""
    scenes.git(repo, "worktree", "add", "-q", "inner", "topic")
    inner = repo / "inner"
    (inner / "folder").mkdir()
    assert [look(str(each)).branch for each in (repo, inner, inner / "folder")] == ["main", "topic", "topic"]
    subprocess.run(["git", "rebase", "main"], cwd=inner, capture_output=True, check=False)
    assert "a rebase of topic" in line(inner)
    assert "progress" not in line(repo)


@pytest.mark.parametrize("content", [b"", b"\xff" * 9, b"x" * 10_000, b"\x1b[2J"])
def test_files_that_are_not_gits(repo, content):
    """They say nothing, and do no harm."""
    folder = repo / ".git" / "rebase-merge"
    folder.mkdir()
    for name in ("head-name", "msgnum", "end"):
        (folder / name).write_bytes(content)
    assert in_progress(str(repo / ".git")) == "a rebase"
