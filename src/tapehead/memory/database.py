"""memory.db, opened: the one place that knows sqlite3.

Many processes use it at once and any of them may be killed: the write-ahead log lets readers and one writer work side by side, a
writer says so before it begins, and whoever must wait waits and tries again.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self

from tapehead.memory.migrations import MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = tuple[object, ...]
_PATIENCE = 30.0
"""Seconds that a writer waits for another: an import holds the database for a moment at a time."""


class Unusable(Exception):
    """The database cannot be used; the words are for a person."""


class Newer(Unusable):
    """It was made by a newer version."""


class Damaged(Unusable):
    """It is no database any more."""


class Database:
    """One open memory."""

    def __init__(self, path: str, *, wait: float = _PATIENCE) -> None:
        self.path = path
        _make_private(path)
        self.connection = sqlite3.connect(path, timeout=wait, isolation_level=None)
        self.wait = wait
        try:
            with _explained(path):
                self._prepare()
        except Unusable:
            self.connection.close()
            raise

    def close(self) -> None:
        """Let go of it."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rows(self, statement: str, values: tuple[object, ...] | dict[str, object] = ()) -> list[Row]:
        """Ask."""
        with _explained(self.path):
            return self.connection.execute(statement, values).fetchall()

    def run(self, statement: str, values: tuple[object, ...] = ()) -> int:
        """Change something, inside `writing`; how many rows it were."""
        with _explained(self.path):
            return self.connection.execute(statement, values).rowcount

    def run_all(self, statement: str, values: list[tuple[object, ...]]) -> int:
        """Change many things alike, inside `writing`; how many rows it were."""
        with _explained(self.path):
            return self.connection.executemany(statement, values).rowcount

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All of it or nothing; one writer at a time."""
        with _explained(self.path):
            self._begin()
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
            raise
        with _explained(self.path):
            self.connection.execute("COMMIT")

    def _begin(self) -> None:
        """Wait for one's turn. Some waits SQLite does not do by itself (the log is being put away, a file system is slow)."""
        until = time.monotonic() + self.wait
        while True:
            try:
                self.connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not _busy(error) or time.monotonic() > until:
                    raise
                time.sleep(0.02)
            else:
                return

    def _prepare(self) -> None:
        # A commit need not wait for the disk: after a power failure the last ones may be gone, and their cursors with them.
        self.connection.execute("PRAGMA synchronous = NORMAL")
        version = self._version()
        if version > len(MIGRATIONS):
            raise Newer(f"{self.path} was made by a newer version of tapehead ({version}); it is left alone")
        if version == len(MIGRATIONS):
            return
        self._until_done("PRAGMA journal_mode = WAL")
        with self.writing():
            for number, script in enumerate(MIGRATIONS[self._version() :], self._version() + 1):
                for statement in script.split(";\n"):
                    self.connection.execute(statement)
                self.connection.execute(f"PRAGMA user_version = {number:d}")

    def _version(self) -> int:
        return int(self.connection.execute("PRAGMA user_version").fetchone()[0])

    def _until_done(self, statement: str) -> None:
        """Run what SQLite refuses at once where another does the same: it is done then, or soon."""
        until = time.monotonic() + self.wait
        while True:
            try:
                self.connection.execute(statement)
            except sqlite3.OperationalError as error:
                if not _busy(error) or time.monotonic() > until:
                    raise
                time.sleep(0.02)
            else:
                return


def _make_private(path: str) -> None:
    """SQLite makes the files beside it with the same rights."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _busy(error: sqlite3.Error) -> bool:
    return "locked" in str(error) or "busy" in str(error)


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Say what is the matter in words that help."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if _busy(error):
            raise Unusable(f"{path} is in use by another process that does not let go; try again") from error
        raise Unusable(f"{path} cannot be used: {error}") from error
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # our own mistake, and none of the database's
    except sqlite3.DatabaseError as error:
        raise Damaged(
            f"{path} is damaged ({error}); `tapehead doctor --fix` sets it aside, `tapehead import` fills a new one"
        ) from error
