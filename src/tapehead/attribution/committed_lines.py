"""Whose a committed line is: git blame says which commit brought it, and that commit's record says who wrote it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from tapehead.checkpoints.line_owners import HUMAN, join_runs, owner_at
from tapehead.git import commit_graph
from tapehead.git.quoting import unquote_path
from tapehead.git.run import GitFailed, git

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.checkpoints.checkpoint import Record
    from tapehead.checkpoints.line_owners import Files

_SECONDS = 30.0
_MOST = 1 << 27
_PLAIN = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_HASH = (40, 64)

Origin = tuple[str, bytes, int]
"""A commit, the file's name in it, and the line's number in it."""


class History:
    """One repository's past."""

    def __init__(self, directory: str, records: Callable[[set[str]], dict[str, Record]], beside: str = "") -> None:
        self.directory = directory
        self.beside = beside
        """The repository beside it (`side`), which has the same objects and none of its settings."""
        self.records = records
        """Whose lines commits brought, as far as anything is on record."""
        self.is_slow = False
        """Whether git took long to answer."""
        self._blamed: dict[tuple[str, bytes], list[Origin]] = {}
        self._known: dict[str, Files] = {}

    def owner(self, commit: str, path: bytes, line: int) -> str:
        """Whose the line of a file at a commit is."""
        origins = self.blame(commit, path)
        if not 0 < line <= len(origins):
            return HUMAN
        brought_by, name, number = origins[line - 1]
        return owner_at(self._known[brought_by].get(name, ()), number)

    def blame(self, commit: str, path: bytes) -> list[Origin]:
        """Where each line of a file comes from; nothing where the commit has no such file. Raises where git does not tell.

        Instead of a commit, a range (`A..B`): how it is at the end, and no further back than the beginning.
        """
        key = (commit, path)
        if key not in self._blamed:
            self._blamed[key] = parse_blame(self._asked(commit, os.fsdecode(path)))
            self._learn({origin[0] for origin in self._blamed[key]} - self._known.keys())
        return self._blamed[key]

    def _asked(self, commit: str, path: str) -> bytes:
        """What git says. A setting can make it fail (`blame.ignoreRevsFile` names a file that is not here): once more without settings."""
        words = ("-c", "blame.ignoreRevsFile=", "blame", "--porcelain", commit, "--", path)
        began = time.monotonic()
        try:
            return git(self.directory, *words, timeout=_SECONDS, most=_MOST, env=commit_graph.find_env(self.beside))
        except GitFailed as error:
            error.raise_if_killed()
            if not self._has(commit, path):
                return b""
            if not self.beside:
                raise
            try:
                return git(self.beside, *words, timeout=_SECONDS, most=_MOST, env={**_PLAIN, "GIT_DIR": self.beside})
            except GitFailed:
                raise error from None
        finally:
            self.is_slow = self.is_slow or time.monotonic() - began > commit_graph.SLOW

    def _has(self, commit: str, path: str) -> bool:
        try:
            git(self.directory, "cat-file", "-e", f"{commit.rpartition('..')[2]}:{path}", timeout=_SECONDS)
        except GitFailed as error:
            error.raise_if_killed()
            return False
        return True

    def _learn(self, commits: set[str]) -> None:
        found = self.records(commits) if commits else {}
        self._known |= {
            commit: {path: join_runs(runs) for path, runs in found[commit].files.items()} if commit in found else {}
            for commit in commits
        }


def parse_blame(raw: bytes) -> list[Origin]:
    """`git blame --porcelain`: for each line its commit and its number there; the file's name the first time only."""
    found: list[Origin] = []
    names: dict[str, bytes] = {}
    commit, number = "", 0
    for line in raw.split(b"\n"):
        if line.startswith(b"\t"):
            found.append((commit, names.get(commit, b""), number))
        elif line.startswith(b"filename "):
            names[commit] = unquote_path(line[9:])
        else:
            words = line.split(b" ")
            if len(words[0]) in _HASH and len(words) > 2 and words[1].isdigit():  # noqa: PLR2004 - `HASH OLD NEW [COUNT]`
                commit, number = words[0].decode("ascii"), int(words[1])
    return found
