"""Starting the detached settle. Light: the hook does it and goes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.store import lock

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.store.paths import Layout

_PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from tapehead.engine.worker import main; main(*sys.argv[2:])"


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
        command = [sys.executable, "-I", "-c", _PROGRAM, _PACKAGE_ROOT, layout.root, session_id, str(held)]
        system.spawn_detached(command, {**env, "TAPEHEAD_INTERNAL": "1"})
    finally:
        if held >= 0:
            lock.release(held)
    return True


def run_detached(module: str, words: list[str], env: Mapping[str, str]) -> None:
    """Starts the `main` of a module of ours, far from whoever asked."""
    program = f"import sys; sys.path.insert(0, sys.argv[1]); from {module} import main; main(*sys.argv[2:])"
    system.spawn_detached(
        [sys.executable, "-I", "-c", program, _PACKAGE_ROOT, *words], {**env, "TAPEHEAD_INTERNAL": "1"}
    )
