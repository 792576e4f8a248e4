"""Asking the memory: sessions, their turns, and what stands in them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from tapehead.history.compression import unpack_body
from tapehead.history.entry_times import id_at, moment, moment_of
from tapehead.history.layers import COVERED, LINE, PROMPT, SKELETON, TAKEN_BACK, Entry
from tapehead.transcript.recorded_steps import TAKEN_BACK as MARK

if TYPE_CHECKING:
    from tapehead.history.database import Database, Row

_BEYOND = 2**62
_LATE = 3_600_000
"""Milliseconds by which the place of an entry may differ from its time."""


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
    taken_back: bool = False


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
            "SELECT s.id, s.agent, s.project, s.branch, s.model, s.title, count(DISTINCT nullif(e.turn, 0)), min(e.id), max(e.id)"
            " FROM sessions s JOIN entries e ON e.session = s.number WHERE ? IN ('', s.id) GROUP BY s.number ORDER BY max(e.id)",
            (only,),
        )
        return [self._told(row) for row in rows]

    def _told(self, row: Row) -> Told:
        *texts, turns, first, last = row
        began, ended = (self._time(int(str(ident))) for ident in (first, last))
        return Told(*map(str, texts), int(str(turns)), began, ended)  # type: ignore[call-arg,arg-type]  # as asked for above

    def _time(self, ident: int) -> str:
        """When an entry was made; from its id, where the agent wrote no time."""
        time = str(self.database.rows("SELECT time FROM entries WHERE id = ?", (ident,))[0][0])
        return time if moment(time) else datetime.fromtimestamp(moment_of(ident) / 1000, UTC).isoformat()

    def files(self) -> list[tuple[str, str, int]]:
        """The session, the path and the last byte known of every file that was followed."""
        rows = self.database.rows(
            "SELECT s.id, c.path, c.offset FROM cursors c JOIN sessions s ON s.number = c.session"
        )
        return [(str(session), str(path), int(str(offset))) for session, path, offset in rows]

    def newest_turn(self, session: str) -> int:
        """The number of a session's last turn; 0 before the first."""
        rows = self.database.rows(
            "SELECT max(e.turn) FROM entries e JOIN sessions s ON s.number = e.session WHERE s.id = ?", (session,)
        )
        return int(str(rows[0][0] or 0))

    def prompts(self, session: str) -> list[tuple[int, str, str]]:
        """What the user said in a session, in order: the turn, the time, the words."""
        rows = self.database.rows(
            "SELECT e.turn, e.time, e.body FROM entries e JOIN sessions s ON s.number = e.session"
            " WHERE s.id = ? AND e.kind = ? AND e.turn > 0 ORDER BY e.turn, e.id",
            (session, PROMPT),
        )
        return [(int(str(turn)), str(time), unpack_body(body)) for turn, time, body in rows]

    def last_prompt(self, session: str) -> str:
        """What the user said last in a session."""
        rows = self.database.rows(
            "SELECT e.body FROM entries e JOIN sessions s ON s.number = e.session"
            " WHERE s.id = ? AND e.kind = ? AND e.turn > 0 ORDER BY e.turn DESC, e.id DESC LIMIT 1",
            (session, PROMPT),
        )
        return unpack_body(rows[0][0]) if rows else ""

    def known(self, session: str) -> list[str]:
        """Session ids that begin so."""
        rows = self.database.rows("SELECT id FROM sessions WHERE substr(id, 1, ?) = ?", (len(session), session))
        return [str(row[0]) for row in rows]

    def lines(self, session: str) -> list[TurnLine]:
        """The skeleton of a session, in order."""
        rows = self.database.rows(
            "SELECT e.turn, e.time, e.body, e.kind FROM entries e JOIN sessions s ON s.number = e.session"
            " WHERE s.id = ? AND e.layer = 1 AND e.kind IN (?, ?, ?) ORDER BY e.turn, e.id",
            (session, LINE, COVERED, TAKEN_BACK),
        )
        gone = {turn for turn, _, _, kind in rows if kind == TAKEN_BACK}
        return [
            TurnLine(session, int(str(turn)), str(time), str(line), kind == COVERED, turn in gone)
            for turn, time, line, kind in rows
            if kind != TAKEN_BACK
        ]

    def turns_between(self, session: str, start: str, end: str) -> list[int]:
        """The turns of a session that have an entry at or after one time and before another."""
        begins, ends = moment(start), moment(end)
        rows = self.database.rows(
            "SELECT e.turn, e.id, e.time, e.session FROM entries e JOIN sessions s ON s.number = e.session"
            " WHERE s.id = ? AND e.layer > 1 AND e.id BETWEEN ? AND ?",
            (session, id_at(max(0, begins - _LATE)), id_at(ends + _LATE)),
        )
        return sorted(
            {
                int(str(turn)) or turn_at(self.database, int(str(number)), int(str(ident)))
                for turn, ident, time, number in rows
                if begins <= moment(str(time)) < ends
            }
        )

    def running_at(self, session: str, at: str) -> list[int]:
        """The turn that was running at a time: one that began before it and ended after it."""
        time = moment(at)
        rows = self.database.rows(
            "SELECT s.number, e.turn FROM sessions s JOIN entries e ON e.session = s.number"
            " WHERE s.id = ? AND e.layer > 1 AND e.id >= ? ORDER BY e.id LIMIT 1",
            (session, id_at(time)),
        )
        if not rows:
            return []
        number, following = (int(str(each)) for each in rows[0])
        turn = turn_at(self.database, number, id_at(time))
        return [turn] if turn and following in (turn, 0) else []  # 0: inside a subagent, whose turn it is

    def turns(self, session: str, first: int, last: int) -> list[int]:
        """Which turns of a session there are, from one number to another."""
        rows = self.database.rows(
            "SELECT DISTINCT e.turn FROM entries e JOIN sessions s ON s.number = e.session"
            " WHERE s.id = ? AND e.turn BETWEEN ? AND ? ORDER BY e.turn",
            (session, min(first, _BEYOND), min(last, _BEYOND)),
        )
        return [int(str(row[0])) for row in rows]

    def turn(self, session: str, turn: int) -> list[Entry]:
        """Everything of one turn, in order. What subagents wrote into files of their own belongs to the turn of its time."""
        numbers = self.database.rows("SELECT number FROM sessions WHERE id = ?", (session,))
        if not numbers:
            return []
        number = int(str(numbers[0][0]))
        begins = self._first(number, turn) if turn else 0
        ends = self._first(number, turn, after=True)
        rows = self.database.rows(
            "SELECT e.source, e.turn, e.layer, e.role, e.kind, e.time, e.body, o.id, e.name, e.file, e.length"
            " FROM entries e JOIN sessions o ON o.number = e.origin WHERE e.session = :session AND"
            " (e.turn = :turn AND (:turn > 0 OR e.id < :ends) OR e.turn = 0 AND e.id > :begins AND e.id < :ends) ORDER BY e.id",
            {"session": number, "turn": turn, "begins": begins, "ends": ends},
        )
        return [entry(row) for row in rows]

    def _first(self, session: int, turn: int, *, after: bool = False) -> int:
        """The first prompt of a turn, or of the next one; beyond all where there is none."""
        which = "(SELECT min(turn) FROM entries WHERE session = :session AND turn > :turn)" if after else ":turn"
        rows = self.database.rows(
            f"SELECT min(id) FROM entries WHERE session = :session AND turn = {which} AND kind = :kind",  # noqa: S608 - see above
            {"session": session, "turn": turn, "kind": PROMPT},
        )
        return int(str(rows[0][0])) if rows[0][0] is not None else _BEYOND

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


