"""Where reading a transcript goes on.

A fork's begins with another session's lines: whoever counts begins after them, since they are counted there. And a session may go on in
another file: Codex begins one where the user goes back.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents.readers import forks_of

if TYPE_CHECKING:
    from tapehead.store.state import State


def own_offset(state: State, offset: int) -> int:
    """Where reading goes on: the byte that is given, or the first of the session's own where copies stand there."""
    if not state.forked or state.started_at is None or not os.path.isfile(state.transcript_path):
        return offset
    return _own(state, offset)


def next_offset(state: State) -> int:
    """The byte that INGEST reads on from: in the file that it read before, or in another one, where that begins to be the session's own."""
    return _own(state, 0) if is_another_file(state) else own_offset(state, state.transcript_offset)


def is_another_file(state: State) -> bool:
    """Whether the session goes on in another file than the one that was read."""
    return state.transcript_identifier not in ("", file_name(state))


def file_name(state: State) -> str:
    """What tells the files of a session apart, where its agent may go on in another one: the directory may be moved."""
    return os.path.basename(state.transcript_path) if forks_of(state.agent) else ""


def _own(state: State, offset: int) -> int:
    forks = forks_of(state.agent) if state.started_at else None
    return (
        forks.first_own_byte(state.transcript_path, state.started_at, offset) if forks and state.started_at else offset
    )
