"""Keeping the line of each turn up to date: made again, from the turn's own entries, whenever it has new ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.memory import layers
from tapehead.memory.headline import Happened, headline
from tapehead.memory.packing import unpacked
from tapehead.memory.wording import indexed
from tapehead.transcript.sentences import flat, sentences

if TYPE_CHECKING:
    from tapehead.memory.database import Database

_EDITS = ("Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "write_file", "replace")
_RUNS = ("Bash", "shell", "exec_command", "run_shell_command")
_COMMAND = re.compile(r"^(?:command|cmd): ?(.+)", re.MULTILINE)
_BY_COMMAND = "command"
"""The name of a line that the user's own summarizer wrote: ours does not replace it."""
_FIRST_LINE = 140


def renew(database: Database, session: int, turns: list[int]) -> None:
    """Make the lines of these turns again; a line that is as it was is not touched."""
    for turn in turns:
        if turn > 0 and (line := headline(_happened(database, session, turn))):
            put(database, session, turn, line)
        _cover(database, session, turn)


def put(database: Database, session: int, turn: int, line: str, by: str = "") -> None:
    """Set the line of a turn."""
    source = f"turn/{turn}"
    rows = database.rows("SELECT id, body, name FROM entries WHERE session = ? AND source = ?", (session, source))
    if rows and (rows[0][1] == line or (rows[0][2] == _BY_COMMAND and not by)):
        return
    if rows:
        _forget(database, int(str(rows[0][0])), str(rows[0][1]))
    _insert(database, session, turn, (source, layers.LINE, line, by))


def by_command(database: Database, session: str, turn: int, line: str) -> None:
    """Set a line that the user's own summarizer wrote."""
    for (number,) in database.rows("SELECT number FROM sessions WHERE id = ?", (session,)):
        put(database, int(str(number)), turn, line, _BY_COMMAND)


def without_command(database: Database, session: str) -> list[int]:
    """The turns of a session whose line is ours."""
    rows = database.rows(
        "SELECT e.turn FROM entries e JOIN sessions s ON s.number = e.session"
        " WHERE s.id = ? AND e.layer = 1 AND e.kind = ? AND e.name <> ? ORDER BY e.turn",
        (session, layers.LINE, _BY_COMMAND),
    )
    return [int(str(row[0])) for row in rows]


def _insert(database: Database, session: int, turn: int, what: tuple[str, str, str, str]) -> None:
    """The line of a turn stands just before the turn's first entry."""
    source, kind, line, name = what
    first = database.rows(
        "SELECT id, time, origin FROM entries WHERE session = ? AND turn = ? AND layer > 1 ORDER BY id LIMIT 1",
        (session, turn),
    )
    if not first:
        return
    ident = int(str(first[0][0])) - 1
    while database.rows("SELECT 1 FROM entries WHERE id = ?", (ident,)):
        ident -= 1
    database.run(
        "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            ident,
            session,
            first[0][2],
            source,
            turn,
            layers.SKELETON,
            layers.HOST,
            kind,
            first[0][1],
            name,
            "",
            len(line),
            line,
        ),
    )
    database.run("INSERT INTO words_of_people (rowid, body) VALUES (?, ?)", (ident, indexed(line)))


def _forget(database: Database, ident: int, body: str) -> None:
    database.run(
        "INSERT INTO words_of_people (words_of_people, rowid, body) VALUES ('delete', ?, ?)", (ident, indexed(body))
    )
    database.run("DELETE FROM entries WHERE id = ?", (ident,))


def _happened(database: Database, session: int, turn: int) -> Happened:
    rows = database.rows(
        "SELECT kind, name, file, body FROM entries WHERE session = ? AND turn = ? AND kind IN ('prompt', 'reply', 'call') ORDER BY id",
        (session, turn),
    )
    said = {
        kind: tuple(unpacked(body) for one, _, _, body in rows if one == kind) for kind in (layers.PROMPT, layers.REPLY)
    }
    calls = [(str(name), str(file), body) for kind, name, file, body in rows if kind == layers.CALL]
    return Happened(
        said[layers.PROMPT],
        said[layers.REPLY],
        tuple(file for name, file, _ in calls if name in _EDITS and file),
        tuple(
            found.group(1)
            for name, _, body in calls[-1:]
            if name in _RUNS and (found := _COMMAND.search(unpacked(body)))
        ),
        len(calls),
    )


def _cover(database: Database, session: int, turn: int) -> None:
    """A compaction's summary serves for the turns before it: one line of it, with their numbers."""
    for source, body in database.rows(
        "SELECT source, body FROM entries WHERE session = ? AND turn = ? AND kind = 'summary'", (session, turn)
    ):
        own = f"covered/{source}"
        if database.rows("SELECT 1 FROM entries WHERE session = ? AND source = ?", (session, own)):
            continue
        line = _gist(unpacked(body))
        if line:
            _insert(database, session, turn, (own, layers.COVERED, line, ""))


def _gist(summary: str) -> str:
    """The first sentence of a summary that says what it was about."""
    told = [flat(one) for one in sentences(summary, 600)]
    best = next((one for one in told if len(one.split()) > 5), told[0] if told else "")  # noqa: PLR2004 - a heading has fewer
    return best if len(best) <= _FIRST_LINE else best[: _FIRST_LINE - 1].rsplit(" ", 1)[0] + "…"
