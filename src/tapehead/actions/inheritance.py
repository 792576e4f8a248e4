"""Whom a start inherits from: six rules, the first match wins. Pure; the tape records which one it was."""

from __future__ import annotations

from tapehead.statemachine.vocabulary import Phase

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import NamedTuple

    from tapehead.store.state import State
else:
    from tapehead.transcript.named import NamedTuple

MOMENT_SECONDS = 60
RECENT_SECONDS = 24 * 3600
BY_BATON = 1
"""The rule by which a start has the baton."""
NEAR = frozenset({1, 2})
"""The rules that know who goes on with what: by them all is handed back, unless a setting says otherwise. The others only point."""


class Start(NamedTuple):
    """The start that asks."""

    session_id: str
    at: datetime
    host_pid: int | None
    terminal: str
    cleared: bool


class Heir(NamedTuple):
    """The answer."""

    predecessor: str
    rule: int


def heir(start: Start, baton: str, candidates: list[State]) -> Heir | None:
    """The predecessor, if there is one.

    `baton` is the session that a valid baton names, which this start has leased. `candidates` are the sessions of this
    worktree, newest start first. A session in which nobody said anything has no story.
    """
    if baton:
        return Heir(baton, BY_BATON)
    told = [state for state in candidates if state.turn_number and state.session_id != start.session_id]
    for number, rule in _RULES.items():
        if found := rule(start, told):
            return Heir(found.session_id, number)
    return None


def _cleared_here(start: Start, told: list[State]) -> State | None:
    """Ended by `/clear` a moment ago in the same process; or left open there by a host that says nothing of the end.

    A process without a terminal may serve several: where it has more than one session, nobody can tell which was cleared.
    """
    if not start.cleared or start.host_pid is None:
        return None
    same = [state for state in told if state.host_pid == start.host_pid]
    found = [state for state in same if not state.ended_at or _age(state.ended_at, start) <= MOMENT_SECONDS]
    return found[0] if found and (start.terminal or len(found) == 1) else None


def _same_terminal(start: Start, told: list[State]) -> State | None:
    if not start.terminal:
        return None
    return next((state for state in told if state.terminal == start.terminal), None)


def _newest_halted(start: Start, told: list[State]) -> State | None:  # noqa: ARG001 - one shape for all rules
    return next((state for state in told if state.phase is Phase.HALTED), None)


def _only_recent(start: Start, told: list[State]) -> State | None:
    recent = [state for state in told if _age(state.last_interaction_at or state.started_at, start) <= RECENT_SECONDS]
    return recent[0] if len(recent) == 1 else None


def _newest(start: Start, told: list[State]) -> State | None:  # noqa: ARG001 - one shape for all rules
    return told[0] if told else None


def _age(then: datetime | None, start: Start) -> float:
    return (start.at - then).total_seconds() if then else float("inf")


_RULES: dict[int, Callable[[Start, list[State]], State | None]] = {
    2: _cleared_here,
    3: _same_terminal,
    4: _newest_halted,
    5: _only_recent,
    6: _newest,
}
