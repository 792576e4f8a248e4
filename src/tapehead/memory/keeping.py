"""Taking a transcript in: its entries, the line of each turn, the index and the cursor, all in one stroke.

Because the cursor moves with the rows, nothing is read twice or lost, whoever is killed when. Because a row is known by its source,
reading a transcript again from its start adds nothing.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from tapehead.memory import layers, turn_lines
from tapehead.memory.packing import packed
from tapehead.memory.wording import indexed
from tapehead.transcript.recorded import Cursor

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tapehead.memory.database import Database
    from tapehead.memory.entries import Entries
    from tapehead.memory.layers import Entry
    from tapehead.transcript.recorded import Batch

_IN_ONE = 500
"""Values in one question: SQLite has a limit for them."""
_INDEX = {layers.HUMAN: "words_of_people", layers.AGENT: "words_of_agents"}
TOOLS_INDEX = "words_of_tools"
INDEXES = (*_INDEX.values(), TOOLS_INDEX)
_HOUR = 3_600_000


class Mark(NamedTuple):
    """How far a transcript is known: the reader's cursor, and what the entries must remember."""

    cursor: Cursor = Cursor()
    calls: dict[str, list[str]] = {}  # noqa: RUF012  never changed
    last: int = 0
    """The newest entry's id: the next one comes after it."""


class Prepared(NamedTuple):
    """A batch made ready to be written, by whichever process read it."""

    entries: list[Entry]
    mark: Mark


def prepare(batch: Batch, entries: Entries) -> Prepared:
    """Entries of a batch: all the work that needs no database."""
    made = list(entries.of(batch.steps))
    return Prepared(made, Mark(batch.cursor, dict(entries.calls)))


