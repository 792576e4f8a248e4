"""The first layer: the line of each turn, and of each compaction's summary, kept up to date as their turns grow.

A turn that is wholly in hand has its line made on the way; one that has entries in the database already is looked up there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.history import layers
from tapehead.history.compression import storable, unpack_body
from tapehead.history.headline import Happened, headline
from tapehead.history.index_words import index_words, session_tag, tags
from tapehead.history.renewal import INDEX_OF, mark_of
from tapehead.work_record.sentences import flat, sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tapehead.history.database import Database
    from tapehead.history.entry_ids import Plan
    from tapehead.history.layers import Entry
    from tapehead.history.ready_entries import Prepared

_EDITS = ("Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "write_file", "replace")
_RUNS = ("Bash", "shell", "exec_command", "run_shell_command")
_COMMAND = re.compile(r"^(?:command|cmd): ?(.+)", re.MULTILINE)
_TOLD_BY = (layers.PROMPT, layers.REPLY, layers.CALL)
_BY_COMMAND = "command"
"""The name of a line that the user's own summarizer wrote: ours does not replace it."""
_FEW = 3
"""Prompts and replies of a turn that its line is made of: the first ones asked, the last ones tell."""
_LOOKED_AT = 5_000
"""Entries at either end of a turn."""
_FIRST_LINE = 140
_ENOUGH = 8_000
"""Characters of a summary that are looked at for it."""
_INDEX = INDEX_OF[layers.HUMAN]


def headlines(entries: Iterable[Entry]) -> dict[int, str]:
    """The lines of some entries' turns, as far as these entries tell."""
    by_turn: dict[int, list[tuple[str, str, str, str]]] = {}
    for _, turn, _, _, kind, _, body, _, name, file, _ in entries:
        told = by_turn.get(turn)
        if told is None:
            told = by_turn[turn] = []
        if kind in _TOLD_BY:
            told.append((kind, name, file, body))
    return {turn: storable(headline(_happened(told, lambda row: row[3]))) for turn, told in by_turn.items() if turn > 0}


def by_command(database: Database, session: str, turn: int, line: str) -> None:
    """Set a line that the user's own summarizer wrote, inside `writing`."""
    for (number,) in database.rows("SELECT number FROM sessions WHERE id = ?", (session,)):
        TurnLines(database).replace(int(str(number)), turn, line, _BY_COMMAND)


def without_command(database: Database, session: str) -> list[int]:
    """The turns of a session whose line is ours; those that were taken back need no other."""
    rows = database.rows(
        "SELECT e.turn, e.kind FROM entries e JOIN sessions s ON s.number = e.session"
        " WHERE s.id = ? AND e.layer = 1 AND e.kind IN (?, ?) AND e.name <> ? ORDER BY e.turn",
        (session, layers.LINE, layers.TAKEN_BACK, _BY_COMMAND),
    )
    gone = {row[0] for row in rows if row[1] == layers.TAKEN_BACK}
    return [int(str(turn)) for turn, _ in rows if turn not in gone]


