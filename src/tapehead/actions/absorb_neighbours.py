"""Other sessions at work in the same worktree: whom the model is to be told of, and whom it was. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

if TYPE_CHECKING:
    from tapehead.statemachine.vocabulary import Phase
    from tapehead.store.line import Line
    from tapehead.store.state import State


def met(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """Those that a line names, and that the model was not told of yet: each once, whoever sees it first."""
    new = tuple(one for one in dict.fromkeys(line.texts("neighbours")) if one not in state.neighbours)
    if not new:
        return state
    return evolve(state, neighbours=(*state.neighbours, *new), pending_neighbours=(*state.pending_neighbours, *new))


def told(state: State, line: Line, was: Phase) -> State:  # noqa: ARG001 - one shape for all
    """The model was told of these."""
    said = line.texts("neighbours")
    return evolve(state, pending_neighbours=tuple(one for one in state.pending_neighbours if one not in said))
