"""What the worker and the commands do for a session beside folding its lines. Each is noted on the tape, where it changes the state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.actions.breaker import is_blocked, reason_is_gone
from tapehead.store import tape
from tapehead.store.line import Line

if TYPE_CHECKING:
    from tapehead.cli.engine import Engine

BY_HAND = "by hand"


def unblock(engine: Engine, session_id: str) -> bool:
    """Lets captures be tried again where the reason for their failing is gone."""
    state = engine.store.load(session_id)
    if state is None or not is_blocked(state) or not reason_is_gone(engine.layout, state):
        return False
    engine.append(session_id, {"note": "unblocked"})
    return True


def capture(engine: Engine, session_id: str) -> str:
    """Writes the standard description because a person says so, blocked or not; returns why that failed, or nothing."""
    from datetime import datetime  # noqa: PLC0415 - only here

    engine.settle(session_id)
    state = engine.store.load(session_id)
    if state is None:
        return "nothing is known of it"
    now = engine.clock_ns()
    line = Line(
        tape.stamp(now, 0),
        datetime.fromisoformat(tape.instant(now)),
        "tapehead",
        None,
        BY_HAND,
        "",
        frozenset(),
        {"trigger": BY_HAND},
    )
    try:
        remembered = engine.stories.capture(state, line)
    except Exception as error:  # noqa: BLE001 - a person is told; doctor has it too
        engine.failed(session_id, "capture", error)
        engine.settle(session_id)
        return f"{type(error).__name__}: {error}"
    engine.append(session_id, {"note": "capture", "of": line.id, "data": remembered})
    engine.settle(session_id)
    return ""


def keep_notes(engine: Engine, session_id: str, *, now: bool = False) -> bool:
    """Brings the running notes of a session up to date: never while someone waits, or because a person asks."""
    from tapehead.actions.notes import NoteKeeper  # noqa: PLC0415 - the worker's, and a command's

    state = engine.store.load(session_id)
    if state is None:
        return False
    return NoteKeeper(engine.layout, engine.settings, engine.transcripts.lately).keep(state, now=now)


def look_through(engine: Engine, session_id: str) -> int:
    """Looks for what of the person's words should outlive the session."""
    from tapehead.actions.remembering import Rememberer  # noqa: PLC0415 - the worker's alone

    state = engine.store.load(session_id)
    return Rememberer(engine.layout, engine.settings, engine.transcripts.lately).look_through(state) if state else 0
