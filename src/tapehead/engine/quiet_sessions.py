"""Which sessions have nothing to tell at their next prompt: a file for each, so that the hook script can see it. Light.

Where the file is missing the script starts the program, which looks for itself. So the worker makes it, and whoever puts something on the
tape that a prompt may have to tell takes it away afterwards; the worker looks at the tape once more after it made the file.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.engine import spool
from tapehead.engine.store_location import state_home

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.engine.engine import Engine
    from tapehead.store.state import State

_DAYS = 30
"""For so long a session that was killed is taken for one that may come back."""


def forbid(env: Mapping[str, str], session_id: str) -> None:
    """Has the next prompt ask the program."""
    try:
        os.unlink(_path(env, session_id))
    except OSError:
        return


def forbid_if_owed(env: Mapping[str, str], state: State) -> bool:
    """Does so where a state that was saved has something to tell, or where a compaction or a start will; whether it did."""
    owed = bool(state.pending_restore or state.pending_warnings or state.pending_neighbours)
    owed = owed or state.phase.is_compacting or state.phase.is_closed
    if owed:
        forbid(env, state.session_id)
    return owed


def renew(engine: Engine, session_id: str) -> None:
    """Has the next prompt ask nobody, if there is nothing to tell."""
    state = engine.store.load(session_id)
    if state is None or forbid_if_owed(engine.env, state):
        return
    path = _path(engine.env, session_id)
    try:
        os.close(door.open_file(path, os.O_WRONLY | os.O_CREAT, follow=False))
        os.utime(path)
    except OSError:
        return  # no spool, or no place for it: each prompt asks
    if engine.store.behind(session_id, state):
        forbid(engine.env, session_id)


def sweep(env: Mapping[str, str]) -> None:
    """Forgets the sessions of which nothing was heard for long."""
    folder = os.path.dirname(_path(env, "x"))
    try:
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if time.time() - os.stat(path).st_mtime > _DAYS * 24 * 3600:
                os.unlink(path)
    except OSError:
        return


def _path(env: Mapping[str, str], session_id: str) -> str:
    return os.path.join(spool.folder_in(state_home(env)), "quiet", session_id)
