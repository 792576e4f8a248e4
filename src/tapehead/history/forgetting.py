"""Taking a session out of the history for good: its entries, who goes on from it, and its words in the indexes."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.history.compression import storable
from tapehead.history.database import Unusable
from tapehead.history.renewal import put_aside, renew

if TYPE_CHECKING:
    from tapehead.history.database import Database

_OWN = "FROM entries WHERE session = (SELECT number FROM sessions WHERE id = :id) OR origin = (SELECT number FROM sessions WHERE id = :id)"
_LONG = 3600.0


def entries_of(database: Database, session: str) -> int:
    """How many entries there are of a session."""
    return int(str(database.rows(f"SELECT count(*) {_OWN}", {"id": storable(session)})[0][0]))


def forget(database: Database, session: str) -> int:
    """Removes them; returns how many it were.

    An index of words cannot let go of one entry, so all of them are made again from what is left, as after a new version. Whoever kills
    this leaves a history without the session, whose indexes the next search goes on with.
    """
    name = storable(session)
    renew(database, _LONG)  # one renewal at a time
    database.rows("PRAGMA secure_delete = ON")  # what is removed is overwritten, not only let go of
    with database.writing():
        removed = database.run(f"DELETE {_OWN.replace(':id', '?')}", (name, name))
        database.run("DELETE FROM cursors WHERE session = (SELECT number FROM sessions WHERE id = ?)", (name,))
        database.run("DELETE FROM lineage WHERE session = ? OR parent = ?", (name, name))
        database.run("DELETE FROM sessions WHERE id = ?", (name,))
        if removed:
            put_aside(database)
    renew(database, _LONG)
    with suppress(Unusable):  # somebody reads: the log is put away the next time
        database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    return removed
