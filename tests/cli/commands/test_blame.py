"""`blame` and `explain`, on a repository in which an agent and a human worked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import scenes
from tapehead.cli import git_hook
from tapehead.cli.commands import explain as explain_command


@pytest.fixture
def worked(repository, monkeypatch):
    """Two lines of the human's, then two of the agent's and one more of the human's; committed, and one line since."""
    monkeypatch.setattr(git_hook, "_work", lambda *_: None)
    root = Path(repository.root)
    (root / "a.txt").write_text("human\nhuman too\n")
    scenes.git(root, "add", "-A")
    scenes.git(root, "commit", "-qm", "base")
    repository.hook("SessionStart", source="startup")
    repository.hook("UserPromptSubmit", prompt="write two lines")
    repository.engine.settle("one")
    (root / "a.txt").write_text("human\nagent\nagent too\nhuman too\n")
    repository.hook("Stop", last_assistant_message="done")
    repository.engine.settle("one")
    (root / "a.txt").write_text("human\nagent\nagent too\nhuman too\nhuman again\n")
    commit(repository, "by both")
    (root / "a.txt").write_text("human\nagent\nagent too\nhuman too\nhuman again\nlately\n")
    return repository


def commit(repository, message):
    file = os.path.join(repository.root, ".git", "MSG")
    Path(file).write_text(message + "\n")
    git_hook.run(["prepare-commit-msg", file, "message"], os.environ)
    scenes.git(repository.root, "add", "-A")
    scenes.git(repository.root, "commit", "-q", "-F", file)
    git_hook.run(["post-commit"], os.environ)
    repository.engine.settle("one")


@pytest.fixture
def as_in_a_clone(monkeypatch):
    """No session is there that could be told of a commit: what is known of it must be found."""
    monkeypatch.setattr(explain_command, "catch_up_here", lambda _: None)


def test_blame_says_whose_each_line_is(worked):
    """By session, commit and checkpoint; what is not committed is said to be so."""
    found = worked.json("blame", "a.txt")
    assert [line["session"] for line in found["lines"]] == ["", "one", "one", "", "", ""]
    head, base = scenes.git(worked.root, "rev-list", "HEAD").split()
    assert [line["commit"] for line in found["lines"]] == [base, head, head, base, head, ""]
    (checkpoint,) = found["lines"][1]["checkpoints"]
    assert len(checkpoint) == 12
    assert (found["agent"], found["human"], found["uncommitted"]) == (2, 4, 1)
    shown = worked.run("blame", "a.txt").stdout.splitlines()
    assert shown[1].startswith(f"{head[:8]} agent one")
    assert shown[-1] == "2 of 6 lines are an agent's, 1 are not committed"


def test_where_git_runs_no_hooks_lines_are_whose_they_were(worked):
    """A commit that no hook told of: `blame` and `explain` catch up on it, before any other event."""
    path = Path(worked.root, "a.txt")
    worked.hook("UserPromptSubmit", prompt="one more line")
    worked.engine.settle("one")
    path.write_text(path.read_text() + "agent at last\n")
    worked.hook("Stop", last_assistant_message="done")
    worked.engine.settle("one")
    path.write_text(path.read_text() + "mine\n")
    scenes.git(worked.root, "commit", "-qam", "past all hooks")
    found = worked.json("explain")
    assert (found["found_by"], found["parts"][0]["prompts"]) == ("commit", ["one more line"])
    assert found["parts"][0]["attribution"]["session_added"] == 1
    lines = worked.json("blame", "a.txt")["lines"]
    assert [line["session"] for line in lines][-3:] == ["", "one", ""]
    assert lines[-2]["checkpoints"] == [found["parts"][0]["id"]]
    scenes.git(worked.root, "commit", "-q", "--allow-empty", "-m", "nothing in it")
    path.write_text(path.read_text() + "mine too\n")
    scenes.git(worked.root, "commit", "-qam", "the human alone")
    assert worked.json("explain")["parts"] == []


def test_hooks_that_come_later_find_the_old_commits_settled(worked):
    """`install --git` catches up: the next commit of the human's gets neither a trailer nor a checkpoint."""
    path = Path(worked.root, "a.txt")
    worked.hook("UserPromptSubmit", prompt="one more line")
    worked.engine.settle("one")
    path.write_text(path.read_text() + "agent at last\n")
    worked.hook("Stop", last_assistant_message="done")
    worked.engine.settle("one")
    scenes.git(worked.root, "commit", "-qam", "past all hooks")
    assert worked.run("install", "--git").exit_code == 0
    assert worked.engine.store.load("one").files_touched == ()
    path.write_text(path.read_text() + "mine\n")
    commit(worked, "the human alone")
    assert "Tapehead" not in scenes.git(worked.root, "log", "-1", "--format=%B")
    assert worked.json("explain")["parts"] == []
    assert len(worked.json("explain", "HEAD~1")["parts"]) == 1


