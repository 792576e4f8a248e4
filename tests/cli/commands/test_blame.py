"""`blame` and `explain`, on a repository in which an agent and a human worked."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

import repositories
import scenes
from tapehead.cli.commands import explain as explain_command
from tapehead.cli.commands import resume as resume_command
from tapehead.engine import git_hook
from tapehead.git import differences
from tapehead.store.line import readable

PATIENCE = 60.0
"""Seconds of processor time, where a few are needed: two nested loops take minutes."""


def spent():
    """By this process and those that it waited for: how busy the machine is says nothing."""
    return sum(os.times()[:4])


@pytest.fixture
def worked(folder_of_module, monkeypatch):
    monkeypatch.setattr(git_hook, "_work", lambda *_: None)
    return repositories.kept(folder_of_module, monkeypatch, work)


def work(repository):
    """Two lines of the human's, then two of the agent's and one more of the human's; committed, and one line since."""
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


def commit(repository, message):
    file = os.path.join(repository.root, ".git", "MSG")
    Path(file).write_text(message + "\n")
    scenes.git(repository.root, "add", "-A")
    git_hook.run(["prepare-commit-msg", file, "message"], os.environ)
    scenes.git(repository.root, "commit", "-q", "-F", file)
    git_hook.run(["post-commit"], os.environ)
    repository.engine.settle("one")


@pytest.fixture
def as_in_a_clone(monkeypatch):
    """No session is there that could be told of a commit: what is known of it must be found."""
    monkeypatch.setattr(explain_command, "catch_up_here", lambda *_: None)


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
    assert shown[-1] == "2 of 6 lines written by an agent, 1 not committed"


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
    of_line = worked.json("explain", "a.txt:2")
    line = of_line.pop("line")
    assert of_line == found
    assert (line["text"], line["session"], line["asked"]) == ("agent", "one", {"turn": 1, "prompt": "write two lines"})
    shown = worked.run("explain", "--brief").stdout
    assert "lines: 2 by agents (67 %), 1 by hand" in shown
    assert ", 2 lines by this session" in shown
    assert f"session one ({part['agent']})\n" in shown
    assert re.search(r"^  turn 1, \d{4}-\d\d-\d\d \d\d:\d\d [+-]\d{4}, compactions", shown, re.MULTILINE)
    assert "asked: write two lines" in shown
    assert "before turn 1" not in shown  # nothing had changed yet
    assert worked.json("explain", "a.txt:1")["parts"] == []
    assert "No agent activity" in worked.run("explain", "HEAD~1").stdout


@pytest.mark.parametrize("hooks", [True, False])
def test_an_amend_takes_all_checkpoints_along(worked, hooks):
    """Also that of a session that is over and hears of no commit any more; and its lines stay its own."""
    worked.hook("SessionEnd", reason="other")
    worked.engine.settle("one")
    worked.hook("SessionStart", "two", source="startup")
    worked.hook("UserPromptSubmit", "two", prompt="and mine")
    worked.engine.settle("two")
    path = Path(worked.root, "a.txt")
    path.write_text(path.read_text() + "two's\n")
    worked.hook("Stop", "two", last_assistant_message="done")
    worked.engine.settle("two")
    scenes.git(worked.root, "commit", "-q", "--amend", "-a", "-m", "by all three")
    if hooks:
        git_hook.run(["post-commit"], os.environ)
    found = worked.json("explain")
    assert (found["found_by"], {part["session"] for part in found["parts"]}) == ("commit", {"one", "two"})
    lines = worked.json("blame", "a.txt")["lines"]
    assert [line["session"] for line in lines] == ["", "one", "one", "", "", "", "two"]


