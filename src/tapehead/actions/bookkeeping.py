"""The actions that only turn a page in the state. They cannot fail, so they are done whatever else does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

if TYPE_CHECKING:
    from tapehead.store.line import Line
    from tapehead.store.state import State


def touch(state: State, line: Line) -> State:
    """Somebody did something."""
    return evolve(state, last_interaction_at=line.at, duration_ms=_lasted(state, line))


def reopen(state: State, line: Line) -> State:  # noqa: ARG001 - all of these have one shape
    """The session goes on after its end."""
    return evolve(state, ended_at=None, fully_condensed=False)


def close(state: State, line: Line) -> State:
    """The session is over."""
    return evolve(state, ended_at=line.at)


def _lasted(state: State, line: Line) -> int:
    """A clock that was put back does not make it shorter."""
    if state.started_at is None:
        return state.duration_ms
    return max(state.duration_ms, int((line.at - state.started_at).total_seconds() * 1000))


def restore(state: State, line: Line) -> State:
    """The brief is owed to the agent. Whoever can hand it over next does: the fold itself has no one to talk to."""
    return evolve(state, pending_restore=line.id)


def steer(state: State, line: Line) -> State:
    """A word to the summariser is owed."""
    return evolve(state, pending_steer=line.id)


def warn_stale(state: State, line: Line) -> State:  # noqa: ARG001 - all of these have one shape
    """The user is to know that the session was left in mid-turn."""
    return _warn(
        state, f"tapehead: this session was left in mid-turn (turn {state.turn_number}); the agent gets a brief of it."
    )


def warn_blocked(state: State, line: Line) -> State:  # noqa: ARG001 - all of these have one shape
    """The user is to know that captures keep failing: once, until one succeeds."""
    if state.blocked_told:
        return state
    failure = state.failures.get("capture")
    reason = failure.reason if failure else "for no reason on record"
    text = f"tapehead: {state.capture_failures} captures in a row failed ({reason}); none is tried until `tapehead doctor --fix` succeeds with one, or the reason is gone."
    return _warn(evolve(state, blocked_told=True), text)


def _warn(state: State, text: str) -> State:
    if text in state.pending_warnings:
        return state
    return evolve(state, pending_warnings=(*state.pending_warnings, text))