def turn_at(database: Database, session: int, ident: int) -> int:
    """The turn that was running when an entry was made; 0 before the first."""
    rows = database.rows("SELECT max(turn) FROM entries WHERE session = ? AND id < ?", (session, ident))
    return int(str(rows[0][0] or 0))


def taken_back(database: Database, sessions: list[int]) -> dict[int, set[int]]:
    """The turns of each session that the user took back: each has a mark of its own among the entries."""
    found: dict[int, set[int]] = {session: set() for session in sessions}
    rows = database.rows(
        f"SELECT session, turn FROM entries WHERE session IN ({','.join(map(str, sessions))})"  # noqa: S608 - numbers
        " AND source BETWEEN ? AND ? AND layer = ? AND kind = ?",
        (f"{MARK}/", f"{MARK}/:", SKELETON, TAKEN_BACK),  # a colon comes after all digits
    )
    for session, turn in rows:
        found[int(str(session))].add(int(str(turn)))
    return found


def entry(row: tuple[object, ...]) -> Entry:
    """A row of the table, as it went in."""
    source, turn, layer, role, kind, time, body, origin, name, file, length = row
    return Entry(
        str(source),
        int(str(turn)),
        int(str(layer)),
        str(role),
        str(kind),
        str(time),
        unpack_body(body),
        str(origin),
        str(name),
        str(file),
        int(str(length)),
    )
