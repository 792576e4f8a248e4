"""Whether the commit whose hook this is takes the place of another. Light.

Git tells its hooks where a message comes from, but not that `--amend -m` gives an old commit a new one: only its own command line
does. Where no command line can be read (no /proc, an alias that hides the word) the old trailers are not missed: what the commit
is of is found all the same.
"""

from __future__ import annotations

import os

_FEW = 6
_SECONDS = 5.0


def amends(pid: int, proc: str = "/proc") -> bool:
    """Whether the nearest git above a process is a `commit --amend`."""
    for _ in range(_FEW):
        words = _read(proc, pid, "cmdline").decode("utf-8", "replace").split("\0")
        if os.path.basename(words[0]) in ("git", "git-commit"):
            return "--amend" in words
        fields = _read(proc, pid, "stat").rpartition(b") ")[2].split()
        if len(fields) < 2 or not fields[1].isdigit() or fields[1] in (b"0", b"1"):  # noqa: PLR2004 - `STATE PARENT …`
            return False
        pid = int(fields[1])
    return False


def message_of_head(worktree: str) -> str:
    """The message that an amend takes the place of; nothing where there is none."""
    from tapehead.git.run import GitFailed, git  # noqa: PLC0415 - only for an amend

    try:
        return git(worktree, "log", "-1", "--format=%B", timeout=_SECONDS).decode("utf-8", "surrogateescape")
    except GitFailed:
        return ""


def _read(proc: str, pid: int, name: str) -> bytes:
    try:
        with open(os.path.join(proc, str(pid), name), "rb") as file:
            return file.read(1 << 16)
    except OSError:
        return b""