def test_explain_a_line_says_whose_it_is(worked):
    """The agent's with the turn and what was asked; the human's as such; one that is not committed too."""
    worked.hook("UserPromptSubmit", prompt="one more line")
    worked.engine.settle("one")
    path = Path(worked.root, "a.txt")
    path.write_text(path.read_text() + "agent at last\n")
    worked.hook("Stop", last_assistant_message="done")
    worked.engine.settle("one")
    head = scenes.git(worked.root, "rev-parse", "HEAD")[:10]
    shown = [worked.run("explain", f"a.txt:{number}").stdout.splitlines() for number in (3, 5, 6, 7)]
    assert shown[0][:3] == [
        "a.txt:3: agent too",
        f"  written by an agent, session one, commit {head}",
        "  asked in turn 1: write two lines",
    ]
    assert shown[1][:3] == ["a.txt:5: human again", f"  no agent's, commit {head}", ""]
    assert shown[2][:2] == ["a.txt:6: lately", "  no agent's, not committed"]
    assert shown[3][:3] == [
        "a.txt:7: agent at last",
        "  written by an agent, session one, not committed",
        "  asked in turn 2: one more line",
    ]
    assert shown[0][4].endswith(" by both")
    assert worked.json("explain", "a.txt:6")["commit"] == ""


@pytest.mark.parametrize("words", [("revert", "--no-edit", "HEAD~1"), ("commit", "--allow-empty", "-qm", "nothing")])
@pytest.mark.usefixtures("as_in_a_clone")
def test_the_files_of_an_ancestor_are_not_its_story(worked, words):
    """A revert, or a commit that changes nothing, has a tree that another had before it: that is no checkpoint of its own."""
    scenes.git(worked.root, "checkout", "-q", "--", "a.txt")
    Path(worked.root, "b.txt").write_text("mine\n")
    scenes.git(worked.root, "add", "-A")
    scenes.git(worked.root, "commit", "-qm", "mine")
    scenes.git(worked.root, *(words if words[0] == "commit" else ("revert", "--no-edit", "HEAD")))
    found = worked.json("explain")
    assert (found["found_by"], found["parts"]) == ("", [])


def test_a_checkpoint_that_is_not_here_is_named(worked):
    """In a clone that has not synced: neither is the commit without an agent, nor are its lines surely the human's."""
    head = scenes.git(worked.root, "rev-parse", "HEAD")
    (checkpoint,) = (part["id"] for part in worked.json("explain")["parts"])
    kept = scenes.git(worked.root, "rev-parse", "refs/tapehead/checkpoints")
    scenes.git(worked.root, "update-ref", "-d", "refs/tapehead/checkpoints")
    assert worked.json("explain", head)["missing"] == [checkpoint]
    shown = worked.run("explain", head).stdout
    assert f"names {checkpoint}, which is missing here: `tapehead sync`" in shown
    assert "No agent activity" not in shown
    assert worked.json("blame", "a.txt")["missing"] == [checkpoint]
    assert f"3 lines unknown: checkpoint {checkpoint}" in worked.run("blame", "a.txt").stderr
    scenes.git(worked.root, "update-ref", "refs/tapehead/checkpoints", kept)
    assert worked.json("explain", head)["missing"] == worked.json("blame", "a.txt")["missing"] == []
    assert "is missing here" not in worked.run("blame", "a.txt").stderr


def test_a_file_without_a_line_is_hinted_at(worked):
    """Whoever names a file may have meant a line of it."""
    done = worked.run("explain", "a.txt")
    assert (done.exit_code, "`tapehead explain a.txt:LINE`" in done.stderr) == (1, True)
    assert "[COMMIT | FILE:LINE" in worked.run("explain", "--help").stdout


