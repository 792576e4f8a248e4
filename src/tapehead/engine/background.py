"""Starting the detached settle. Light: the hook does it and goes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.engine.store_location import state_home
from tapehead.startup import warm_start
from tapehead.store import lock

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.store.paths import Layout

_PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_PROGRAM = f"import sys; sys.path.insert(0, sys.argv[1]); from {__name__} import run; run(*sys.argv[2:])"


def start(layout: Layout, session_id: str, env: Mapping[str, str]) -> bool:
    """Starts one worker for a session, which inherits the worker's lock; False where there is one already.

    The line that it is to read is on the tape before this is called. A worker that is about to stop lets go of the lock
    first and looks at the tape once more, so the line is read by one of the two.
    """
    held = lock.take(layout.worker(session_id), 0)
    if held is None:
        return False
    if not system.LOCKS_ARE_INHERITED:
        lock.release(held)  # the worker takes it itself; where another was faster, that one reads the line
        held = -1
    try:
        if held >= 0:
            os.set_inheritable(held, True)  # noqa: FBT003 - it takes no keyword
        run_detached("tapehead.engine.worker", [layout.root, session_id, str(held)], env)
    finally:
        if held >= 0:
            lock.release(held)
    return True


def run_detached(module: str, words: list[str], env: Mapping[str, str]) -> None:
    """Starts the `main` of a module of ours, far from whoever asked."""
    command = [sys.executable, "-I", "-c", _PROGRAM, _PACKAGE_ROOT, module, *words]
    system.spawn_detached(command, {**env, "TAPEHEAD_INTERNAL": "1"})


def run(module: str, *words: str) -> None:
    """Runs the `main` of a module of ours, in the process that was started for it."""
    if module != warm_start.__name__:  # which makes what the others take
        warm_start.install(state_home(os.environ))
    __import__(module)
    sys.modules[module].main(*words)
