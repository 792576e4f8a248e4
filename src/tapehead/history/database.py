"""memory.db, opened: the one place that knows sqlite3.

Many processes use it at once and any of them may be killed: the write-ahead log lets readers and one writer work side by side, a
writer says so before it begins, and whoever must wait waits and tries again.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.history.migrations import MIGRATIONS
from tapehead.history.renewal import drop_old, mark_of
from tapehead.store.paths import make_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self, TypeVar

    Row = tuple[object, ...]
    Answer = TypeVar("Answer")

_PATIENCE = 30.0
"""Seconds that a writer waits for another: an import holds the database for a moment at a time."""
_OPENING = (
    # A commit need not wait for the disk: after a power failure the last ones may be gone, and their cursors with them.
    "PRAGMA synchronous = NORMAL",
    "PRAGMA cache_size = -16000",
    "PRAGMA temp_store = MEMORY",
)
_PAGE = "PRAGMA page_size = 16384"
"""Most of what is stored are texts of some kilobytes: in small pages each is a chain of them."""
_IN_BULK = ("PRAGMA cache_size = -64000", "PRAGMA wal_autocheckpoint = 300")
"""For many megabytes at once. The log is put away while others still read: what is left of it at the end the disk must take alone."""
_VERSION_AT = 60
"""Where the head of a file says its version."""
_NO_VERSION = 10_000
"""More versions than there will be: such a number is damage."""


class Unusable(Exception):
    """The database cannot be used; the words are for a user."""


class Newer(Unusable):
    """It was made by a newer version."""


class Damaged(Unusable):
    """It is no database any more."""


class Conflict(Exception):
    """Something of what was to be written is there already."""


class Database:
    """One open memory."""

    def __init__(self, path: str, *, wait: float = _PATIENCE, bulk: bool = False, looking: bool = False) -> None:
        self.path = path
        self.wait = wait
        self.looking = looking
        """Whoever only looks changes nothing. (A connection that SQLite calls read-only would leave a log behind.)"""
        _must_be_regular(path)
        _refuse_newer(path)
        if not looking:
            _make_private(path)
        with _explained(path):
            self.connection = self._connected()
            try:
                self._refuse_older() if looking else self._bring_up()
                for statement in _IN_BULK if bulk else ():
                    self.connection.execute(statement)
            except BaseException:
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
            return self._patiently(lambda: self.connection.execute(statement, values).fetchall())

    def each(self, statement: str, values: tuple[object, ...] = ()) -> Iterator[Row]:
        """Ask for as many answers as will be wanted: whoever has enough leaves."""
        with _explained(self.path):
            yield from self._patiently(lambda: self.connection.execute(statement, values))

    def run(self, statement: str, values: tuple[object, ...] = ()) -> int:
        """Change something, inside `writing`; how many rows it were."""
        with _explained(self.path):
            return self.connection.execute(statement, values).rowcount

    def run_all(self, statement: str, values: Iterable[tuple[object, ...]]) -> int:
        """Change many things alike, inside `writing`; how many rows it were."""
        with _explained(self.path):
            return self.connection.executemany(statement, values).rowcount

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All of it or nothing; one writer at a time."""
        if self.looking:
            raise Unusable(f"{self.path} was opened to look at")
        with _explained(self.path):
            self._patiently(lambda: self.connection.execute("BEGIN IMMEDIATE"))
        try:
            yield
            with _explained(self.path):
                self.connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def trying(self) -> Iterator[None]:
        """A part of what is written, which is taken back where it fails."""
        self.run("SAVEPOINT trying")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK TO trying")
            raise
        finally:
            with suppress(sqlite3.Error):
                self.connection.execute("RELEASE trying")

    def _patiently(self, work: Callable[[], Answer]) -> Answer:
        """Wait for one's turn. Some waits SQLite does not do by itself: the log is made or put away, another one mends it."""
        until = time.monotonic() + self.wait
        while True:
            try:
                return work()
            except sqlite3.OperationalError as error:
                if not _busy(error) or time.monotonic() > until:
                    raise
            time.sleep(0.02)

    def _connected(self) -> sqlite3.Connection:
        """Open it; only to read, where nothing beside it can be written."""
        try:
            return self._open(self.path)
        except sqlite3.OperationalError:
            if os.access(os.path.dirname(self.path), os.W_OK) or _has_log(self.path):
                raise  # what is only in the log cannot be read without writing beside it
        from urllib.parse import quote  # noqa: PLC0415 - only here

        return self._open(f"file:{quote(self.path)}?immutable=1")

    def _open(self, name: str) -> sqlite3.Connection:
        connection = sqlite3.connect(name, timeout=self.wait, isolation_level=None, uri=name != self.path)
        try:
            for statement in (*_OPENING, "SELECT count(*) FROM sqlite_schema"):
                self._patiently(partial(connection.execute, statement)).fetchall()
        except BaseException:
            connection.close()
            raise
        return connection

    def _bring_up(self) -> None:
        """Let it see the migrations that it has not seen."""
        if self._version() == len(MIGRATIONS):
            return
        self.connection.execute(_PAGE)  # of no effect where there is a table already
        self._patiently(lambda: self.connection.execute("PRAGMA journal_mode = WAL"))
        with self.writing():
            for number, script in enumerate(MIGRATIONS[self._version() :], self._version() + 1):
                for statement in script.split(";\n"):
                    self.connection.execute(statement)
                self.connection.execute(f"PRAGMA user_version = {number:d}")
            if not mark_of(self):
                drop_old(self)

    def _refuse_older(self) -> None:
        """Refuse what would have to be changed before it can be read."""
        if self._version() < len(MIGRATIONS):
            raise Unusable(
                f"{self.path} was made by an older version of tapehead; `tapehead search WORDS` brings it over"
            )

    def _version(self) -> int:
        version = int(str(self.rows("PRAGMA user_version")[0][0]))
        if version > len(MIGRATIONS):
            raise _newer(self.path, version)
        return version


