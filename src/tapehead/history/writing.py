"""Taking transcripts in: their entries, the line of each turn, the index and the cursor, all in one stroke.

Because the cursor moves with the rows, nothing is read twice or lost, whoever is killed when. Because a row is known by its source,
reading a transcript again from its start adds nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tapehead.history.compression import storable
from tapehead.history.database import Conflict
from tapehead.history.entry_ids import Plan
from tapehead.history.ready_entries import Mark, Prepared, prepare
from tapehead.history.renewal import INDEX_OF, INDEXES, TOOLS_INDEX, mark_of
from tapehead.history.turn_lines import TurnLines
from tapehead.transcript.recorded_steps import Cursor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tapehead.history.database import Database

__all__ = ["Keeper", "Mark", "Prepared", "Taking", "prepare"]

_IN_ONE = 500
"""Values in one question: SQLite has a limit for them."""
_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class Taking(NamedTuple):
    """A batch, and whose it is."""

    session: str
    agent: str
    path: str
    prepared: Prepared


class Keeper:
    """Writes one database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._numbers: dict[str, int] = {}

    def mark(self, path: str) -> Mark:
        """Where the reading of a file stopped."""
        rows = self.database.rows("SELECT cursor FROM cursors WHERE path = ?", (storable(path),))
        return _mark(str(rows[0][0])) if rows else Mark()

    def take(self, session: str, agent: str, path: str, prepared: Prepared) -> int:
        """Write a batch and the mark after it; how many entries were new."""
        return sum(self.take_all([Taking(session, agent, path, prepared)]))

    def take_all(self, takings: Sequence[Taking]) -> list[int]:
        """Write several batches in one stroke, and say how many entries of each were new.

        An index is written the faster the more it is given at once.
        """
        with self.database.writing():
            plan = Plan(self._number)
            try:
                with self.database.trying():
                    return self._take(takings, plan, look=False)
            except Conflict:  # some of it is there already, or has the id of something else: now each one is looked up
                return self._take(takings, Plan(self._number, self._taken(plan)), look=True)

    def inherit(self, session: str, parent: str, rule: int, at: str) -> None:
        """Note that a session goes on from another; the first word stands, and nobody is their own ancestor."""
        if session == parent:
            return
        with self.database.writing():
            self.database.run("INSERT OR IGNORE INTO lineage VALUES (?, ?, ?, ?)", (session, parent, rule, at))

    def _take(self, takings: Sequence[Taking], plan: Plan, *, look: bool) -> list[int]:
        self._numbers.clear()  # what was looked up before may have been rolled back
        lines = TurnLines(self.database, look=look)
        new = [self._plan(taking, plan, lines, look=look) for taking in takings]
        self.database.run_all(_INSERT, [plan.entries[ident] for ident in sorted(plan.entries)])
        lines.renew(plan)
        self._index(plan)
        return new

    def _plan(self, taking: Taking, plan: Plan, lines: TurnLines, *, look: bool) -> int:
        prepared, count = taking.prepared, len(plan.entries)
        before = self.mark(taking.path)
        number = self._session(storable(taking.session), taking.agent, prepared.mark.cursor.about)
        lines.expect(number, prepared)
        known = self._known(number, [row[0] for row in prepared.rows]) if look else {}
        last = plan.add(number, prepared.rows, before.last, known)
        if prepared.mark.cursor.offset >= before.cursor.offset or _is_another(before, prepared.mark):
            self._remember(taking.path, number, prepared.mark._replace(last=last))
        return len(plan.entries) - count

    def _index(self, plan: Plan) -> None:
        """In the order of the ids: an index that is given a lower one than before writes down all that it has gathered.

        What lies below the mark of a renewal belongs to the old index, until a step brings it over with its neighbours.
        """
        mark = mark_of(self.database)
        gathered: dict[str, list[tuple[object, ...]]] = {name: [] for name in INDEXES}
        for ident in sorted(plan.words):
            role, words, tags = plan.words[ident]
            index = INDEX_OF.get(role, TOOLS_INDEX)
            name = index if ident >= mark else f"old_{index}"
            gathered.setdefault(name, []).append((ident, words, tags))
        for name, rows in gathered.items():
            self.database.run_all(f"INSERT INTO {name} (rowid, body, tags) VALUES (?, ?, ?)", rows)  # noqa: S608 - our own names

    def _session(self, session: str, agent: str, about: dict[str, Any]) -> int:
        number = self._number(session)
        values = tuple(storable(str(about.get(key) or "")) for key in ("cwd", "branch", "model", "title"))
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

    def _known(self, session: int, sources: list[str]) -> dict[str, int]:
        """The entries that are there already, by their source."""
        asked = "SELECT source, id FROM entries WHERE session = ? AND source IN (%s)"
        return {str(source): int(str(ident)) for source, ident in self._in(asked, (session,), sources)}

    def _taken(self, plan: Plan) -> Callable[[int], bool]:
        """Whether an id is taken: those of a plan that failed are asked for all at once."""
        asked = "SELECT id FROM entries WHERE id IN (%s)"
        taken = {int(str(row[0])) for row in self._in(asked, (), list(plan.entries))}

        def is_taken(ident: int) -> bool:
            if ident in plan.entries:
                return ident in taken
            return bool(self.database.rows("SELECT 1 FROM entries WHERE id = ?", (ident,)))

        return is_taken

    def _in(self, statement: str, values: tuple[object, ...], wanted: Sequence[object]) -> Iterable[tuple[object, ...]]:
        for start in range(0, len(wanted), _IN_ONE):
            some = wanted[start : start + _IN_ONE]
            yield from self.database.rows(statement % ",".join("?" * len(some)), (*values, *some))

    def _remember(self, path: str, session: int, mark: Mark) -> None:
        value = json.dumps([list(mark.cursor), mark.calls, mark.last], separators=(",", ":"))
        self.database.run(
            "INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?)", (storable(path), session, mark.cursor.offset, value)
        )


def _mark(value: str) -> Mark:
    cursor, calls, last = json.loads(value)
    return Mark(Cursor(*cursor), calls, last)


def _is_another(before: Mark, now: Mark) -> bool:
    """Whether the file was replaced since: its beginning is not what it was."""
    return bool(before.cursor.carry.get("head") != now.cursor.carry.get("head"))
