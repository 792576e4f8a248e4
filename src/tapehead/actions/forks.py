"""A fork's transcript begins with another session's lines: whoever counts begins after them, since they are counted there."""

from __future__ import annotations

import os

from tapehead.agents.readers import forks_of

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.store.state import State


def own_offset(state: State, offset: int) -> int:
    """Where reading goes on: the byte that is given, or the first of the session's own where copies stand there."""
    if not state.forked or state.started_at is None or not os.path.isfile(state.transcript_path):
        return offset
    forks = forks_of(state.agent)
    return forks.first_own_byte(state.transcript_path, state.started_at, offset) if forks else offset
