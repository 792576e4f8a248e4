"""What git says to someone who comes new."""

from __future__ import annotations

import subprocess
import threading

import pytest

from tapehead.git import place_context
from tapehead.git import run as git_run


def git(directory, *words):
    subprocess.run(["git", "-C", str(directory), *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    return tmp_path


def test_a_repository_is_told_in_full(repository):
    """Branch, main branch, status, the last five commits, the user's name."""
    for n in range(7):
        git(repository, "commit", "-q", "--allow-empty", "-m", f"step {n}")
    git(repository, "config", "user.name", "Ada")
    git(repository, "switch", "-q", "-c", "topic")
    (repository / "new.txt").write_text("x")
    found = place_context.seen(str(repository))
    assert (found.branch, found.main, found.status, found.user) == ("topic", "main", "?? new.txt", "Ada")
    assert [line.split(maxsplit=1)[1] for line in found.commits] == [f"step {n}" for n in (6, 5, 4, 3, 2)]


def test_without_commits_or_a_repository_it_says_what_there_is(repository, tmp_path_factory):
    """No commit yet: no commits; outside of git: nothing."""
    found = place_context.seen(str(repository))
    assert (found.branch, found.commits, found.status) == ("main", (), "")
    assert place_context.seen(str(tmp_path_factory.mktemp("elsewhere"))) is None


def test_the_questions_are_asked_side_by_side(repository, monkeypatch):
    """All of them are under way before any is answered."""
    together = threading.Barrier(len(place_context._QUESTIONS), timeout=30)

    def answer(directory, *words, timeout):
        together.wait()
        return b"x\n"

    monkeypatch.setattr(git_run, "git", answer)
    assert place_context.seen(str(repository)).user == "x"
