"""Faults below SQLite and git: a system call of the worker fails, and nothing that was written before is broken."""

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from arena import PATIENCE, TAPEHEAD, commit, git

from record import Record

SESSION = "11111111-2222-4333-8444-555555555555"
FAULTS = [
    *(("pwrite64", "EIO"), ("pwrite64", "ENOSPC"), ("fdatasync", "EIO"), ("fsync", "EIO"), ("ftruncate", "EIO")),
    *(("write", "ENOSPC"), ("rename", "EIO"), ("link", "EIO"), ("mmap", "ENOMEM"), ("openat", "EMFILE")),
]


def _traced(words):
    return subprocess.run(words, check=False, capture_output=True).returncode == 0


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed"),
    pytest.mark.skipif(
        bool(shutil.which("strace")) and not _traced(["strace", "-o", os.devnull, "true"]),
        reason="nobody may trace here",
    ),
]


@pytest.mark.parametrize(("call", "error"), FAULTS)
@pytest.mark.parametrize("first", [1, 20, 200])
def test_a_system_call_fails(arena, call, error, first):
    """From the first, the 20th or the 200th on, in the import and in git below it: the next run makes up for it."""
    commit(arena.work, "base")
    path = (
        Record(SESSION, cwd=arena.work)
        .turn("open the door", "It is open.")
        .turn("and shut it", "Shut.")
        .write(Path(arena.base))
    )
    arena.hook(arena.payload(SESSION, "SessionStart", source="startup", transcript_path=path))
    arena.hook(arena.payload(SESSION, "UserPromptSubmit", prompt="open the door", transcript_path=path))
    arena.quiet()
    inject = [
        "strace",
        "-f",
        "-qq",
        "-o",
        os.devnull,
        "-e",
        f"trace={call}",
        "-e",
        f"inject={call}:error={error}:when={first}+",
    ]
    quiet = {
        "env": arena.env,
        "cwd": arena.work,
        "capture_output": True,
        "timeout": 10 * PATIENCE,
    }  # strace stops at every call
    for words in (["import", path], ["handoff", "--memo", "on"], ["doctor", "--fix"]):
        subprocess.run([*inject, TAPEHEAD, *words], check=False, **quiet)
    arena.hook(arena.payload(SESSION, "Stop", last_assistant_message="It is open.", transcript_path=path))
    arena.quiet()
    assert subprocess.run([TAPEHEAD, "import", path], check=False, **quiet).returncode == 0
    with sqlite3.connect(arena.layout.memory) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (prompts,) = database.execute("SELECT count(*) FROM entries WHERE kind = 'prompt'").fetchone()
    assert prompts == 2
    assert git(arena.work, "fsck", "--strict") == ""
    arena.settled(SESSION)
