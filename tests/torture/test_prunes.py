"""The user's gc, prune and repack, as harsh as they can be, beside our hooks, commits and syncs: nothing is ever broken."""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import scenes
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import trailers
from tapehead.git.side import Side
from tapehead.store import lock

PROGRAM = str(Path(sys.executable).with_name("tapehead"))
PATIENCE = 120.0
"""Seconds, where less than one is needed."""
SWEEPS = (
    ("gc", "--quiet", "--prune=now"),
    ("prune", "--expire=now"),
    ("repack", "-a", "-d", "-q"),
    ("gc", "--quiet", "--prune=now", "--aggressive"),
    ("repack", "-A", "-d", "-q", "--unpack-unreachable=now"),
)


class Storm:
    """One repository with an agent at work, a remote, and a user who sweeps it without end.

    Only a commit of the user's own waits for a sweep to end, and a sweep for it: between those two git itself promises nothing.
    """

    def __init__(self, base):
        self.repo = scenes.repository(base / "repo")
        self.over, self.alone = threading.Event(), threading.Lock()
        self.failed, self.sweeps = [], 0
        scenes.git(base, "clone", "-q", "--bare", "repo", "remote.git")
        scenes.git(self.repo, "remote", "add", "origin", "../remote.git")
        scenes.git(self.repo, "config", "gc.auto", "0")
        self.runs("install", "--git")
        self.hook("SessionStart", source="startup")

    def runs(self, *words):
        done = subprocess.run(
            [PROGRAM, *words], cwd=self.repo, check=False, capture_output=True, text=True, timeout=120
        )
        if done.returncode:
            self.failed.append((words, done.stderr))

    def hook(self, name, **fields):
        payload = {"session_id": "one", "cwd": str(self.repo), "hook_event_name": name, **fields}
        subprocess.run([PROGRAM, "hook", "claude"], input=json.dumps(payload).encode(), check=True, capture_output=True)

    def works(self, turns):
        for turn in range(turns):
            self.hook("UserPromptSubmit", prompt=f"turn {turn}")
            self.waits_for_the_snapshot(turn + 1)
            (self.repo / f"f{turn}").write_text("agent\n")
            with self.alone:
                scenes.git(self.repo, "add", "-A")
                scenes.git(self.repo, "commit", "-qm", f"turn {turn}")
            self.hook("Stop", last_assistant_message="done")
        self.over.set()

    def waits_for_the_snapshot(self, turn):
        """What changes before it is the user's: no model answers as fast as this test."""
        newest = self.repo / ".git" / "tapehead" / "lines.git" / "main.tip.json"
        until = time.monotonic() + PATIENCE
        while not (newest.exists() and json.loads(newest.read_text())["state"]["open"] == {"one": turn}):
            assert time.monotonic() < until, "the worker recorded no snapshot"
            time.sleep(0.02)

    def sweep(self):
        for words in itertools.cycle(SWEEPS):
            if self.over.is_set():
                return
            with self.alone:
                done = subprocess.run(["git", *words], cwd=self.repo, check=False, capture_output=True, text=True)
            self.sweeps += 1
            if done.returncode:
                self.failed.append((words, done.stderr))

    def syncs(self):
        while not self.over.is_set():
            self.runs("sync", "origin")

    def settles(self):
        subprocess.run([PROGRAM, "hook", "git", "commits"], cwd=self.repo, check=True)
        for ending in (".worker", ".lock"):
            with open(self.repo / ".git" / "tapehead" / "sessions" / f"one{ending}", "a") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
        self.runs("status")


def stormed(base, turns):
    storm = Storm(base)
    running = [threading.Thread(target=one) for one in (storm.sweep, storm.sweep, storm.syncs)]
    for one in running:
        one.start()
    try:
        storm.works(turns)
    finally:
        storm.over.set()
        for one in running:
            one.join()
    storm.settles()
    scenes.git(storm.repo, "gc", "--quiet", "--prune=now")
    assert storm.failed == []
    assert storm.sweeps >= 2
    assert not scenes.git(storm.repo, "fsck", "--full", "--strict", "--no-dangling")
    common = os.path.join(storm.repo, ".git")
    kept = Checkpoints(Side(os.path.join(common, "tapehead", "lines.git"), common))
    assert sorted(trailers.found(scenes.git(storm.repo, "log", "--format=%B"))) == kept.ids()
    assert len(kept.ids()) == turns
    held = lock.take(os.path.join(kept.side.path, "checkpoints.lock"), 60)  # somebody may still be writing
    assert held is not None
    left = {path.name: path.read_text() for path in Path(common, "objects", "pack").glob("*.keep")}
    lock.release(held)
    assert left == {}


def test_a_storm_of_prunes(tmp_path):
    """The checkpoint of every commit is there, git finds no fault, and not one command of the user's failed."""
    stormed(tmp_path, 2)


@pytest.mark.slow
def test_a_long_storm_of_prunes(tmp_path):
    """The same for sixty turns."""
    stormed(tmp_path, 60)
