"""What git's own hooks tell: a line for every session that a commit may concern, and nothing that a commit could fail of."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import scenes
from tapehead.engine import commit_message, git_hook
from tapehead.git import trailers
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import starts
from tapehead.store.line import readable
from tapehead.store.paths import Layout
from tapehead.store.sessions import StateStore

HEAVY = {"attr", "_typing", "pathlib", "subprocess", "logging", "inspect", "click", "datetime", "hashlib", "select"}


@pytest.fixture
def repo(tmp_path, monkeypatch):
    repo = scenes.repository(tmp_path / "repo")
    monkeypatch.chdir(repo)
    monkeypatch.setattr(git_hook, "_work", lambda *_: None)
    return repo


def layout_of(repo):
    return Layout(str(repo / ".git" / "tapehead"))


def session(repo, name, place="main", **state):
    layout = layout_of(repo)
    starts.note(layout, place, {"session": name, "at": "2027-01-01T00:00:00.000000Z"})
    scenes.Scene(layout.root).hear(name, Event.SESSION_START)
    with open(layout.state(name), "w") as file:
        json.dump({"session_id": name, "phase": "idle", **state}, file)


def commits(repo, name):
    lines = readable(StateStore(layout_of(repo)).lines(name)[0])
    return [line for line in lines if line.event is Event.GIT_COMMIT]


def heard(*words, **env):
    git_hook.run([*words], {**os.environ, **env})


def test_a_commit_is_told_to_the_sessions_of_its_worktree(repo):
    """Open ones, and ended ones with something left to condense; not those of other worktrees, nor those that are done."""
    session(repo, "open")
    session(repo, "ended", phase="ended", files_touched=["f"])
    session(repo, "done", phase="ended", fully_condensed=True)
    session(repo, "elsewhere", place="wt-other")
    heard("post-commit")
    (line,) = commits(repo, "open")
    assert line.data == {"commit": scenes.git(repo, "rev-parse", "HEAD"), "branch": "main"}
    assert line.host == "git"
    assert not line.facts
    assert [len(commits(repo, name)) for name in ("ended", "done", "elsewhere")] == [1, 0, 0]


def test_in_the_middle_of_a_rebase_the_line_says_so(repo):
    """By git's own folder."""
    session(repo, "open")
    (repo / ".git" / "rebase-merge").mkdir()
    heard("post-commit")
    assert commits(repo, "open")[0].facts == {Fact.REBASING}


def test_the_trailer(repo, tmp_path):
    """For a session with a part in the work; reserved for it; not on merges, squashes, in rebases, without a session, or twice."""
    message = tmp_path / "MSG"
    layout = layout_of(repo)

    def prepared(*words, **env):
        message.write_text("subject\n")
        heard("prepare-commit-msg", str(message), *words, **env)
        return trailers.found(message.read_text())

    assert prepared("message") == []
    session(repo, "idle")
    assert prepared("message") == []
    session(repo, "restored", phase="restored")
    assert prepared("message") == [], "it was handed a brief, and nobody has asked it for anything"
    session(repo, "touched", files_touched=["f"])
    session(repo, "active", phase="active")
    ids = prepared("message")
    assert len(ids) == 2
    with open(layout.reserved) as file:
        assert {(row["id"], row["session"]) for row in map(json.loads, file)} == {
            (ids[0], "active"),
            (ids[1], "touched"),
        }
    text = message.read_text()
    heard("prepare-commit-msg", str(message), "commit", "HEAD")
    assert message.read_text() == text
    assert prepared("merge") == prepared("squash") == prepared("message", TAPEHEAD_CHECKPOINTS_TRAILER="0") == []
    (repo / ".git" / "rebase-merge").mkdir()
    assert prepared("message") == []


