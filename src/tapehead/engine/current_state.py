"""Where a session stands, for those who only look: nothing of it is written down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.actions.fold import BOOKKEEPER, step
from tapehead.store.sessions import Unreadable
from tapehead.store.state import State

if TYPE_CHECKING:
    from tapehead.store.sessions import StateStore


def look_at_state(store: StateStore, session_id: str) -> State:
    """The saved state, moved on in memory by the lines that nobody has settled yet."""
    try:
        state = store.load(session_id) or State(session_id)
    except (Unreadable, OSError):
        state = State(session_id)
    for line in store.readable(session_id, store.lines(session_id, state.tape_offset)[0]):
        state = step(state, line, BOOKKEEPER).state
    return state
