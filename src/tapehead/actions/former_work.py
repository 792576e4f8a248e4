"""What the hooks of tools may point to: who changed a file lately, and which failures went away. Made by the worker, from the memory.

A hook has no time to ask a database. It finds its line here, ready to be said: at most 60 tokens, cleaned, with the pointer.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.history import layers
from tapehead.history.ask import History
from tapehead.history.database import Database
from tapehead.history.entry_times import id_at
from tapehead.history.file_turns import EDITS
from tapehead.history.known_errors import solved_since
from tapehead.history.pointers import Pointer, shorten_ids
from tapehead.store.atomic import write
from tapehead.text.fence import clean, put_in_quotes, single

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_DAYS = 7
_DAY = 86_400_000
_CALLS, _RESULTS, _FILES = 4_000, 3_000, 1_000
"""Entries that are looked at, and files that are listed: the newest."""
CHARACTERS = 240
"""What 60 tokens are."""
_SHOWN = 70


def keep_list(layout: Layout, words: tuple[str, ...], now: int) -> None:
    """Make the list for these words of the setting; none, for no word."""
    if not words or not os.path.exists(layout.memory):
        with suppress(FileNotFoundError):
            os.unlink(layout.former_work)
        return
    with Database(layout.memory) as database:
        found = {"edit": _edits(database, now) if "edit" in words else {}}
        found["failure"] = _failures(database, now) if "failure" in words else {}
    write(layout.former_work, json.dumps(found, ensure_ascii=False).encode("utf-8", "replace"))


def _edits(database: Database, now: int) -> dict[str, list[str]]:
    """By file, the session that changed it last, and what to say of that."""
    marks = ",".join("?" * len(EDITS))
    asked = (
        "SELECT e.file, s.id, e.session, e.turn, e.time FROM entries e JOIN sessions s ON s.number = e.session"
        " WHERE e.id >= ? AND e.kind = ? AND e.file <> '' AND e.name IN (%s) ORDER BY e.id DESC LIMIT ?"
    )
    since = id_at(max(0, now - _DAYS * _DAY))
    rows = database.rows(asked % marks, (since, layers.CALL, *EDITS, _CALLS))
    newest = {str(file): rest for file, *rest in reversed(rows)}
    chosen = list(newest.items())[-_FILES:]
    short = shorten_ids(list({str(rest[0]) for _, rest in chosen}), History(database).session_ids())
    return {
        file: [str(session), _edited(database, short[str(session)], int(str(number)), int(str(turn)), str(time))]
        for file, (session, number, turn, time) in chosen
    }


def _edited(database: Database, session: str, number: int, turn: int, time: str) -> str:
    rows = database.rows(
        "SELECT body FROM entries WHERE session = ? AND turn = ? AND layer = ? AND kind = ? LIMIT 1",
        (number, turn, layers.SKELETON, layers.LINE),
    )
    line = f" ({put_in_quotes(clean(str(rows[0][0])), _SHOWN)})" if rows else ""
    pointer = Pointer(session, turn)
    return f"tapehead: another session changed this file on {time[:10]}{line}. `tapehead detail {pointer}` shows why."[
        :CHARACTERS
    ]


def _failures(database: Database, now: int) -> dict[str, list[str]]:
    """By the shape of an error, the session in which it went away, and what to say of that."""
    solved = solved_since(database, id_at(max(0, now - 4 * _DAYS * _DAY)), _RESULTS)
    short = shorten_ids(list({fix.session for _, fix in solved}), History(database).session_ids())
    found = {}
    for same, fix in solved:
        last = fix.changes[-1]
        what = f"{last.what} {single(clean(' '.join(last.target.split())))[:_SHOWN]}"
        pointer = Pointer(short[fix.session], fix.solved_in)
        told = f"tapehead: this error was met and solved on {fix.time[:10]} ({what}). `tapehead detail {pointer}` shows how."
        found[same] = [fix.session, told[:CHARACTERS]]
    return found
