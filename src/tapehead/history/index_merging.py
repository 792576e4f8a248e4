"""Keeping an index of words quick: each stroke of writing leaves a piece of its own, and a search looks into every piece."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tapehead.history.renewal import INDEXES

if TYPE_CHECKING:
    from tapehead.history.database import Database

_PAGES = 500
"""Pages that are written in one step, of four kilobytes each: another writer waits no longer than some hundredths of a second."""
_NOTHING = 2
"""SQLite counts fewer changes than that where there was nothing to do."""


def merge(database: Database, seconds: float) -> None:
    """Make one of every four pieces that are about as large, step by step, as long as there is time. What is left the next one does."""
    until = time.monotonic() + seconds
    for index in INDEXES:
        while _merge_some(database, index) and time.monotonic() < until:
            pass


def _merge_some(database: Database, index: str) -> bool:
    before = _changes(database)
    with database.writing():
        database.run(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)", (_PAGES,))  # noqa: S608 - our own names
    return _changes(database) - before >= _NOTHING


def _changes(database: Database) -> int:
    return int(str(database.rows("SELECT total_changes()")[0][0]))