class TurnLines:
    """The lines of what one stroke writes."""

    def __init__(self, database: Database, *, look: bool = True) -> None:
        self.database = database
        self.look = look
        """Whether a place may be taken. Where that is not looked up, the database says so, and all is done again with a look."""
        self._newest: dict[int, int] = {}
        self._made: dict[tuple[int, int], str] = {}

    def expect(self, session: int, prepared: Prepared) -> None:
        """Take the lines that a batch brings; one of a turn that began before it is not the whole story."""
        if session not in self._newest:
            rows = self.database.rows("SELECT max(turn) FROM entries WHERE session = ?", (session,))
            self._newest[session] = int(str(rows[0][0] or 0))
        for turn, line in prepared.lines.items():
            begun = turn <= self._newest[session] or (session, turn) in self._made
            self._made[session, turn] = "" if begun else line

    def renew(self, plan: Plan) -> None:
        """Write the lines of all turns that have new entries; their words go into the plan."""
        rows = []
        for (session, turn), first in plan.first.items():
            line = self._made.get((session, turn), "")
            if line and (session, turn) not in plan.again:
                rows.append(self._row(plan, first - 1, first, (f"turn/{turn}", layers.LINE, line)))
            elif turn > 0:
                self._look_up(plan, session, turn, first)
        self.database.run_all(_INSERT, [*rows, *self._covers(plan)])

    def _covers(self, plan: Plan) -> Iterator[tuple[object, ...]]:
        """A compaction's summary serves for the turns before it: one line of it, just before it."""
        summaries = [ident for ident, row in plan.entries.items() if row[7] == layers.SUMMARY]
        for ident in summaries:
            if line := gist(unpack_body(plan.entries[ident][12])):
                source = f"covered/{plan.entries[ident][3]}"
                yield self._row(plan, ident - 1, ident, (source, layers.COVERED, line))

    def replace(self, session: int, turn: int, line: str, by: str) -> bool:
        """Put another line in the place of a turn's old one; whether there is one now. The summarizer's own stays."""
        rows = self.database.rows(_OLD, (session, f"turn/{turn}"))
        for ident, old, name in rows:
            if old == line or (name == _BY_COMMAND and not by):
                continue
            tag = f"{tags(layers.LINE, '')} {session_tag(session)}"
            renewed = int(str(ident)) >= mark_of(
                self.database
            )  # what the old index has is read again when it is brought over
            if renewed:
                self.database.run(_FORGET, (ident, index_words(str(old)), tag))
            self.database.run(
                "UPDATE entries SET body = ?, length = ?, name = ? WHERE id = ?", (line, len(line), by, ident)
            )
            if renewed:
                self.database.run(_LEARN, (ident, index_words(line), tag))
        return bool(rows)

    def _look_up(self, plan: Plan, session: int, turn: int, first: int) -> None:
        line = headline(self._in_database(session, turn))
        if not self.replace(session, turn, line, ""):
            self.database.run(_INSERT, self._row(plan, first - 1, first, (f"turn/{turn}", layers.LINE, line)))

    def _row(self, plan: Plan, ident: int, stands_before: int, what: tuple[str, str, str]) -> tuple[object, ...]:
        """A row just before the entry that it is about, and its words in the plan."""
        source, kind, line = what
        _, session, origin, _, turn, _, _, _, time, *_ = plan.entries[stands_before]
        while ident in plan.words or (self.look and self._is_taken(ident)):
            ident -= 1
        plan.words[ident] = layers.HUMAN, index_words(line), f"{tags(kind, '')} {session_tag(int(str(session)))}"
        place = (ident, session, origin, source, turn, layers.SKELETON, layers.HOST, kind, time)
        return (*place, "", "", len(line), line)

    def _is_taken(self, ident: int) -> bool:
        return bool(self.database.rows("SELECT 1 FROM entries WHERE id = ?", (ident,)))

    def _in_database(self, session: int, turn: int) -> Happened:
        """The first and the last entries of a turn: one that goes on for days costs no more than another."""
        rows: dict[object, tuple[object, ...]] = {}
        for layer in (layers.BODY, layers.DETAIL):
            for order in ("ASC", "DESC"):
                found = self.database.rows(_OF_TURN % order, (session, turn, layer, _LOOKED_AT))
                rows |= {row[3]: row for row in found}
                if len(found) < _LOOKED_AT:
                    break
        return _happened([rows[ident] for ident in sorted(rows) if rows[ident][0] in _TOLD_BY], self._body)  # type: ignore[type-var]  # numbers

    def _body(self, row: tuple[object, ...]) -> str:
        return unpack_body(self.database.rows("SELECT body FROM entries WHERE id = ?", (row[3],))[0][0])


_INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_OLD = "SELECT id, body, name FROM entries WHERE session = ? AND source = ?"
_OF_TURN = (
    "SELECT kind, name, file, id FROM entries WHERE session = ? AND turn = ? AND layer = ? ORDER BY id %s LIMIT ?"
)
_FORGET = f"INSERT INTO {_INDEX} ({_INDEX}, rowid, body, tags) VALUES ('delete', ?, ?, ?)"  # noqa: S608 - our own name
_LEARN = f"INSERT INTO {_INDEX} (rowid, body, tags) VALUES (?, ?, ?)"  # noqa: S608 - as above


def _happened(rows: list[tuple[object, ...]] | list[tuple[str, str, str, str]], body: Callable[..., str]) -> Happened:
    """What a line is made of, from rows of (kind, tool, file, ...) in order; bodies are fetched as they are needed."""
    by_kind: dict[object, list[tuple[object, ...]]] = {kind: [] for kind in _TOLD_BY}
    for row in rows:
        by_kind[row[0]].append(row)
    calls = by_kind[layers.CALL]
    last = body(calls[-1]) if calls and calls[-1][1] in _RUNS else ""
    ran = _COMMAND.search(last)
    return Happened(
        tuple(body(row) for row in by_kind[layers.PROMPT][:_FEW]),
        tuple(body(row) for row in by_kind[layers.REPLY][-_FEW:]),
        tuple(str(row[2]) for row in calls if row[1] in _EDITS and row[2]),
        (ran.group(1),) if ran else (),
        len(calls),
    )


def gist(summary: str) -> str:
    """The first sentence of a summary that says what it was about."""
    told = [flat(one) for one in sentences(summary[:_ENOUGH], 600)]
    best = next((one for one in told if len(one.split()) > 5), told[0] if told else "")  # noqa: PLR2004 - a heading has fewer
    return best if len(best) <= _FIRST_LINE else best[: _FIRST_LINE - 1].rsplit(" ", 1)[0] + "…"
