"""The graph beside the user's repository: git answers the same with it, reads what is newer as always, and nothing of the user's is touched."""

import os
import time

import pytest

import scenes
from tapehead.attribution.committed_lines import History
from tapehead.git import commit_graph
from tapehead.git.side import Side


@pytest.fixture
def repo(tmp_path):
    made = scenes.repository(tmp_path / "repo")
    for number in range(4):
        (made / "a.txt").write_text("".join(f"line {each}\n" for each in range(number + 1)))
        scenes.git(made, "add", "-A")
        scenes.git(made, "commit", "-qm", f"number {number}")
    return made


def head_of(repo):
    return scenes.git(repo, "rev-parse", "HEAD").strip()


def test_blame_says_the_same(repo, monkeypatch):
    """Before, with it, and for commits that came since; a graph that is slow is told once, and the lock of a killed writer goes."""
    side = Side(str(repo / ".git" / "tapehead" / "lines.git"), str(repo / ".git"))
    side.ready()
    history = lambda: History(str(repo), lambda _: {}, side.path)  # noqa: E731 - a new one each time
    scenes.git(repo, "commit-graph", "write", "--reachable")  # as the user's own gc does
    before = history().blame(head_of(repo), b"a.txt")
    info = repo / ".git" / "objects" / "info"
    theirs = sorted(os.listdir(info)) if info.exists() else []
    assert commit_graph.find_env(side.path) == {}
    lock = os.path.join(side.path, "objects", "info", "commit-graphs", "commit-graph-chain.lock")
    os.makedirs(os.path.dirname(lock))
    with open(lock, "wb"):
        pass
    commit_graph.main(side.path, head_of(repo))
    assert commit_graph.find_env(side.path) == {}, "somebody is at it"
    os.utime(lock, (time.time() - 7200,) * 2)
    commit_graph.main(side.path, head_of(repo))
    assert commit_graph.find_env(side.path) == {"GIT_OBJECT_DIRECTORY": os.path.join(side.path, "objects")}
    assert (sorted(os.listdir(info)) if info.exists() else []) == theirs
    assert history().blame(head_of(repo), b"a.txt") == before
    (repo / "a.txt").write_text("new\n" + (repo / "a.txt").read_text())
    scenes.git(repo, "commit", "-qam", "since")
    assert [each[0] for each in history().blame(head_of(repo), b"a.txt")] == [
        head_of(repo),
        *(each[0] for each in before),
    ]
    monkeypatch.setattr(commit_graph, "SLOW", -1.0)
    asked = history()
    asked.blame(head_of(repo), b"a.txt")
    assert asked.is_slow
    assert scenes.git(repo, "fsck", "--strict", "--no-dangling") == ""
