"""What a line tells of an agent that waits for its user, taken over into the state: pure, like the rest of absorb.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from tapehead.statemachine.vocabulary import Event
from tapehead.store.state import Waiting

if TYPE_CHECKING:
    from tapehead.statemachine.vocabulary import Phase
    from tapehead.store.line import Line
    from tapehead.store.state import State

_KINDS = ("approval", "question", "prompt")


def begin_waiting(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """The agent waits. A second notice of the same, with less in it, changes nothing: an agent may remind its user."""
    what = line.text("for")
    if what not in _KINDS or (state.waiting and not line.text("tool")):
        return state
    return evolve(
        state,
        waiting=Waiting(
            what=what,
            since=line.at,
            tool=line.text("tool"),
            detail=line.text("detail"),
            key=line.text("key"),
            agent_id=line.text("agent_id"),
        ),
    )


def end_waiting(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """It waits no more: by the agent's own word, or because somebody found the answer. Then it says to what: there may be a newer question."""
    since = line.text("since")
    newer = since and state.waiting and state.waiting.since and state.waiting.since.isoformat() != since
    return state if newer else evolve(state, waiting=None)


def note_notice(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """The user's command was started for it."""
    return evolve(state, waiting=evolve(state.waiting, told=True)) if state.waiting else state


def subagent_stopped(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """A subagent that is over waits for nothing."""
    over = state.waiting is not None and state.waiting.agent_id and state.waiting.agent_id == line.text("agent_id")
    return evolve(state, waiting=None) if over else state


def heard_from(state: State, line: Line) -> State:
    """Whatever the agent does next, it does not wait while it does it. A commit is not the agent's word."""
    return state if state.waiting is None or line.event is Event.GIT_COMMIT else evolve(state, waiting=None)
