"""What a brief says of the sessions before: the lines of their turns, newest last, with the command that brings each whole.

The memory is only asked where there is a chain to follow, and a memory that cannot be asked is no reason to say nothing else.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapehead.history.recall import Recall
    from tapehead.store.paths import Layout

TURNS = 12
"""Lines of turns in all."""
_OF_ONE = 6
"""And of any one session, so that a chain is seen and not only its last link."""


def earlier(layout: Layout, session_id: str) -> tuple[str, ...]:
    """The turns of a session's predecessors, oldest first."""
    if not os.path.exists(layout.memory):
        return ()
    from tapehead.history.database import Database, Unusable  # noqa: PLC0415 - only where there is a memory
    from tapehead.history.lineage import lineage  # noqa: PLC0415 - as above
    from tapehead.history.recall import Recall  # noqa: PLC0415 - as above

    try:
        with Database(layout.memory, wait=0.5) as database:
            recall = Recall(database)
            return tuple(_told(recall, lineage(database, session_id)[1:]))
    except Unusable:
        return ()


def _told(recall: Recall, sessions: list[str]) -> list[str]:
    told: list[str] = []
    for session in sessions:
        lines = [line for line in recall.lines(session) if not (line.covered or line.taken_back)]
        shown = lines[-min(_OF_ONE, TURNS - len(told)) :] if len(told) < TURNS else []
        if not shown:
            continue
        left = f"{len(lines) - len(shown)} turns before; " if len(lines) > len(shown) else ""
        head = f"session {session} ({left}each whole: `tapehead detail turn N --session {session}`)"
        told = [head, *(f"turn {line.turn}, {line.time[:19]}Z: {line.line}" for line in shown), *told]
    return told
