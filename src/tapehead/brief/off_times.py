"""When tapehead was off while a session ran: its brief says so, for nothing of that time is in it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tapehead.statemachine.vocabulary import Event
from tapehead.store import off_switch, tape
from tapehead.store.line import readable

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_SECOND = 1_000_000_000
_LINES = 256 * 1024
_MOST = 3


def list_off_times(layout: Layout, session_id: str) -> tuple[str, ...]:
    """A line for each of the newest periods that the session had events around: before it, and after it."""
    lines = [line for line in readable(tape.tail(layout.tape(session_id), _LINES)) if line.event in _OF_AGENTS]
    heard = [int(line.at.timestamp() * _SECOND) for line in lines]
    periods = [each for each in off_switch.periods(layout) if each.until and heard and each.since < heard[-1]]
    return tuple(f"tapehead was off from {_time(each.since)} to {_time(each.until)}" for each in periods[-_MOST:])


_OF_AGENTS = frozenset({Event.SESSION_START, Event.TURN_START, Event.TURN_END, Event.COMPACTION})


def _time(nanoseconds: int) -> str:
    return datetime.fromtimestamp(nanoseconds // _SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
