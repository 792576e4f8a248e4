"""Real commits through the real hooks, from four worktrees at once: every one has its checkpoint."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import scenes
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import trailers
from tapehead.git.side import Side

PROGRAM = str(Path(sys.executable).with_name("tapehead"))


class Team:
    """Four worktrees of one repository, each with an agent at work."""

    def __init__(self, base):
        self.repo = scenes.repository(base / "repo")
        self.places = [self.repo]
        for number in range(3):
            scenes.git(self.repo, "worktree", "add", "-q", str(base / f"w{number}"))
            self.places.append(base / f"w{number}")
        subprocess.run([PROGRAM, "install", "--git"], cwd=self.repo, check=True, capture_output=True)
        for number, place in enumerate(self.places):
            self.hook(number, place, "SessionStart", source="startup")
            self.hook(number, place, "UserPromptSubmit", prompt=f"work {number}")

    def hook(self, number, place, name, **fields):
        payload = {"session_id": f"s{number}", "cwd": str(place), "hook_event_name": name, **fields}
        subprocess.run([PROGRAM, "hook", "claude"], input=json.dumps(payload).encode(), check=True, capture_output=True)

    def commit(self, number, count):
        for turn in range(count):
            (self.places[number] / f"f{number}-{turn}").write_text("agent\n")
            scenes.git(self.places[number], "add", "-A")
            scenes.git(self.places[number], "commit", "-qm", f"{number} {turn}")

    def settle(self):
        """Waits for the detached settles, by their locks, and reads what the last of them left."""
        subprocess.run([PROGRAM, "hook", "git", "commits"], cwd=self.repo, check=True)
        for number in range(4):
            for ending in (".worker", ".lock"):
                with open(self.repo / ".git" / "tapehead" / "sessions" / f"s{number}{ending}", "a") as file:
                    fcntl.flock(file, fcntl.LOCK_EX)
        subprocess.run([PROGRAM, "status"], cwd=self.repo, check=True, capture_output=True)


def raced(base, counts):
    team = Team(base)
    team.settle()
    running = [threading.Thread(target=team.commit, args=(number, count)) for number, count in enumerate(counts)]
    for one in running:
        one.start()
    for one in running:
        one.join()
    team.settle()
    common = os.path.join(team.repo, ".git")
    kept = Checkpoints(Side(os.path.join(common, "tapehead", "lines.git"), common))
    named = trailers.found(scenes.git(team.repo, "log", "--all", "--format=%B", "--branches"))
    assert sorted(named) == kept.ids()
    assert len(named) == sum(counts)
    assert {kept.get(one).session for one in named} == {f"s{number}" for number in range(4)}
    assert all(kept.get(one).attribution["session_added"] == 1 for one in named)
    assert not scenes.git(team.repo, "fsck", "--full", "--strict", "--no-dangling")


def test_commits_from_four_worktrees(tmp_path):
    """Each with its trailer, its checkpoint and its one line of its own session's."""
    raced(tmp_path, (2, 1, 1, 1))


@pytest.mark.slow
def test_fifty_commits_from_four_worktrees(tmp_path):
    """The same with fifty."""
    raced(tmp_path, (13, 13, 12, 12))
