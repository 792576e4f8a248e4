"""Bringing an index of words over to a new form, in steps, while everybody goes on.

The old index keeps what lies below a mark, the new one has what lies above it; a step takes the entries just below the mark over and
moves the mark, all in one stroke. So a search asks both and finds everything once, a writer knows which of the two an entry belongs
to, and whoever is killed in the middle of a step has done nothing.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from tapehead.history import layers
from tapehead.history.call_words import without_names
from tapehead.history.compression import unpack_body
from tapehead.history.index_words import index_words, session_tag, split, tags
from tapehead.history.migrations import RENEWED
from tapehead.history.own_words import is_ours

if TYPE_CHECKING:
    from tapehead.history.database import Database

INDEX_OF = {layers.HUMAN: "words_of_people", layers.AGENT: "words_of_agents"}
TOOLS_INDEX = "words_of_tools"
INDEXES = (*INDEX_OF.values(), TOOLS_INDEX)
FORM = 3
"""The form that an index has now: a change of what `words_of` gives makes it another. 2 had the names of a call's arguments as words."""
_LAST = 2**62
_STEP = 1_000
"""Entries of a step: a writer beside it waits no longer than some tenths of a second."""
_BELOW = "SELECT id, session, role, kind, name, file, body FROM entries WHERE id < ? ORDER BY id DESC LIMIT ?"


class Table(NamedTuple):
    """A table of words, and the last entry that it is asked for."""

    name: str
    last: int = _LAST


def mark_of(database: Database) -> int:
    """The entry from which on everything is in the new index; 0 where there is no old one any more."""
    rows = database.rows("SELECT mark FROM renewal")
    return int(str(rows[0][0])) if rows else 0


def tables_of(database: Database, index: str) -> list[Table]:
    """Where the words of an index are."""
    mark = mark_of(database)
    return [Table(index), *([Table(f"old_{index}", mark - 1)] if mark else [])]


def index_of(role: str, kind: str) -> str:
    """The index of an entry; the lines of turns stand with the words of people."""
    return INDEX_OF["human"] if kind in (layers.LINE, layers.COVERED) else INDEX_OF.get(role, TOOLS_INDEX)


def words_of(role: str, kind: str, name: str, body: str) -> str:
    """What an index is given of an entry: nothing of what came from here, or it would be found again and again."""
    if is_ours(kind, name, body):
        return ""
    if kind == layers.CALL:
        return index_words(without_names(body))
    return split(body) if role == layers.TOOL else index_words(body)


def renew(database: Database, seconds: float = 0.0) -> bool:
    """Take steps for some time, at least one; whether all is brought over."""
    until = time.monotonic() + seconds
    while not _is_renewed(database):
        with database.writing():
            _step(database)
        if time.monotonic() >= until:
            break
    return _is_renewed(database)


def _is_renewed(database: Database) -> bool:
    return not mark_of(database) and form_of(database) == FORM


def form_of(database: Database) -> int:
    """The form of the new index, or of the only one."""
    return int(str(database.rows("SELECT form FROM word_form")[0][0]))


def put_aside(database: Database) -> None:
    """Begin a renewal, inside `writing`: the indexes are the old ones now, and empty ones stand in their place."""
    for statement in RENEWED:
        database.run(statement)
    database.run("UPDATE word_form SET form = ?", (FORM,))
    if not mark_of(database):
        drop_old(database)


def _step(database: Database) -> None:
    mark = mark_of(database)
    if not mark:
        if form_of(database) != FORM:  # otherwise another process was faster
            put_aside(database)
        return
    rows = database.rows(_BELOW, (mark, _STEP))
    gathered: dict[str, list[tuple[object, ...]]] = {index: [] for index in INDEXES}
    for ident, session, role, kind, name, file, body in reversed(rows):
        words = words_of(str(role), str(kind), str(name), unpack_body(body))
        told = f"{tags(str(kind), str(file))} {session_tag(int(str(session)))}"
        gathered[index_of(str(role), str(kind))].append((ident, words, told))
    for index, found in gathered.items():
        database.run_all(f"INSERT INTO {index} (rowid, body, tags) VALUES (?, ?, ?)", found)  # noqa: S608 - our own names
    if rows:
        database.run("UPDATE renewal SET mark = ?", (rows[-1][0],))
    else:
        drop_old(database)


def drop_old(database: Database) -> None:
    """Let go of the old index, inside `writing`."""
    for index in INDEXES:
        database.run(f"DROP TABLE IF EXISTS old_{index}")
    database.run("DELETE FROM renewal")
