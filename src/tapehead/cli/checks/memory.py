"""The memory: whether it can be used, and whether it has what the transcripts have."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from tapehead.cli.checks.finding import ERROR, WARNING, Finding
from tapehead.cli.here import states_of
from tapehead.engine.chores import remember
from tapehead.history.database import Damaged, Database, Newer, Unusable
from tapehead.history.writing import Keeper
from tapehead.store import atomic
from tapehead.store.paths import make_private
from tapehead.transcript import jsonl

if TYPE_CHECKING:
    from tapehead.cli.here import Here

_HUGE = 1 << 30
_LATE = 300
"""Seconds that a worker may be behind: it may be at it."""


def memory(at: Here) -> list[Finding]:
    """A database that cannot be used, and sessions that it has not followed to their end."""
    path = at.engine.layout.memory
    if not os.path.exists(path):
        return []
    try:
        with Database(path) as database:
            _look_through(database, path)
            return _behind(at, Keeper(database))
    except Newer as error:
        return [Finding("memory", ERROR, str(error), "update tapehead")]
    except Damaged as error:
        hint = "`tapehead doctor --fix` moves it to the quarantine; then `tapehead import` fills a new one"
        return [Finding("memory", ERROR, str(error), hint, mend=partial(_set_aside, at, path))]
    except Unusable as error:
        return [Finding("memory", ERROR, str(error))]


def _look_through(database: Database, path: str) -> None:
    """Raise Damaged where a page of it is; of a huge one only the beginning is looked at, or nobody would wait for it."""
    if os.path.getsize(path) > _HUGE:
        database.rows("SELECT count(*) FROM (SELECT 1 FROM entries LIMIT 1)")
        return
    said = database.rows("PRAGMA quick_check(1)")
    if said != [("ok",)]:
        raise Damaged(f"{path} is damaged ({str(said[0][0]).splitlines()[-1] if said else 'no answer'})")


def _behind(at: Here, keeper: Keeper) -> list[Finding]:
    late = [
        session_id
        for session_id, state in states_of(at).items()
        if os.path.isfile(state.transcript_path)
        and at.now.timestamp() - os.stat(state.transcript_path).st_mtime > _LATE
        and keeper.mark(os.path.realpath(state.transcript_path)).cursor.offset < jsonl.size(state.transcript_path)
    ]
    if not late:
        return []
    what = f"{len(late)} transcripts are not fully in the history yet, such as that of {late[0]}"
    return [Finding("memory", WARNING, what, "`tapehead doctor --fix` adds them", mend=partial(_take_in, at, late))]


def _take_in(at: Here, sessions: list[str]) -> None:
    for session_id in sessions:
        remember(at.engine, session_id)


def _set_aside(at: Here, path: str) -> None:
    """Out of the way, with what belongs to it; nothing is thrown away."""
    make_private(at.engine.layout.aside)
    stamp = at.now.strftime("%Y%m%dT%H%M%S")
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.replace(path + suffix, os.path.join(at.engine.layout.aside, f"memory-{stamp}.db{suffix}"))
    atomic.write(os.path.join(at.engine.layout.aside, f"memory-{stamp}.db.reason"), b"it was damaged\n")