@pytest.mark.usefixtures("as_in_a_clone")
def test_explain_finds_a_commit_that_was_made_again(worked):
    """By its tree; else by its patch, and by its trailer."""
    tree = scenes.git(worked.root, "rev-parse", "HEAD^{tree}")
    again = scenes.git(worked.root, "commit-tree", tree, "-p", "HEAD~1", "-m", "made again")
    assert worked.json("explain", again)["found_by"] == "tree"
    message = scenes.git(worked.root, "log", "-1", "--format=%B")
    picked = scenes.git(worked.root, "rev-parse", "HEAD")
    scenes.git(worked.root, "checkout", "-q", "--force", "-b", "other", "HEAD~1")
    Path(worked.root, "b.txt").write_text("b\n")
    scenes.git(worked.root, "add", "-A")
    scenes.git(worked.root, "commit", "-qm", "elsewhere")
    scenes.git(worked.root, "cherry-pick", picked)
    scenes.git(worked.root, "commit", "-q", "--amend", "-m", "picked")
    assert worked.json("explain", "HEAD")["found_by"] == "patch"
    path = Path(worked.root, "a.txt")
    path.write_text(path.read_text() + "more\n")
    scenes.git(worked.root, "commit", "-qa", "--amend", "-m", message)
    found = worked.json("explain", "HEAD")
    assert (found["found_by"], found["derived"]) == ("trailer", "trailer")
    assert (found["lines"]["agent"], found["lines"]["human"]) == (2, 2)


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
    shown = worked.run("explain").stdout
    assert [shown.count(text) for text in ("3 by agents", "by this session", "a.txt: +", "made for ")] == [1, 1, 1, 2]


@pytest.mark.parametrize(
    "words", [("explain", "nonsense"), ("explain", "a.txt:99"), ("explain", "a.txt:0"), ("blame", "/etc/passwd")]
)
def test_what_cannot_be_explained(worked, words):
    """Is said, with what to do."""
    done = worked.run(*words)
    assert done.exit_code == 1


