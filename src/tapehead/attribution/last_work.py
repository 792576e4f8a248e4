"""Until when an agent worked whose turn nobody ended: it was interrupted, or its process is gone. What changes later is the human's.

No hook tells of either. The transcript says when the user interrupted; of an agent that died its last line is the last sign of life, unless
a tool was at work then: how long that went on writing nobody knows, and what changed stays the agent's.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents.readers import endings_of
from tapehead.system.processes import is_lost

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.attribution.snapshots import Known
    from tapehead.store.state import State

_SECOND = 1_000_000_000


def is_late(state: State, seen: Known, root: str, *, is_gone: bool = False) -> Callable[[bytes], bool]:
    """Whether a file of the work tree changed after the session's turn was over, for a turn that the newest mark has open."""
    until = worked_until(state, seen, is_gone=is_gone) if state.session_id in seen.open else None
    if until is None:
        return lambda _: False
    base = os.fsencode(root)
    return lambda path: _changed_at(os.path.join(base, path)) > until


def worked_until(state: State, seen: Known, *, is_gone: bool = False) -> int | None:
    """Nanoseconds since 1970; None where it may be at work yet, or nobody can say."""
    endings = endings_of(state.agent)
    if endings is None:
        return None
    try:
        ending = endings.ending_of(state.transcript_path)
        written = os.stat(state.transcript_path).st_mtime_ns
    except OSError:
        return None
    since = seen.made.get("at", 0) * _SECOND
    if ending.interrupted_ns >= since and ending.interrupted_ns:
        return ending.interrupted_ns
    gone = is_gone or (state.host_pid is not None and is_lost(state.host_pid, state.host_started))
    return max(written, since) if gone and not ending.in_flight else None


def _changed_at(path: bytes) -> int:
    """When a file was written; when its folder was, where it is gone."""
    while True:
        try:
            return os.lstat(path).st_mtime_ns
        except OSError:
            if os.path.dirname(path) == path:
                return 0
            path = os.path.dirname(path)
