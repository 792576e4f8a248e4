"""Commits whose hooks are killed, or not run at all: each is found, and has its checkpoint in the end."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import scenes
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import trailers
from tapehead.git.side import Side
from tapehead.store import lock

PROGRAM = str(Path(sys.executable).with_name("tapehead"))
LOCKS = ("index.lock", "HEAD.lock", "refs/heads/main.lock", "logs/HEAD.lock")


class Work:
    """An agent that commits, and somebody who kills."""

    def __init__(self, base, seed):
        self.repo = scenes.repository(base / "repo")
        self.store = self.repo / ".git" / "tapehead"
        self.chance = random.Random(seed)
        subprocess.run([PROGRAM, "install", "--git"], cwd=self.repo, check=True, capture_output=True)
        self.first = self.head()
        time.sleep(1.1 - time.time() % 1)  # git's log counts in seconds: the session begins after the commits before it
        self.hook("SessionStart", source="startup")
        self.hook("UserPromptSubmit", prompt="work")
        self.settled()

    def hook(self, name, **fields):
        payload = {"session_id": "one", "cwd": str(self.repo), "hook_event_name": name, **fields}
        subprocess.run([PROGRAM, "hook", "claude"], input=json.dumps(payload).encode(), check=True, capture_output=True)

    def head(self):
        return scenes.git(self.repo, "rev-parse", "HEAD")

    def commit(self, number):
        (self.repo / f"f{number}").write_text("agent\n")
        scenes.git(self.repo, "add", "-A")
        how = self.chance.choice(["heard", "without", "killed", "killed"])
        without = ["-c", "core.hooksPath=/dev/null"] if how == "without" else []
        one = subprocess.Popen(
            ["git", *without, "commit", "-qm", f"c{number}"],
            cwd=self.repo, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        if how == "killed":
            with suppress(subprocess.TimeoutExpired):
                one.wait(self.chance.random() * 0.4)
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
        one.wait()
        for name in LOCKS:
            (self.repo / ".git" / name).unlink(missing_ok=True)

    def settled(self):
        """Waits until nobody is at work on the session."""
        for ending in (".worker", ".lock"):
            held = lock.take(str(self.store / "sessions" / f"one{ending}"), 60)
            assert held is not None
            lock.release(held)

    def counted(self):
        """The commits, those on no tape, those without a checkpoint, and the trailers that name nothing."""
        kept = Checkpoints(Side(str(self.store / "lines.git"), str(self.repo / ".git")))
        commits = scenes.git(self.repo, "rev-list", f"{self.first}..HEAD").split()
        tape = (self.store / "sessions" / "one.tape").read_text()
        named = trailers.found(scenes.git(self.repo, "log", "--format=%B"))
        unheard = [name for name in commits if name not in tape]
        without = [name for name in commits if not (found := kept.record(name)) or not found.checkpoints]
        return len(commits), unheard, without, sorted({*named} - {*kept.ids()})


def killed(base, seed, count):
    work = Work(base, seed)
    for number in range(count):
        work.commit(number)
    work.settled()
    work.hook("Stop", last_assistant_message="done")
    work.settled()
    made, *wrong = work.counted()
    assert made
    assert wrong == [[], [], []], f"of {made}"


def test_a_few_commits_whose_hooks_are_killed(tmp_path):
    """The next event of the session finds them."""
    killed(tmp_path, 3, 4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_many_commits_whose_hooks_are_killed(tmp_path, seed):
    """Killed at any moment of the commit, or made without hooks, with heard ones between them."""
    killed(tmp_path, seed, 60)