@pytest.mark.parametrize("hunks", [2_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_a_file_of_many_thousand_hunks(worked, monkeypatch, hunks):
    """A regenerated file: condensed and blamed in seconds, where two nested loops took minutes."""
    path = Path(worked.root, "lock.txt")
    path.write_text("".join(f"entry {number}\nvalue {number}\n" for number in range(hunks)))
    commit(worked, "generated")
    for turn in range(2):
        worked.hook("UserPromptSubmit", prompt="regenerate it")
        worked.engine.settle("one")
        path.write_text("".join(f"entry {number}\nturn {turn} {number}\n" for number in range(hunks)))
        worked.hook("Stop", last_assistant_message="done")
        worked.engine.settle("one")
        if turn:
            begun = spent()
            commit(worked, "regenerated")
            found = worked.json("blame", "lock.txt")
            assert spent() - begun < PATIENCE
            assert (found["agent"], found["human"]) == (hunks, hunks)
            assert worked.json("explain")["parts"][0]["attribution"]["session_added"] == hunks


def test_what_is_too_large_to_attribute_is_said(worked, monkeypatch):
    """By `explain` beside the files that are not, by `blame`, and on the tape; the session goes on."""
    monkeypatch.setattr(differences, "LARGEST", 100)
    root = Path(worked.root)
    worked.hook("UserPromptSubmit", prompt="generate it")
    worked.engine.settle("one")
    (root / "large.txt").write_text("line\n" * 100)
    (root / "b.txt").write_text("agent\n")
    worked.hook("Stop", last_assistant_message="done")
    worked.engine.settle("one")
    commit(worked, "large")
    shown = worked.run("explain").stdout
    assert "large.txt: too large to attribute" in shown
    assert "b.txt: +1 (1 by agents)" in shown
    assert worked.json("blame", "b.txt")["agent"] == 1
    lines = readable(worked.engine.store.lines("one")[0])
    (note,) = [line for line in lines if line.note == "snapshot" and line.data.get("too_large")]
    assert note.data["too_large"] == ["large.txt"]
    (root / "large.txt").write_text("line\n" * 101)
    done = worked.run("blame", "large.txt")
    assert (done.exit_code, "too large to attribute" in done.stderr) == (1, True)


def test_a_git_blame_that_fails_is_an_error(worked, monkeypatch):
    """Not a file without an agent's line; a setting of the user's that makes it fail is left out."""
    scenes.git(worked.root, "config", "blame.ignoreRevsFile", "nowhere")
    assert worked.json("blame", "a.txt")["agent"] == 2
    scenes.git(os.path.join(worked.store, "lines.git"), "config", "blame.ignoreRevsFile", "nowhere")
    done = worked.run("blame", "a.txt")
    assert (done.exit_code, "nowhere" in done.stderr) == (1, True)


def test_it_is_the_same_from_any_directory_and_leaves_nothing_there(repository, tmp_path, monkeypatch):
    """The store is that of the file's repository, wherever the user stands: nothing is made elsewhere."""
    path = Path(repository.root, "deep", "a.txt")
    path.parent.mkdir()
    repository.hook("SessionStart", source="startup")
    repository.hook("UserPromptSubmit", prompt="write it")
    repository.engine.settle("one")
    path.write_text("an agent wrote this\n")
    repository.hook("Stop", last_assistant_message="done")
    repository.engine.settle("one")
    told = []
    outside = tmp_path / "outside"
    outside.mkdir()
    before = sorted(str(each) for each in Path(repository.home).rglob("*"))
    for directory in (repository.root, str(path.parent), str(outside), "/"):
        monkeypatch.chdir(directory)
        told.append(repository.json("blame", str(path))["lines"])
        assert repository.json("explain", f"{path}:1")["line"]["session"] == "one"
    assert [line["session"] for line in told[0]] == ["one"]
    assert told == told[:1] * 4
    assert sorted(str(each) for each in Path(repository.home).rglob("*")) == before
    assert not [*outside.iterdir()]


@pytest.mark.parametrize("words", [("blame", "{}"), ("explain", "{}:1"), ("why", "{}:1")])
def test_a_repository_below_starts_nothing(repository, tmp_path, words):
    """Its config may have come with an archive; whoever trusts it goes into it."""
    below, ran, program = Path(repository.root, "below"), tmp_path / "ran", tmp_path / "program"
    scenes.git(repository.root, "init", "-q", str(below))
    (below / "a.py").write_text("print()\n")
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\n")
    program.chmod(0o755)
    scenes.git(below, "config", "core.fsmonitor", str(program))
    answer = repository.run(*(word.format("below/a.py") for word in words))
    assert answer.exit_code == 1
    assert "can start programs" in answer.output
    assert not ran.exists()


def test_blame_a_part_a_revision_and_for_programs(worked):
    """-L as git takes it; a file as it was at a commit, also one that is gone by now; one field a row."""
    parts = {
        part: [line["number"] for line in worked.json("blame", "-L", part, "a.txt")["lines"]]
        for part in ("2", "2,3", "2,+3")
    }
    assert parts == {"2": [2], "2,3": [2, 3], "2,+3": [2, 3, 4]}
    assert worked.run("blame", "-L", "9", "a.txt").exit_code == worked.run("blame", "-L", "x", "a.txt").exit_code == 1
    Path(worked.root, "a.txt").unlink()
    old = json.loads(worked.run("blame", "--json", "HEAD", "--", "a.txt").stdout)
    assert [line["who"] for line in old["lines"]] == ["human", "agent", "agent", "human", "human"]
    assert [line["text"] for line in worked.json("blame", "HEAD~1", "a.txt")["lines"]] == ["human", "human too"]
    assert "No a.txt at 'nowhere'" in worked.run("blame", "nowhere", "a.txt").stderr
    assert "No file a.txt" in worked.run("blame", "a.txt").stderr
    shown = worked.run("blame", "HEAD", "a.txt", "-L", "2", "--porcelain").stdout.splitlines()
    head = scenes.git(worked.root, "rev-parse", "HEAD")
    (checkpoint,) = old["lines"][1]["checkpoints"]
    assert shown == [f"{head} 2 2 1", "who agent", "session one", f"checkpoint {checkpoint}", "\tagent"]


def test_explain_a_branch(worked):
    """All that it adds, by agent, human and not known; the same numbers as blame's."""
    scenes.git(worked.root, "checkout", "-q", "--", "a.txt")
    scenes.git(worked.root, "branch", "feature")
    scenes.git(worked.root, "checkout", "-q", "feature")
    scenes.git(worked.root, "branch", "-f", "main", "HEAD~1")
    Path(worked.root, "b.txt").write_text("mine\n")
    scenes.git(worked.root, "add", "-A")
    scenes.git(worked.root, "commit", "-qm", "mine")
    found = worked.json("explain", "--branch")
    assert found == worked.json("explain", "main..feature")
    assert [(row["who"], row["agent"], row["lines"], row["percent"]) for row in found["shares"]] == [
        ("agent", "claude", 2, 50),
        ("human", "", 2, 50),
        ("not known", "", 0, 0),
    ]
    assert (found["commits"], found["lines"]["files"]["b.txt"]["human"]) == (2, 1)
    blamed = [worked.json("blame", name) for name in ("a.txt", "b.txt")]
    assert found["lines"]["agent"] == sum(one["agent"] for one in blamed)
    shown = worked.run("explain", "--branch").stdout
    assert "2 commits, 4 lines added" in shown
    assert "a.txt: +3 (2 by agents) -0" in shown
    assert worked.run("explain", "nowhere..HEAD").exit_code == 1


def test_a_shallow_clone_says_where_it_ends(worked, tmp_path, monkeypatch):
    """Lines of the oldest commit that is there may be older: not known, and a hint."""
    scenes.git(worked.root, "checkout", "-q", "--", "a.txt")
    scenes.git(tmp_path, "clone", "-q", "--depth", "1", f"file://{worked.root}", "shallow")
    clone = type(worked)(tmp_path / "shallow", worked.home)
    monkeypatch.chdir(clone.root)
    assert clone.run("sync").exit_code == 0
    found = clone.json("blame", "a.txt")
    assert [line["who"] for line in found["lines"]] == ["not known", "agent", "agent", "not known", "not known"]
    assert "as old as this shallow clone" in clone.run("blame", "a.txt").stderr


def test_a_remote_of_their_own(worked, tmp_path):
    """`checkpoints.remote` is where sync goes when nothing is named; doctor names a remote that mirrors."""
    for name in ("code", "prompts"):
        scenes.git(tmp_path, "init", "-q", "--bare", name)
        scenes.git(worked.root, "remote", "add", name, str(tmp_path / name))
    assert worked.run("config", "set", "checkpoints.remote", "prompts").exit_code == 0
    assert worked.json("sync")["remote"] == "prompts"
    assert scenes.git(tmp_path / "prompts", "for-each-ref", "--format=%(refname)").startswith(
        "refs/tapehead/checkpoints"
    )
    scenes.git(worked.root, "config", "remote.code.mirror", "true")
    assert "`git push` to code mirrors all refs" in worked.run("doctor").stdout
    assert "shallow" not in worked.run("doctor").stdout
    Path(worked.root, ".git", "shallow").write_text(scenes.git(worked.root, "rev-parse", "HEAD") + "\n")
    assert "this clone is shallow" in worked.run("doctor").stdout


def test_resume_a_branch(worked, monkeypatch):
    """The session of its newest checkpoint is opened; --json tells of it and starts nothing."""
    scenes.git(worked.root, "branch", "feature")
    opened = []
    monkeypatch.setattr(resume_command, "is_alive", lambda _: False)
    monkeypatch.setattr(resume_command, "go_on", lambda *words: opened.append(words) or sys.exit(0))
    assert worked.run("resume", "feature").exit_code == 0
    assert opened[0][:2] == ("claude", "one")
    assert "No checkpoint on nothing" in worked.run("resume", "HEAD~1").stderr.replace("HEAD~1", "nothing")
    assert worked.run("resume", "nowhere").exit_code == 1
    told = worked.json("resume", "feature")
    assert (told["session"], told["branch"], told["here"], "by" in told) == ("one", "feature", True, False)