def _must_be_regular(path: str) -> None:
    """SQLite would follow a link and wait for a pipe."""
    for name in (path, f"{path}-wal", f"{path}-shm", f"{path}-journal"):
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(name).st_mode):
                raise Unusable(f"{name} is not a regular file; `tapehead doctor --fix` moves it out of the way")


def _refuse_newer(path: str) -> None:
    """Look at the head of the file alone: to open a database may change it."""
    with suppress(OSError), door.open_reader(path) as file:
        head = file.read(100)
        version = int.from_bytes(head[_VERSION_AT : _VERSION_AT + 4], "big")
        if head.startswith(b"SQLite format 3\0") and len(MIGRATIONS) < version < _NO_VERSION:
            raise _newer(path, version)


def _newer(path: str, version: int) -> Newer:
    return Newer(f"{path} was made by a newer version of tapehead ({version}); it is left alone")


def _make_private(path: str) -> None:
    """SQLite makes the files beside it with the same rights."""
    make_private(os.path.dirname(path))
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _has_log(path: str) -> bool:
    with suppress(OSError):
        return os.path.getsize(f"{path}-wal") > 0
    return False


def _busy(error: sqlite3.Error) -> bool:
    return any(word in str(error) for word in ("locked", "busy", "locking"))


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Say what is the matter in words that help."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if _busy(error):
            raise Unusable(f"{path} is in use by another process that does not let go; try again") from error
        raise Unusable(f"{path} cannot be used: {error}") from error
    except sqlite3.IntegrityError as error:
        raise Conflict(str(error)) from error
    except sqlite3.ProgrammingError:
        raise  # our own mistake, and none of the database's
    except sqlite3.DatabaseError as error:
        raise Damaged(
            f"{path} is damaged ({error}); `tapehead doctor --fix` moves it to the quarantine, then `tapehead import` fills a new one"
        ) from error
