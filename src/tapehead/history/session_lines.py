"""The memory of a session as lines of text, and back: what goes along when its work is handed to another machine.

A row is known by its source there as here, so taking the same lines in twice adds nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tapehead.history.compression import storable
from tapehead.history.layers import DETAIL, KINDS, LAYERS, LINE, ROLES, SKELETON, TAKEN_BACK, Entry
from tapehead.history.ready_entries import prepare_entries
from tapehead.history.recall import entry
from tapehead.history.turn_lines import TurnLines
from tapehead.history.writing import Keeper, Mark
from tapehead.transcript.recorded_steps import Cursor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.history.database import Database

SMALL = 8 * 1024 * 1024
"""Bytes of detail that still go along; of more than that only what was said does."""
_SHAPE = (str, int, int, str, str, str, str, str, str, str, int)
_MOST_TURNS = 1 << 31
_KINDS = (*KINDS, TAKEN_BACK)
_ROWS = (
    "FROM entries e JOIN sessions o ON o.number = e.origin JOIN sessions s ON s.number = e.session WHERE s.id = ? AND"
    " (e.layer < 3 OR ?)"
)
_COLUMNS = "e.source, e.turn, e.layer, e.role, e.kind, e.time, e.body, o.id, e.name, e.file, e.length"


def rows_of(database: Database, session: str, small: int = SMALL) -> list[Entry]:
    """All that is remembered of a session, in order; without the detail where that is big."""
    sizes = "SELECT coalesce(sum(length(e.body)), 0) FROM entries e JOIN sessions s ON s.number = e.session"
    size = int(str(database.rows(f"{sizes} WHERE s.id = ? AND e.layer = ?", (session, DETAIL))[0][0]))
    rows = database.rows(f"SELECT {_COLUMNS} {_ROWS} ORDER BY e.id", (session, size <= small))
    found = map(entry, rows)
    return [one._replace(origin="") if one.origin == session else one for one in found]


def written(row: Entry) -> bytes:
    """A row as a line."""
    return json.dumps(list(row), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def read(lines: Iterable[bytes]) -> list[Entry]:
    """The rows of lines that came from elsewhere; what is none is passed over."""
    found = []
    for line in lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, list) and tuple(map(type, row)) == _SHAPE and _is_one(one := Entry(*row)):
            found.append(one)
    return found


def _is_one(row: Entry) -> bool:
    numbers = 0 <= row.turn < _MOST_TURNS and 0 <= row.length < _MOST_TURNS
    return bool(row.source) and numbers and row.layer in LAYERS and row.role in ROLES and row.kind in _KINDS


def take(database: Database, about: dict[str, Any], rows: list[Entry], path: str, size: int) -> int:
    """Take rows in; how many were new. `path` is the transcript that came along, which is thereby known to its end."""
    session = storable(str(about["session"]))
    mark = Mark(Cursor(offset=size, about={key: about.get(key) for key in ("cwd", "branch", "model", "title")}))
    said = prepare_entries([row for row in rows if row.layer != SKELETON or row.kind == TAKEN_BACK], mark)
    new = Keeper(database).take(session, str(about.get("agent") or ""), path, said)
    with database.writing():
        for (number,) in database.rows("SELECT number FROM sessions WHERE id = ?", (session,)):
            for row in (row for row in rows if row.kind == LINE):  # as they read where more was known
                TurnLines(database).replace(int(str(number)), row.turn, storable(row.body), storable(row.name))
    return new
