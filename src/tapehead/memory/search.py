"""Full-text search: the newest first, and what a person said before what an agent said before what a tool said.

An entry's id begins with its time, so an index read backwards gives the newest first and stops when it has enough: a million rows
cost no more than a thousand.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from tapehead.memory.keeping import INDEXES
from tapehead.memory.layers import HUMAN
from tapehead.memory.packing import unpacked
from tapehead.memory.snippet import snippet
from tapehead.memory.wording import Query, query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.memory.database import Database

LIMIT = 20
_WEIGHTS = dict(zip(INDEXES, (4.0, 2.0, 1.0), strict=True))
_FADES = 180 * 86_400_000
"""Milliseconds after which a hit counts for half."""
_PATIENCE = 4_000
"""Entries per index that are looked at for a phrase before giving up on more."""


class Wanted(NamedTuple):
    """What is looked for, and where."""

    words: str
    sessions: tuple[str, ...] = ()
    """Only in these; empty means in all."""
    project: str = ""
    kinds: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    since: str = ""
    file: str = ""
    limit: int = LIMIT


class Hit(NamedTuple):
    """A place where it stands."""

    session: str
    turn: int
    time: str
    layer: int
    role: str
    kind: str
    name: str
    file: str
    project: str
    snippet: str
    score: float


def search(database: Database, wanted: Wanted) -> list[Hit]:
    """The best hits. Words that are found nowhere as they are may be the beginning of longer ones."""
    asked = query(wanted.words)
    if not asked.terms:
        return []
    hits = _ranked(database, wanted, asked, begins=False)
    if len(hits) < wanted.limit:
        known = {(hit.session, hit.turn, hit.kind, hit.snippet) for hit in hits}
        more = _ranked(database, wanted, asked, begins=True)
        hits += [hit for hit in more if (hit.session, hit.turn, hit.kind, hit.snippet) not in known]
    return hits[: wanted.limit]


def _ranked(database: Database, wanted: Wanted, asked: Query, *, begins: bool) -> list[Hit]:
    found = [pair for index in INDEXES for pair in _in_index(database, index, wanted, asked, begins=begins)]
    newest = max((ident for ident, _ in found), default=0)
    hits = [
        hit._replace(score=round(hit.score * 0.5 ** (((newest - ident) >> 20) / _FADES), 4)) for ident, hit in found
    ]
    return sorted(hits, key=lambda hit: -hit.score)


def _in_index(
    database: Database, index: str, wanted: Wanted, asked: Query, *, begins: bool
) -> Iterator[tuple[int, Hit]]:
    conditions, values = _filters(wanted)
    # The parts that vary are our own names, and marks for values.
    statement = (
        "SELECT e.id, s.id, e.turn, e.time, e.layer, e.role, e.kind, e.name, e.file, s.project, e.body"  # noqa: S608
        f" FROM {index} w CROSS JOIN entries e ON e.id = w.rowid CROSS JOIN sessions s ON s.number = e.session"
        f" WHERE {index} MATCH ? {conditions} ORDER BY w.rowid DESC LIMIT ?"
    )
    rows = database.rows(
        statement,
        (asked.match(begins=begins), *values, _PATIENCE if asked.phrases else wanted.limit),
    )
    count = 0
    for row in rows:
        body = unpacked(row[10])
        if asked.holds(body):
            yield int(str(row[0])), _hit(row, body, asked, _WEIGHTS[index])
            count += 1
        if count >= wanted.limit:
            return


def _hit(row: tuple[object, ...], body: str, asked: Query, weight: float) -> Hit:
    _, session, turn, time, layer, role, kind, name, file, project, _ = row
    score = weight * (1.5 if role == HUMAN else 1.0)
    return Hit(
        str(session),
        int(str(turn)),
        str(time),
        int(str(layer)),
        str(role),
        str(kind),
        str(name),
        str(file),
        str(project),
        snippet(body, asked),
        score,
    )


def _filters(wanted: Wanted) -> tuple[str, list[object]]:
    parts: list[str] = []
    values: list[object] = []
    for column, chosen in (("s.id", wanted.sessions), ("e.kind", wanted.kinds), ("e.role", wanted.roles)):
        if chosen:
            parts.append(f"AND {column} IN ({','.join('?' * len(chosen))})")
            values += chosen
    if wanted.project:
        parts.append("AND (s.project = ? OR substr(s.project, -length(?)) = ?)")
        values += [wanted.project, f"/{wanted.project}", f"/{wanted.project}"]
    if wanted.file:
        parts.append("AND (e.file = ? OR substr(e.file, -length(?)) = ?)")
        values += [wanted.file, f"/{wanted.file}", f"/{wanted.file}"]
    if wanted.since:
        parts.append("AND w.rowid >= ?")
        values.append(int(datetime.fromisoformat(wanted.since).timestamp() * 1000) << 20)
    return " ".join(parts), values
