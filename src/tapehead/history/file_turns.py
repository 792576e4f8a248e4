"""Which turns changed a file, and what was asked in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.history import layers
from tapehead.history.compression import unpack_body
from tapehead.history.index_words import file_tag, kind_tag
from tapehead.history.renewal import INDEX_OF, tables_of

if TYPE_CHECKING:
    from tapehead.history.database import Database

LIMIT = 10
_LOOKED_AT = 2_000
"""Calls on files of that name that are looked at."""
EDITS = ("Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "write_file", "replace")


class Touched(NamedTuple):
    """A turn that changed a file."""

    session: str
    turn: int
    time: str
    file: str
    asked: str
    """The prompt of the turn."""


def turns_that_changed(database: Database, file: str, limit: int = LIMIT) -> list[Touched]:
    """The turns in which an agent changed a file (its path, or the end of it), the newest first."""
    found: dict[tuple[object, object], Touched] = {}
    for ident in _calls(database, file):
        rows = database.rows(
            "SELECT e.session, e.turn, e.time, e.file, s.id, e.name FROM entries e JOIN sessions s ON s.number = e.session"
            " WHERE e.id = ? AND (e.file = ? OR substr(e.file, -length(?)) = ?)",
            (ident, file, f"/{file}", f"/{file}"),
        )
        for session, turn, time, path, name, tool in rows:
            if tool in EDITS and (session, turn) not in found:
                asked = _asked(database, int(str(session)), int(str(turn)))
                found[session, turn] = Touched(str(name), int(str(turn)), str(time), str(path), asked)
        if len(found) >= limit:
            break
    return list(found.values())


def _calls(database: Database, file: str) -> list[int]:
    asked = f'"{file_tag(file)}" AND "{kind_tag(layers.CALL)}"'
    found: list[int] = []
    for table in tables_of(database, INDEX_OF[layers.AGENT]):
        # The name is our own.
        statement = (
            f"SELECT rowid FROM {table.name} WHERE {table.name} MATCH ? AND rowid <= ? ORDER BY rowid DESC LIMIT ?"  # noqa: S608
        )
        found += [int(str(row[0])) for row in database.rows(statement, (asked, table.last, _LOOKED_AT))]
    return found


def _asked(database: Database, session: int, turn: int) -> str:
    rows = database.rows(
        "SELECT body FROM entries WHERE session = ? AND turn = ? AND layer = ? AND kind = ? ORDER BY id LIMIT 1",
        (session, turn, layers.BODY, layers.PROMPT),
    )
    return unpack_body(rows[0][0]) if rows else ""
