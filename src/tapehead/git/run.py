"""The only place that starts git. Bounded in time and in output; it never takes git's locks and never asks anyone."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from tapehead.system import exchange

if TYPE_CHECKING:
    from collections.abc import Mapping

_LIMIT = 4 * 1024 * 1024
_NOT_INHERITED = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_QUARANTINE_PATH",
    "GIT_NAMESPACE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
)
"""What a hook of git finds in its environment is about the command that runs the hook, not about what we ask."""


class GitFailed(Exception):
    """Git was not there, took too long, was killed, or said no."""

    def __init__(self, reason: str, code: int = 0, said: str = "") -> None:
        super().__init__(reason)
        self.code = code
        self.said = said
        """The end of what it printed on stderr. It may hold what nobody else may read: an address with its password."""

    def raise_if_killed(self) -> None:
        """For whoever takes a no for an answer: a git that somebody else killed gave none."""
        if self.code < 0:
            raise self


def git(  # noqa: PLR0913 - a process has that many sides
    directory: str,
    *words: str,
    timeout: float,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    most: int = _LIMIT,
    private: bool = False,
    largest: int = 0,
) -> bytes:
    """What git prints on stdout, run in a directory. `private` closes what it writes to everyone else.

    `largest` is for a git that talks to others: no file that it writes gets bigger (bytes), it has no terminal to ask at, and at the
    limit in time all that it started ends with it.
    """
    command = ["git", "-C", directory, "--no-optional-locks", *words]
    around = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
    around |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "TAPEHEAD_INTERNAL": "1", **(env or {})}
    before = os.umask(0o077) if private else None
    try:
        out, code, said = exchange.run(command, around, stdin, time.monotonic() + timeout, most, largest)
    except exchange.NotStarted as error:
        raise GitFailed(f"git cannot be started: {error}") from None
    finally:
        if before is not None:
            os.umask(before)
    name = next((word for word in words if not word.startswith("-") and "=" not in word), "")
    if out is None:
        raise GitFailed(f"git {name} took longer than {timeout:g} s, or said too much", said=said)
    if code:
        raise GitFailed(f"git {name} ended with {code}", code, said)
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


def recent_commits(directory: str, count: int, timeout: float, since: str = "") -> list[str]:
    """The newest commits, a line each; those since a commit, where one is given."""
    reach = [f"{since}..HEAD"] if since.isalnum() else []
    raw = git(directory, "log", f"-{count}", "--format=%h %s", *reach, timeout=timeout)
    return raw.decode("utf-8", "replace").splitlines()
