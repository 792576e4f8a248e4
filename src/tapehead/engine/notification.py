"""Runs the user's `notify.command` for an agent that waits: in a process of its own, far from the agent, and not for ever."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import TYPE_CHECKING

from tapehead.engine.current_state import look_at_state
from tapehead.engine.engine import Engine
from tapehead.engine.start import process_is_lost
from tapehead.engine.waiting import as_data, message, waiting_of
from tapehead.store.paths import Layout
from tapehead.system import alarms, programs

if TYPE_CHECKING:
    from tapehead.store.state import State, Waiting

_SLACK = 30
"""Seconds beyond the user's own limits that this process may live."""


def main(root: str, session_id: str) -> None:
    """Waits a moment, and calls the user if the agent still waits. Once for each wait, whoever else was started for it."""
    if not os.path.isdir(root):
        return
    engine = Engine(Layout(root), time.time_ns)
    command = engine.settings.text("notify.command")
    if not command:
        return
    after, limit = engine.settings.seconds("notify.after"), engine.settings.seconds("notify.timeout")
    alarms.end_after(int(after + limit) + _SLACK)
    time.sleep(after)
    state = _asking(engine, session_id)
    if state is None or state.waiting is None:
        return
    engine.append(session_id, {"note": "notified", "data": {"for": state.waiting.what}})
    try:
        run(command, state, state.waiting, limit)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        engine.failed(session_id, "notify", error)


def _asking(engine: Engine, session_id: str) -> State | None:
    """The session's state, if its agent waits and nobody was called for that yet."""
    state = look_at_state(engine.store, session_id)
    if state.waiting is None or state.waiting.told or process_is_lost(state) or waiting_of(state) is None:
        return None
    return state


def run(command: str, state: State, waiting: Waiting, limit: float) -> None:
    """Runs it. What the agent asked is in the environment and on stdin, never on the command line: it may hold anything."""
    words = message(state, waiting)
    about = {"session": state.session_id, "agent": state.agent, "project": state.worktree_path, "message": words}
    env = {
        **os.environ,
        "TAPEHEAD_INTERNAL": "1",  # an agent that it starts is no session of the user's
        "TAPEHEAD_MESSAGE": words,
        "TAPEHEAD_WAITING_FOR": waiting.what,
        "TAPEHEAD_SESSION": state.session_id,
        "TAPEHEAD_PROJECT": state.worktree_path,
    }
    process = subprocess.Popen(  # noqa: S602 - the user's own command, as they wrote it: a shell reads it
        command,
        shell=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=env,
        cwd=state.worktree_path if os.path.isdir(state.worktree_path) else None,
        **programs.ALONE,
    )
    try:
        process.communicate(json.dumps({**about, "waiting": as_data(waiting)}).encode(), timeout=limit)
    except subprocess.TimeoutExpired:
        raise ValueError(f"notify.command took longer than {limit:g} s") from None
    finally:
        programs.end_with_all(process)
        process.wait()
    if process.returncode:
        raise ValueError(f"notify.command ended with {process.returncode}")