def test_uncommitted_lines_of_an_agent(worked):
    """As the newest mark has them; in the middle of a turn what is newer is the agent's."""
    worked.hook("UserPromptSubmit", prompt="more")
    worked.engine.settle("one")
    path = Path(worked.root, "a.txt")
    path.write_text(path.read_text() + "agent at last\n")
    assert [line["session"] for line in worked.json("blame", "a.txt")["lines"]][-2:] == ["", "one"]


def test_explain_a_commit_and_a_line(worked):
    """Prompts, session and shares; the line leads to the commit that brought it."""
    found = worked.json("explain", "HEAD")
    (part,) = found["parts"]
    assert (found["subject"], found["found_by"]) == ("by both", "commit")
    assert (part["session"], part["prompts"]) == ("one", ["write two lines"])
    assert part["attribution"] == {"agent_added": 2, "human_added": 1, "session_added": 2, "removed": 0}
    assert worked.json("explain", "a.txt:2") == found
    shown = worked.run("explain", "--brief").stdout
    assert "lines: 2 by agents (67 %; 2 by this session), 1 by the human" in shown
    assert "asked: write two lines" in shown
    assert "before turn 1: +0 -0 by the human since the last checkpoint, +0 -0 by agents so far" in shown
    assert worked.json("explain", "a.txt:1")["parts"] == []
    assert "No checkpoint" in worked.run("explain", "HEAD~1").stdout


@pytest.mark.usefixtures("as_in_a_clone")
def test_explain_finds_a_commit_that_was_made_again(worked):
    """By its trailer; without one by its tree, and by its patch."""
    tree = scenes.git(worked.root, "rev-parse", "HEAD^{tree}")
    again = scenes.git(worked.root, "commit-tree", tree, "-p", "HEAD~1", "-m", "made again")
    assert worked.json("explain", again)["found_by"] == "tree"
    message = scenes.git(worked.root, "log", "-1", "--format=%B")
    again = scenes.git(worked.root, "commit-tree", tree, "-p", "HEAD~1", "-m", "again: " + message)
    assert worked.json("explain", again)["found_by"] == "trailer"
    picked = scenes.git(worked.root, "rev-parse", "HEAD")
    scenes.git(worked.root, "checkout", "-q", "--force", "-b", "other", "HEAD~1")
    Path(worked.root, "b.txt").write_text("b\n")
    scenes.git(worked.root, "add", "-A")
    scenes.git(worked.root, "commit", "-qm", "elsewhere")
    scenes.git(worked.root, "cherry-pick", picked)
    scenes.git(worked.root, "commit", "-q", "--amend", "-m", "picked")
    assert worked.json("explain", "HEAD")["found_by"] == "patch"


@pytest.mark.usefixtures("as_in_a_clone")
def test_explain_a_squash(worked):
    """What git's own squash put together leads to the checkpoints of all of it, whoever commits it."""
    made = [worked.json("explain")["parts"][0]["id"]]
    worked.hook("UserPromptSubmit", prompt="and more")
    worked.engine.settle("one")
    Path(worked.root, "b.txt").write_text("agent\n")
    worked.hook("Stop", last_assistant_message="done")
    worked.engine.settle("one")
    commit(worked, "more")
    made.append(worked.json("explain")["parts"][0]["id"])
    scenes.git(worked.root, "checkout", "-q", "-b", "other", "HEAD~2")
    scenes.git(worked.root, "merge", "-q", "--squash", "main")
    scenes.git(worked.root, "commit", "-q", "--no-edit")
    found = worked.json("explain")
    assert (found["found_by"], {part["id"] for part in found["parts"]}) == ("tree", {*made})
    assert [part["prompts"] for part in found["parts"]] == [["and more"], ["write two lines"]]
    git_hook.run(["post-commit"], os.environ)
    worked.engine.settle("one")
    found = worked.json("explain")
    assert found["found_by"] == "commit"
    assert {part["id"] for part in found["parts"]} >= {*made}
    assert found["parts"][0]["attribution"] == {"agent_added": 3, "human_added": 2, "session_added": 3, "removed": 0}


@pytest.mark.parametrize(
    "words", [("explain", "nonsense"), ("explain", "a.txt:99"), ("explain", "a.txt:6"), ("blame", "/etc/passwd")]
)
def test_what_cannot_be_explained(worked, words):
    """Is said, with what to do."""
    done = worked.run(*words)
    assert done.exit_code == 1
