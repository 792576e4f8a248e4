"""Which commits on record changed a file: an index beside the ref, so that a question about one commit need not read the records of all.

It is made from the ref, and follows it by what changed since. Whoever finds it broken or cannot write it makes one in memory.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from tapehead.checkpoints import checkpoint as values
from tapehead.git.blobs import Blobs
from tapehead.git.run import GitFailed, git
from tapehead.store.paths import make_private, open_own

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.checkpoints.checkpoint_ref import Checkpoints

NAME = "record-paths.db"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS paths (path BLOB, recorded TEXT, PRIMARY KEY (path, recorded)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_commit ON paths (recorded);
CREATE TABLE IF NOT EXISTS examined (path BLOB, name TEXT, PRIMARY KEY (path, name)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_name ON examined (name);
"""
_SECONDS, _WAIT = 60.0, 5.0
_AT_ONCE = 400
"""Fewer than an old SQLite takes in one question, twice."""


class RecordIndex:
    """The index as the ref is now."""

    def __init__(self, kept: Checkpoints) -> None:
        self.kept = kept
        self.tip = kept.tip()
        path = os.path.join(kept.side.path, NAME)
        try:
            self._base = self._opened(path)
        except (sqlite3.Error, OSError):
            with suppress(OSError):
                os.unlink(path)
            self._base = self._opened(":memory:")

    def begun(self) -> int:
        """When the first record was made, less a day; 0 where there is none."""
        return int(self._about("begun") or 0)

    def __bool__(self) -> bool:
        """Whether anything is on record that was seen being made."""
        return self._base.execute("SELECT 1 FROM paths LIMIT 1").fetchone() is not None

    def commits_of(self, path: bytes) -> list[str]:
        """The recorded commits that have lines of an agent in a file."""
        return [row[0] for row in self._base.execute("SELECT recorded FROM paths WHERE path = ?", (path,))]

    def without(self, commits: list[str]) -> list[str]:
        """Those of commits that are neither on record nor examined since the last record came that has a file of theirs."""
        known: set[str] = set()
        for begin in range(0, len(commits), _AT_ONCE):
            some = commits[begin : begin + _AT_ONCE]
            marks = ",".join("?" * len(some))
            found = f"SELECT recorded FROM paths WHERE recorded IN ({marks}) UNION SELECT name FROM examined WHERE name IN ({marks})"  # noqa: S608 - only question marks
            known.update(row[0] for row in self._base.execute(found, [*some, *some]))
        return [name for name in commits if name not in known]

    def note_examined(self, rows: Iterable[tuple[bytes, str]]) -> None:
        """Remembers commits by their files: a sync need not look at them again."""
        with suppress(sqlite3.Error):  # somebody else writes, or nobody may: they are looked at once more
            self._base.executemany("INSERT OR IGNORE INTO examined VALUES (?, ?)", rows)

    def __del__(self) -> None:
        """Closes the file with the index: from Python 3.13 on a connection that is merely let go of is warned about."""
        if (base := getattr(self, "_base", None)) is not None:
            with suppress(sqlite3.Error):  # whoever is last may be another thread
                base.close()

    def _opened(self, path: str) -> sqlite3.Connection:
        if path != ":memory:":
            make_private(self.kept.side.path)
            os.close(open_own(path, os.O_CREAT | os.O_RDWR))
        base = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
        try:
            base.executescript(_SCHEMA)
            self._base = base
            if self._about("tip") != self.tip:
                base.execute("BEGIN IMMEDIATE")
                self._follow(self._about("tip"))
                base.execute("COMMIT")
        except BaseException:
            with closing(base):
                raise
        return base

    def _about(self, name: str) -> str:
        found = self._base.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return str(found[0]) if found else ""

    def _follow(self, old: str) -> None:
        """Takes in what changed since the ref was another commit; all of it where that one is not known any more."""
        try:
            rows, begun = self._changed(old), self._roots(f"{old}..{self.tip}") if old else []
        except GitFailed as error:
            error.raise_if_killed()
            old = ""
        if not old:
            self._base.execute("DELETE FROM paths")
            self._base.execute("DELETE FROM examined")
            self._base.execute("DELETE FROM about")
            rows, begun = self._listed(), [self.kept.begun()] if self.tip else []
        self._take(rows)
        first = min([*begun, *([self.begun()] if old else [])], default=0)
        self._base.executemany("REPLACE INTO about VALUES (?, ?)", [("tip", self.tip), ("begun", str(first))])

    def _changed(self, old: str) -> list[tuple[str, str]]:
        """The records that differ: the commit, and its record's object."""
        if not old:
            return []
        words = self._git("diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", old, self.tip, "--", "by-commit")
        pairs = words.split(b"\0")
        return [_named(path, about.split(b" ")[3]) for about, path in zip(pairs[::2], pairs[1::2], strict=False)]

    def _listed(self) -> list[tuple[str, str]]:
        raw = self._git("ls-tree", "-r", "-z", self.tip, "--", "by-commit") if self.tip else b""
        rows = (row.partition(b"\t") for row in raw.split(b"\0") if row)
        return [_named(path, about.split(b" ")[2]) for about, _, path in rows]

    def _roots(self, commits: str) -> list[int]:
        raw = self._git("log", "--max-parents=0", "--format=%ct", commits)
        return [max(int(row) - 86_400, 0) for row in raw.split()]

    def _take(self, rows: list[tuple[str, str]]) -> None:
        for begin in range(0, len(rows), _AT_ONCE):
            some = rows[begin : begin + _AT_ONCE]
            read = Blobs(lambda *words, stdin=b"": self._git(*words, stdin=stdin))
            read.fetch(name for _, name in some if name.strip("0"))
            self._base.executemany("DELETE FROM paths WHERE recorded = ?", [(commit,) for commit, _ in some])
            found = ((commit, read(name)) for commit, name in some if name.strip("0"))
            new = list(_paths(found))
            self._base.executemany("INSERT OR IGNORE INTO paths VALUES (?, ?)", new)
            again = "DELETE FROM examined WHERE name IN (SELECT name FROM examined WHERE path = ?)"
            self._base.executemany(again, {(path,) for path, _ in new if path})

    def _git(self, *words: str, stdin: bytes = b"") -> bytes:
        return git(self.kept.side.common_dir, *words, timeout=_SECONDS, most=1 << 28, stdin=stdin)


def _named(path: bytes, name: bytes) -> tuple[str, str]:
    """The commit that a record's path is for, and its object."""
    commit = path.decode("ascii", "replace").removeprefix("by-commit/").removesuffix(".json").replace("/", "", 1)
    return commit, name.decode("ascii")


def _paths(found: Iterable[tuple[str, bytes]]) -> Iterator[tuple[bytes, str]]:
    """What was worked out is no ground for working out more."""
    for commit, raw in found:
        record = values.read_record(raw)
        if record is not None and record.commit == commit and not record.derived:
            yield b"", commit  # so that one without a file counts too
            yield from ((path, commit) for path in record.files)