@pytest.mark.parametrize("last", [Event.TURN_START, Event.TURN_END, Event.TURN_FAILED])
def test_a_turn_that_no_worker_came_to_yet_counts(repo, tmp_path, last):
    """Its lines are on the tape, its state is not saved: the commit gets its trailer all the same."""
    session(repo, "settled", files_touched=[])
    session(repo, "busy", files_touched=[])
    layout = layout_of(repo)
    for name in ("settled", "busy"):
        with open(layout.state(name), "w") as file:
            json.dump({"session_id": name, "phase": "idle", "tape_offset": os.path.getsize(layout.tape(name))}, file)
    scenes.Scene(layout.root).hear("busy", Event.TURN_START, data={"prompt": "go"})
    scenes.Scene(layout.root).hear("busy", last)
    scenes.Scene(layout.root).hear("settled", Event.SESSION_STOP, data={"reason": "turn_start"})
    (tmp_path / "MSG").write_text("subject\n")
    heard("prepare-commit-msg", str(tmp_path / "MSG"), "message")
    (reserved,) = trailers.found((tmp_path / "MSG").read_text())
    with open(layout.reserved) as file:
        assert [(row["id"], row["session"]) for row in map(json.loads, file)] == [(reserved, "busy")]


def test_a_rebase_that_is_over_is_written_down(repo):
    """From git's own list, not from stdin; an amend is known from its commit."""
    session(repo, "open")
    (repo / ".git" / "rebase-merge").mkdir()
    (repo / ".git" / "rebase-merge" / "rewritten-list").write_text(
        f"{'a' * 40} {'b' * 40}\n{'c' * 40} {'b' * 40} extra\n"
    )
    heard("post-rewrite", "amend")
    assert not os.path.exists(layout_of(repo).rewrites)
    heard("post-rewrite", "rebase")
    with open(layout_of(repo).rewrites) as file:
        assert json.loads(file.read())["pairs"] == [["a" * 40, "b" * 40], ["c" * 40, "b" * 40]]


@pytest.mark.parametrize("words", [[], ["no-such-hook"], ["pre-push", "origin"], ["prepare-commit-msg"]])
def test_what_is_nothing_to_us(repo, words):
    """Passes without a word."""
    session(repo, "open")
    heard(*words)


def test_outside_of_everything(tmp_path, monkeypatch):
    """No repository, or one in which no session ever was: nothing is made."""
    monkeypatch.chdir(tmp_path)
    heard("post-commit")
    repo = scenes.repository(tmp_path / "repo")
    monkeypatch.chdir(repo)
    heard("post-commit")
    assert not (repo / ".git" / "tapehead").exists()


PROGRAM = """
import os, sys
real = os._exit
def told(code):
    loaded = [name for name, module in sys.modules.items() if type(module).__name__ != "StandIn"]
    os.write(2, "\\n".join(loaded).encode())
    real(code)
os._exit = told
sys.argv = ["tapehead", "hook", "git", *sys.argv[1:]]
from tapehead.cli.main import main
main()
"""


@pytest.mark.parametrize("hook", ["post-commit", "prepare-commit-msg", "post-rewrite", "pre-push"])
def test_it_is_light(repo, hook):
    """None of the heavy modules, and of ours only what a look at the sessions needs."""
    session(repo, "open", phase="active")
    (repo / "MSG").write_text("subject\n")
    done = subprocess.run([sys.executable, "-I", "-c", PROGRAM, hook, "MSG"], cwd=repo, capture_output=True, check=True)
    modules = {*done.stderr.decode().split()}
    bare = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; print(*sys.modules)"], capture_output=True, check=True
    )
    assert not HEAVY & (modules - {*bare.stdout.decode().split()})
    assert len([name for name in modules if name.startswith("tapehead")]) < 36
    assert done.stdout == b""


def test_an_id_is_reserved_before_a_message_names_it(repo, tmp_path, monkeypatch):
    """Whoever is killed in between leaves an id that nobody names, and no name that leads nowhere."""
    message = tmp_path / "MSG"
    message.write_text("subject\n")
    session(repo, "touched", files_touched=["f"])

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(commit_message, "_write", killed)
    with pytest.raises(KeyboardInterrupt):
        heard("prepare-commit-msg", str(message), "message")
    assert os.path.getsize(layout_of(repo).reserved)
