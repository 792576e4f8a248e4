"""Asking the memory: sessions, their turns, and what stands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.memory.layers import COVERED, LINE, Entry
from tapehead.memory.packing import unpacked

if TYPE_CHECKING:
    from tapehead.memory.database import Database


class Told(NamedTuple):
    """A session, as a list shows it."""

    id: str
    agent: str
    project: str
    branch: str
    model: str
    title: str
    turns: int
    began: str
    ended: str


class TurnLine(NamedTuple):
    """A turn as its line."""

    session: str
    turn: int
    time: str
    line: str
    covered: bool = False
    """The line is of a summary, and stands for all turns before it."""


class Counts(NamedTuple):
    """How much there is."""

    sessions: int
    turns: int
    layers: dict[int, int]
    """Rows by layer."""


class Recall:
    """Reads one database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def sessions(self, only: str = "") -> list[Told]:
        """All sessions, or one; the newest last."""
        rows = self.database.rows(
            "SELECT s.id, s.agent, s.project, s.branch, s.model, s.title, count(DISTINCT nullif(e.turn, 0)), min(e.time), max(e.time)"
            " FROM sessions s JOIN entries e ON e.session = s.number WHERE ? IN ('', s.id) GROUP BY s.number ORDER BY max(e.id)",
            (only,),
        )
        return [Told(*map(str, row[:6]), int(str(row[6])), *map(str, row[7:])) for row in rows]  # type: ignore[call-arg,arg-type]  # as asked for above

    def known(self, session: str) -> list[str]:
        """Session ids that begin so."""
        rows = self.database.rows("SELECT id FROM sessions WHERE substr(id, 1, ?) = ?", (len(session), session))
        return [str(row[0]) for row in rows]

    def lines(self, session: str) -> list[TurnLine]:
        """The skeleton of a session, in order."""
        rows = self.database.rows(
            "SELECT e.turn, e.time, e.body, e.kind FROM entries e JOIN sessions s ON s.number = e.session"
            " WHERE s.id = ? AND e.layer = 1 AND e.kind IN (?, ?) ORDER BY e.turn, e.id",
            (session, LINE, COVERED),
        )
        return [
            TurnLine(session, int(str(turn)), str(time), str(line), kind == COVERED) for turn, time, line, kind in rows
        ]

    def turns_between(self, session: str, start: str, end: str) -> list[int]:
        """The turns of a session that have an entry at or after one time and before another, both as ISO in UTC.

        Where nothing falls in between, the turn that was running at the time.
        """
        rows = self.database.rows(
            "SELECT DISTINCT e.turn FROM entries e JOIN sessions s ON s.number = e.session"
            " WHERE s.id = ? AND e.layer > 1 AND e.time >= ? AND e.time < ? ORDER BY e.turn",
            (session, start, end),
        )
        found = [int(str(row[0])) for row in rows]
        return found or self._running_at(session, start)

    def _running_at(self, session: str, time: str) -> list[int]:
        rows = self.database.rows(
            "SELECT e.turn, (SELECT max(time) FROM entries WHERE session = e.session) FROM entries e"
            " JOIN sessions s ON s.number = e.session WHERE s.id = ? AND e.layer > 1 AND e.time <= ? ORDER BY e.time DESC LIMIT 1",
            (session, time),
        )
        return [int(str(rows[0][0]))] if rows and str(rows[0][1]) >= time else []

    def turn(self, session: str, turn: int) -> list[Entry]:
        """Everything of one turn, in order."""
        rows = self.database.rows(
            "SELECT e.source, e.turn, e.layer, e.role, e.kind, e.time, e.body, o.id, e.name, e.file, e.length"
            " FROM entries e JOIN sessions s ON s.number = e.session JOIN sessions o ON o.number = e.origin"
            " WHERE s.id = ? AND e.turn = ? ORDER BY e.id",
            (session, turn),
        )
        return [_entry(row) for row in rows]

    def counts(self) -> Counts:
        """How much there is in all."""
        layers = {
            int(str(layer)): int(str(count))
            for layer, count in self.database.rows("SELECT layer, count(*) FROM entries GROUP BY layer")
        }
        sessions = self.database.rows(
            "SELECT count(*) FROM sessions WHERE EXISTS (SELECT 1 FROM entries WHERE session = number)"
        )
        turns = self.database.rows("SELECT count(*) FROM entries WHERE layer = 1 AND kind = ?", (LINE,))
        return Counts(int(str(sessions[0][0])), int(str(turns[0][0])), layers)


def _entry(row: tuple[object, ...]) -> Entry:
    source, turn, layer, role, kind, time, body, origin, name, file, length = row
    return Entry(
        str(source),
        int(str(turn)),
        int(str(layer)),
        str(role),
        str(kind),
        str(time),
        unpacked(body),
        str(origin),
        str(name),
        str(file),
        int(str(length)),
    )
