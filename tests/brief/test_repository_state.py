"""How the repository stood and stands."""

from __future__ import annotations

import re
import subprocess

import pytest

from tapehead.brief import repository_state
from tapehead.brief.freshness import freshness
from tapehead.brief.repository_state import MOST, Repo, look, name_changes, newest_commits, repo_facts
from tapehead.git import run

HEAD, LATER = "a" * 40, "b" * 40


def matter(changed, branch="main", head=HEAD):
    return {"branch": branch, "head": head, **name_changes(changed)}


def test_a_look_at_a_real_repository(tmp_path):
    """Branch, HEAD and changed files; a bare one has no work tree, and no repository has nothing."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    assert look(str(tmp_path)) == look("") == Repo("", "", None)
    subprocess.run([*git, "init", "-q", "-b", "topic"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    (tmp_path / "my file.py").touch()
    found = look(str(tmp_path))
    assert (found.branch, len(found.head), found.changed) == ("topic", 40, ["?? my file.py"])
    subprocess.run(["git", "clone", "-q", "--bare", str(tmp_path), str(tmp_path / "bare.git")], check=True)
    assert look(str(tmp_path / "bare.git")).changed is None


def test_where_git_does_not_answer_the_rest_is_known(tmp_path, monkeypatch):
    """Branch and HEAD are read without starting git."""
    subprocess.run(["git", "init", "-q", "-b", "topic", str(tmp_path)], check=True)

    def slow(*_):
        raise run.GitFailed("too slow")

    monkeypatch.setattr(repository_state.git_run, "changed_files", slow)
    assert look(str(tmp_path)) == Repo("topic", "", None)


def test_then_and_now():
    """What changed is said, a name with spaces is one name."""
    then = matter([" M my file.py", "?? new.py"])
    same = freshness(repo_facts(then, Repo("main", HEAD, [" M my file.py", "?? new.py"])))
    assert not re.search("since then|no longer|now", same)
    said = freshness(repo_facts(then, Repo("topic", LATER, [" M my file.py", " M two.py"])))
    assert "branch was main, now topic" in said
    assert "also two.py" in said
    assert "no longer new.py" in said
    assert "no longer my" not in said


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (matter(None), Repo("main", HEAD, [" M x.py"])),
        (matter([" M x.py"]), Repo("main", HEAD, None)),
        ({}, Repo("main", HEAD, [" M x.py"])),
        (matter([f" M {n}.py" for n in range(MOST + 5)]), Repo("main", HEAD, [f" M {n}.py" for n in range(MOST + 5)])),
    ],
    ids=["git was slow then", "git is slow now", "nothing was recorded", "more than is recorded"],
)
def test_of_what_is_not_known_nothing_is_said(then, now):
    """No file is said to have changed, and no branch to have moved, where one side was not recorded."""
    said = freshness(repo_facts(then, now))
    assert "was" not in said.replace("as it was", "")
    assert "x.py" not in said
    assert "since then" not in said
    assert "no longer" not in said


def test_without_a_commit_there_is_nothing_to_compare():
    """A repository that has none, or no repository."""
    assert repo_facts(matter([]), Repo("main", "", [])) is None


def test_recent_commits(tmp_path):
    """The newest five, in a line each; none before the first commit."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    subprocess.run([*git, "init", "-q", "-b", "topic"], check=True)
    assert newest_commits(str(tmp_path)) == ()
    for number in range(7):
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", f"step {number}"], check=True)
    assert [line.partition(" ")[2] for line in newest_commits(str(tmp_path))] == [f"step {n}" for n in range(6, 1, -1)]
