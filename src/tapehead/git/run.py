"""The only place that starts git. Bounded in time and in output; it never takes git's locks and never asks anyone.

posix_spawn and not the subprocess module: importing that costs a hook as much as git itself takes.
"""

from __future__ import annotations

import os
import select
import signal
import time
from contextlib import suppress

_LIMIT = 4 * 1024 * 1024
_NOT_INHERITED = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")


class GitFailed(Exception):
    """Git was not there, took too long, or said no."""


def git(directory: str, *words: str, timeout: float) -> bytes:
    """What git prints on stdout, run in a directory."""
    command = ["git", "-C", directory, "--no-optional-locks", *words]
    env = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
    env |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "TAPEHEAD_INTERNAL": "1"}
    reading, writing = os.pipe()
    try:
        pid = _spawn(command, env, writing)
        os.close(writing)
        writing = -1
        out = _output(reading, pid, time.monotonic() + timeout)
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if out is None:
        raise GitFailed(f"git {words[0]} took longer than {timeout:g} s")
    if code:
        raise GitFailed(f"git {words[0]} ended with {code}")
    return out


def changed_files(directory: str, timeout: float) -> list[str]:
    """`git status` in short form, one entry a file: two letters, a space and the path."""
    raw = git(directory, "status", "--porcelain=v1", "-z", "--untracked-files=normal", timeout=timeout)
    fields = iter(raw.decode("utf-8", "replace").split("\0"))
    found = []
    for field in fields:
        if field:
            found.append(field)
            if {"R", "C"} & set(field[:2]):
                next(fields, None)  # the name that it had before
    return found


def untracked_files(directory: str, timeout: float) -> list[str]:
    """Files that git does not know and does not ignore."""
    raw = git(directory, "ls-files", "--others", "--exclude-standard", "-z", timeout=timeout)
    return [name for name in raw.decode("utf-8", "replace").split("\0") if name]


def recent_commits(directory: str, count: int, timeout: float) -> list[str]:
    """The newest commits, a line each."""
    raw = git(directory, "log", f"-{count}", "--format=%h %s", timeout=timeout)
    return raw.decode("utf-8", "replace").splitlines()


def _spawn(command: list[str], env: dict[str, str], out: int) -> int:
    actions: list[tuple[int, ...] | tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, out, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        return os.posix_spawnp("git", command, env, file_actions=actions)
    except OSError as error:
        raise GitFailed(f"git cannot be started: {error}") from None


def _output(reading: int, pid: int, deadline: float) -> bytes | None:
    """All that it prints, or None where it took too long (or printed without end) and was stopped."""
    chunks: list[bytes] = []
    size = 0
    while size <= _LIMIT:
        ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            break
        chunk = os.read(reading, 1 << 16)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        size += len(chunk)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return None
