"""Closed sessions beyond the newest go to the archive, so that no command gets slower with every session that ever was."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.store import batons, tape
from tapehead.store.sessions import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.engine.engine import Engine

KEPT = 500
"""The newest sessions, which stay where they are, closed or not."""
CROWDED = 600
"""More sessions than this are too many. The gap spares every command but one in a hundred the work."""


def is_crowded(engine: Engine) -> bool:
    """Whether a store holds so many sessions that commands would wait for them."""
    try:
        names = os.listdir(engine.layout.sessions)
    except OSError:
        return False
    return len(names) > CROWDED and sum(name.endswith(".tape") for name in names) > CROWDED


def make_room(engine: Engine, step: Callable[[int, int], None] = lambda _done, _all: None) -> int:
    """Archives the closed sessions that are not among the newest, and says how many; `step` hears how far it is.

    A session that is open, that has unread lines, or that a handoff names stays. Raises OSError.
    """
    older = sorted(engine.store.list(), key=lambda session_id: _changed(engine, session_id), reverse=True)[KEPT:]
    handed_over = batons.list_offered(engine.layout, tape.instant(engine.clock_ns()), engine.keeps_batons())
    archived = 0
    for number, session_id in enumerate(older):
        step(number, len(older))
        if session_id not in handed_over and _archive(engine, session_id):
            archived += 1
    return archived


def _archive(engine: Engine, session_id: str) -> bool:
    if not _is_over(engine, session_id):  # most of those that stay are known without their lock
        return False
    with engine.store.transaction(session_id, 0) as held:
        if not held or not _is_over(engine, session_id):  # it may have come back meanwhile
            return False
        engine.store.archive(session_id)
    return True


def _is_over(engine: Engine, session_id: str) -> bool:
    try:
        state = engine.store.load(session_id)
    except (Unreadable, OSError):
        return False  # doctor names it
    return state is not None and state.phase.is_closed and not engine.store.behind(session_id, state)


def _changed(engine: Engine, session_id: str) -> float:
    """When a session was last heard of, from its file alone: to read them all would take what this saves."""
    try:
        return os.stat(engine.layout.tape(session_id)).st_mtime
    except OSError:
        return 0.0
