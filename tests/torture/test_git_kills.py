"""Git itself is killed under our hands, at every call: refs and objects stay whole, and nothing of the work is lost for long."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time

import pytest
from click.testing import CliRunner

import scenes
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.cli.app import app
from tapehead.engine import git_setup
from tapehead.git import layout
from tapehead.git.side import Side
from tapehead.statemachine.vocabulary import Event
from tapehead.store import atomic

GIT = shutil.which("git")
WRAPPER = f"""#!/bin/sh
read -r n < "$CALLS"; n=$((n + 1)); echo "$n" > "$CALLS"
if [ "$n" = "$KILL_AT" ]; then
    case "$HOW" in
        after) {GIT} "$@" ;;
        half) head -c 300 | {GIT} "$@" ;;
    esac
    kill -9 $$
fi
exec {GIT} "$@"
"""
HOW = ("before", "half", "after")


class Work(scenes.Scene):
    """A human and an agent in one file, with real time: git's own logs are compared with it."""

    def __init__(self, base, monkeypatch):
        self.repo = scenes.repository(base / "repo")
        super().__init__(self.repo / ".git" / "tapehead", time.time_ns())
        self.base, self.patch = base, monkeypatch
        self.typed, self.commits = ["0"], []
        program = base / "tapehead"
        program.touch(mode=0o700)
        os.makedirs(self.layout.root, exist_ok=True)
        atomic.write(self.layout.git_hooks, json.dumps({"program": str(program)}).encode())
        (base / "bin").mkdir()
        (base / "bin" / "git").write_text(WRAPPER)
        (base / "bin" / "git").chmod(0o755)
        monkeypatch.setenv("CALLS", str(base / "calls"))
        monkeypatch.setenv("KILL_AT", "0")
        self.path = os.environ["PATH"]
        monkeypatch.chdir(self.repo)

    def types(self, who):
        self.typed.append(f"{who} {len(self.typed)}")
        (self.repo / "file.txt").write_text("".join(f"{line}\n" for line in self.typed))

    def tells(self, event, **data):
        self.clock.now = time.time_ns()
        self.hear("one", event, data={"worktree": str(self.repo), **data})
        self.settled("one")
        if git_setup.look_after(self.engine, "one"):
            self.settled("one")

    def head(self):
        return layout.head(layout.find(str(self.repo)))[1]

    def turn(self):
        """The human types, the agent types, and one of them commits."""
        self.types("human")
        self.tells(Event.TURN_START, head=self.head(), prompt="do it")
        self.types("agent")
        self.tells(Event.TURN_END)
        self.patch.setenv("PATH", self.path)  # the user's own git is not the one that dies
        scenes.git(self.repo, "commit", "-qam", "on")
        self.commits.append(self.head())
        return self.commits[-1]

    def killed_at(self, number, how):
        """One turn and its commit; of all that git is called for, one call is killed. How many there were."""
        (self.base / "calls").write_text("0\n")
        self.patch.setenv("KILL_AT", str(number))
        self.patch.setenv("HOW", how)
        self.patch.setenv("PATH", f"{self.base / 'bin'}:{self.path}")
        commit = self.turn()
        self.patch.setenv("PATH", f"{self.base / 'bin'}:{self.path}")
        self.tells(Event.GIT_COMMIT, commit=commit, branch="main")
        self.patch.setenv("PATH", self.path)
        return int((self.base / "calls").read_text())

    def whole(self):
        """Both repositories, by git's own word."""
        for where in (self.repo / ".git", self.repo / ".git" / "tapehead" / "lines.git"):
            if where.exists():
                words = ["git", f"--git-dir={where}", "fsck", "--full", "--strict", "--no-dangling"]
                done = subprocess.run(words, capture_output=True, text=True, check=False)
                assert (done.returncode, done.stdout) == (0, ""), done.stderr

    def caught_up(self):
        """Every commit has its checkpoint, and every line its owner."""
        kept = Checkpoints(Side(self.layout.lines, str(self.repo / ".git")))
        for commit in self.commits:
            record = kept.record(commit)
            assert record, self.commits.index(commit)
            assert len(record.checkpoints) == 1
            assert kept.get(record.checkpoints[0]).attribution["session_added"] == 1
        done = CliRunner().invoke(app, ["blame", "file.txt", "--json"])
        told = [(line["text"], line["session"]) for line in json.loads(done.stdout)["lines"]]
        assert told == [(line, "one" if line.startswith("agent") else "") for line in self.typed]


def killed(base, monkeypatch, number, how):
    base.mkdir()
    work = Work(base, monkeypatch)
    work.tells(Event.TURN_START, head=work.head(), prompt="first")
    work.tells(Event.TURN_END)
    calls = work.killed_at(number, how)
    work.whole()
    commit = work.turn()
    work.tells(Event.GIT_COMMIT, commit=commit, branch="main")
    work.whole()
    work.caught_up()
    return calls


def test_git_is_killed_now_and_then(tmp_path, monkeypatch):
    """At a few of its calls, before it began, in the middle of what it was told, and after it was done."""
    number = 1
    while number <= killed(tmp_path / str(number), monkeypatch, number, HOW[number % 3]):
        number += 17


@pytest.mark.slow
@pytest.mark.parametrize("how", HOW)
def test_git_is_killed_at_every_call(tmp_path, monkeypatch, how):
    """Each of them."""
    number = 1
    while number <= killed(tmp_path / str(number), monkeypatch, number, how):
        number += 1


@pytest.mark.parametrize(
    "path",
    [
        "tapehead/lines.git/refs/marks/main",
        "tapehead/lines.git/refs/worktrees/main",
        "refs/tapehead/checkpoints",
    ],
)
def test_the_lock_of_a_git_that_was_killed(tmp_path, monkeypatch, path):
    """It is in nobody's way for long: the turn after it is recorded, and its commit condensed."""
    work = Work(tmp_path, monkeypatch)
    work.tells(Event.TURN_START, head=work.head(), prompt="first")
    work.tells(Event.TURN_END)
    work.tells(Event.GIT_COMMIT, commit=work.turn(), branch="main")
    lock = work.repo / ".git" / f"{path}.lock"
    lock.touch()
    os.utime(lock, (0, 0))
    work.tells(Event.GIT_COMMIT, commit=work.turn(), branch="main")
    work.caught_up()
    assert not lock.exists()
