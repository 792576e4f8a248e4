"""A graph of the user's commits in the repository beside theirs, with the files that each changed. With it, git's blame of a very long history takes a fifth.

It is written in the background where git was slow, and only ours: nothing goes into the user's repository. What it does not have yet, git reads as always.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from tapehead.git.run import GitFailed, git

SLOW = 0.7
"""Seconds of a blame after which a graph is worth its while."""
_SECONDS = 600.0
_LEFT = 3600.0
"""Seconds after which the lock is that of a git that was killed."""


def find_env(side: str) -> dict[str, str]:
    """The environment of a git that is to use it; nothing where there is none. Our objects borrow the user's."""
    objects = os.path.join(side, "objects")
    chain = os.path.join(objects, "info", "commit-graphs", "commit-graph-chain")
    return {"GIT_OBJECT_DIRECTORY": objects} if side and os.path.exists(chain) else {}


def main(side: str, commit: str) -> None:
    """Writes it for all that a commit builds on; only what is new, where there is one."""
    lock = os.path.join(side, "objects", "info", "commit-graphs", "commit-graph-chain.lock")
    with suppress(OSError):
        if time.time() - os.stat(lock).st_mtime > _LEFT:
            os.unlink(lock)
    how = (
        "--split" if find_env(side) else "--split=replace"
    )  # else git leaves out what the user's own graph has, without files
    words = ("commit-graph", "write", "--stdin-commits", "--changed-paths", how, "--no-progress")
    with suppress(GitFailed):  # another one is at it, or this git cannot: it stays slow
        git(side, *words, timeout=_SECONDS, stdin=f"{commit}\n".encode(), env={"GIT_DIR": side}, private=True)
