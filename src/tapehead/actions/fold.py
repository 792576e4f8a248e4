"""One line at a time: the machine answers, the handler acts, the state moves on. And the same again from nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from attrs import evolve

from tapehead.actions.absorb import absorb
from tapehead.actions.breaker import is_blocked
from tapehead.actions.handler import ActionHandler, Note
from tapehead.statemachine.transition import transition
from tapehead.statemachine.vocabulary import Action, Fact, Phase
from tapehead.store.state import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.store.line import Line

BOOKKEEPER = ActionHandler(None)


def facts_of(state: State) -> frozenset[Fact]:
    """The facts that follow from the state itself: found when a line is folded, never written on the tape."""
    holds = {
        Fact.FILES_TOUCHED: bool(state.files_touched),
        Fact.CAPTURE_BLOCKED: is_blocked(state),
        Fact.ENDED_BEFORE: state.ended_at is not None,
        Fact.UNANSWERED: state.unanswered,
    }
    return frozenset(fact for fact, true in holds.items() if true)


class Move(NamedTuple):
    """What one line did: for the log, and for whoever must act on it."""

    line: Line
    was: Phase
    state: State
    """After the line."""
    actions: tuple[Action, ...]
    notes: tuple[Note, ...]


def step(state: State, line: Line, handler: ActionHandler, done: frozenset[tuple[str, str]] = frozenset()) -> Move:
    """Folds one line into the state."""
    if line.event is None:
        return Move(line, state.phase, absorb(state, line, state.phase), (), ())
    was = state.phase
    phase, actions = transition(was, line.event, line.facts | facts_of(state))
    told = absorb(evolve(state, phase=phase, phase_before=was, phase_as_found=""), line, was)
    after, notes = handler.run(actions, told, line, done)
    return Move(line, was, after, actions, tuple(notes))


def replay(session_id: str, lines: Iterable[Line]) -> Iterator[Move]:
    """The moves that lead from nothing to where the lines end. Nothing is done on the way."""
    state = State(session_id)
    for line in lines:
        move = step(state, line, BOOKKEEPER)
        yield move
        state = move.state