class Keeper:
    """Writes one database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._numbers: dict[str, int] = {}

    def mark(self, path: str) -> Mark:
        """Where the reading of a file stopped."""
        rows = self.database.rows("SELECT cursor FROM cursors WHERE path = ?", (path,))
        return _mark(str(rows[0][0])) if rows else Mark()

    def take(self, session: str, agent: str, path: str, prepared: Prepared) -> int:
        """Write a batch and the mark after it; how many entries were new."""
        with self.database.writing():
            self._numbers.clear()  # what was looked up before may have been rolled back
            before = self.mark(path)
            number = self._session(session, agent, prepared.mark.cursor.about)
            new, last = self._write(number, prepared.entries, before.last)
            turn_lines.renew(self.database, number, sorted({entry.turn for entry in prepared.entries}))
            if prepared.mark.cursor.offset >= before.cursor.offset or _is_another(before, prepared.mark):
                self._remember(path, number, prepared.mark._replace(last=max(last, before.last)))
        return new

    def inherit(self, session: str, parent: str, rule: int, at: str) -> None:
        """Note that a session goes on from another; the first word stands, and nobody is their own ancestor."""
        if session == parent:
            return
        with self.database.writing():
            self.database.run("INSERT OR IGNORE INTO lineage VALUES (?, ?, ?, ?)", (session, parent, rule, at))

    def _session(self, session: str, agent: str, about: dict[str, Any]) -> int:
        number = self._number(session)
        values = tuple(str(about.get(key) or "") for key in ("cwd", "branch", "model", "title"))
        # The first project stands: an agent walks through directories, and began in its own.
        self.database.run(
            "UPDATE sessions SET agent = coalesce(nullif(agent, ''), ?), project = coalesce(nullif(project, ''), ?),"
            " branch = coalesce(nullif(?, ''), branch), model = coalesce(nullif(?, ''), model),"
            " title = coalesce(nullif(?, ''), title) WHERE number = ?",
            (agent, *values, number),
        )
        return number

    def _number(self, session: str) -> int:
        if session not in self._numbers:
            self.database.run("INSERT OR IGNORE INTO sessions (id) VALUES (?)", (session,))
            rows = self.database.rows("SELECT number FROM sessions WHERE id = ?", (session,))
            self._numbers[session] = int(str(rows[0][0]))
        return self._numbers[session]

    def _write(self, session: int, entries: Sequence[Entry], last: int) -> tuple[int, int]:
        known = self._known(session, [entry.source for entry in entries])
        planned: dict[int, Entry] = {}
        for entry in entries:
            if entry.source not in known:
                known.add(entry.source)
                last = after(last, entry.time)
                while last in planned:
                    last += 1
                planned[last] = entry
        for ident in self._taken(list(planned)):
            planned[self._free(ident, planned)] = planned.pop(ident)
        self.database.run_all(_INSERT, [self._row(ident, session, entry) for ident, entry in planned.items()])
        index: dict[str, list[tuple[object, ...]]] = {name: [] for name in INDEXES}
        for ident, entry in planned.items():
            index[index_of(entry.role)].append((ident, indexed(entry.body)))
        for name, words in index.items():
            self.database.run_all(f"INSERT INTO {name} (rowid, body) VALUES (?, ?)", words)  # noqa: S608 - our own names
        return len(planned), last

    def _row(self, ident: int, session: int, entry: Entry) -> tuple[object, ...]:
        origin = self._number(entry.origin) if entry.origin else session
        place = (ident, session, origin, entry.source, entry.turn, entry.layer, entry.role, entry.kind, entry.time)
        return (*place, entry.name, entry.file, entry.length, packed(entry.body))

    def _free(self, ident: int, planned: dict[int, Entry]) -> int:
        """Another session has an entry of the very same moment: this one stands a hair behind it."""
        while ident in planned or self._taken([ident]):
            ident += 1
        return ident

    def _known(self, session: int, sources: list[str]) -> set[str]:
        if not self.database.rows("SELECT 1 FROM entries WHERE session = ? LIMIT 1", (session,)):
            return set()
        asked = "SELECT source FROM entries WHERE session = ? AND source IN (%s)"
        return {str(row[0]) for row in self._in(asked, (session,), sources)}

    def _taken(self, ids: list[int]) -> set[int]:
        return {int(str(row[0])) for row in self._in("SELECT id FROM entries WHERE id IN (%s)", (), ids)}

    def _in(self, statement: str, values: tuple[object, ...], wanted: Sequence[object]) -> Iterable[tuple[object, ...]]:
        for start in range(0, len(wanted), _IN_ONE):
            some = wanted[start : start + _IN_ONE]
            yield from self.database.rows(statement % ",".join("?" * len(some)), (*values, *some))

    def _remember(self, path: str, session: int, mark: Mark) -> None:
        value = json.dumps([list(mark.cursor), mark.calls, mark.last], separators=(",", ":"))
        self.database.run("INSERT OR REPLACE INTO cursors VALUES (?, ?, ?)", (path, session, value))


_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def index_of(role: str) -> str:
    """Which index holds the words of a role."""
    return _INDEX.get(role, TOOLS_INDEX)


def after(last: int, time: str) -> int:
    """An id for an entry: its time, so that the newest have the highest, and then the order in the file.

    A line whose time lies a little before the one above it stays below it: hosts write some lines late.
    """
    moment = _milliseconds(time)
    before = last >> 20
    if not moment or before >= moment > before - _HOUR:
        return last + 1_024
    return moment << 20


def _milliseconds(time: str) -> int:
    try:
        return max(1, int(datetime.fromisoformat(time).timestamp() * 1000))
    except (ValueError, OverflowError, OSError):
        return 0


def _mark(value: str) -> Mark:
    cursor, calls, last = json.loads(value)
    return Mark(Cursor(*cursor), calls, last)


def _is_another(before: Mark, now: Mark) -> bool:
    """Whether the file was replaced since: its beginning is not what it was."""
    return bool(before.cursor.carry.get("head") != now.cursor.carry.get("head"))
