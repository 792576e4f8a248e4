"""The detached settle: what nobody waits for. Short, bounded in time, one per session at a time."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.engine import crowding, hook_script, neighbours, quiet_sessions
from tapehead.engine.chores import (
    finish_checkpoints,
    keep_daily_log,
    keep_notes,
    keep_transcript,
    list_former_work,
    look_for_delivery,
    look_through,
    remember,
    summarize,
    take_survey,
    unblock,
)
from tapehead.engine.engine import Engine
from tapehead.engine.other_repositories import follow
from tapehead.engine.store_location import state_home
from tapehead.engine.store_registry import register
from tapehead.store import lock, off_switch
from tapehead.store.paths import Layout
from tapehead.store.sessions import Unreadable
from tapehead.system import alarms

if TYPE_CHECKING:
    from collections.abc import Callable

_SECONDS = 120
PATIENCE = (0.1, 0.3, 0.6, 1.0, 1.0)
"""Seconds between looks at the agent's own record, which lags behind its events."""
_ROUNDS = 8


def main(root: str, session_id: str, descriptor: str) -> None:
    """Settles the session, holding the lock that was inherited."""
    alarms.end_after(_SECONDS)  # the lines are on the tape, the next one reads them
    alarms.lower_priority()
    if not os.path.isdir(root):
        return  # it was removed since: whoever has something new to write makes it again
    engine = Engine(Layout(root), time.time_ns)
    if is_off(engine):
        return
    if not engine.layout.is_guests:
        register(state_home(os.environ), root)
    with suppress(OSError):
        hook_script.keep_current(os.environ)
    engine.attempts.counts = True
    held: int | None = int(descriptor)
    if system.LOCKS_ARE_INHERITED:
        os.set_inheritable(int(descriptor), False)  # noqa: FBT003 - it takes no keyword
    else:
        held = lock.take(engine.layout.worker(session_id), 0)
    while held is not None:
        work(engine, session_id)
        if not engine.layout.is_guests:
            _aside(engine, session_id, "quiet", quiet_sessions.renew)
        lock.release(held)
        held = lock.take(engine.layout.worker(session_id), 0) if _behind(engine, session_id) else None
    alarms.end_after(_SECONDS)  # again from the start
    tidy(engine)


def is_off(engine: Engine) -> bool:
    """Whether tapehead is off here, also since just now: the worker ends with the step that it is at."""
    return off_switch.is_off((engine.layout,), engine.clock_ns())


def tidy(engine: Engine) -> None:
    """Archives and packs what the turns left, without the worker's lock: whoever comes meanwhile starts a worker of its own and does not wait."""
    if engine.layout.is_guests or is_off(engine):
        return
    if crowding.is_crowded(engine):
        with suppress(OSError):  # as below
            crowding.make_room(engine)
    if not os.path.isdir(engine.layout.lines):
        return
    from tapehead.git.packing import pack  # noqa: PLC0415 - after all that somebody may wait for
    from tapehead.git.run import GitFailed  # noqa: PLC0415 - as above
    from tapehead.git.side import Side  # noqa: PLC0415 - as above

    with suppress(GitFailed, OSError):  # it is tried again after the next turn, and nothing is lost by then
        pack(Side(engine.layout.lines, os.path.dirname(engine.layout.root)))


def work(engine: Engine, session_id: str) -> None:
    """What TEND stands for, once. What goes wrong is left for doctor: there is nobody else to tell."""
    if is_off(engine):
        return
    try:
        unblock(engine, session_id)
        _settle(engine, session_id)
        if engine.layout.is_guests:  # all else is done where the session has its store
            _look_after_git(engine, session_id)
            engine.settle(session_id)
            _aside(engine, session_id, "checkpoints", finish_checkpoints)
            return
        take_survey(engine, session_id)
        _look_after_git(engine, session_id)
        _remember(engine, session_id)
        _await_delivery(engine, session_id)
        _settle(engine, session_id)
        _aside(engine, session_id, "neighbours", neighbours.look)
        _aside(engine, session_id, "former work", list_former_work)
        _aside(engine, session_id, "notes", keep_notes)
        _aside(engine, session_id, "memories", look_through)
        _remember(engine, session_id)  # the agent's record lags behind its events
        _look_until_nothing_comes(engine, session_id)
        _aside(engine, session_id, "checkpoints", finish_checkpoints)
        _aside(engine, session_id, "daily log", keep_daily_log)
        quiet_sessions.renew(engine, session_id)
        _aside(engine, session_id, "archive", keep_transcript)
        _summarize(engine, session_id)
    except Exception as error:  # noqa: BLE001 - see above
        engine.failed(session_id, "settle", error)
        engine.settle(session_id)


def _settle(engine: Engine, session_id: str) -> None:
    """Here and in the other repositories of the session: a turn that began while we were busy is recorded in all of them."""
    engine.settle(session_id)
    if not engine.layout.is_guests:
        _aside(engine, session_id, "repositories", follow)


def _look_after_git(engine: Engine, session_id: str) -> None:
    """Rebases that are over are followed, hooks that were taken out come back, and the commits that they missed are told."""
    if is_off(engine):
        return
    from tapehead.actions.rewrites import follow  # noqa: PLC0415 - after the mark, which must not wait
    from tapehead.engine.git_setup import look_after  # noqa: PLC0415 - as above

    try:
        with engine.attempts.trying(session_id, "git"):
            if os.path.exists(engine.layout.rewrites):
                follow(engine.layout)
            if look_after(engine, session_id):
                engine.settle(session_id)
    except Exception as error:  # noqa: BLE001 - as above
        engine.failed(session_id, "git", error)


def _remember(engine: Engine, session_id: str) -> None:
    """What the memory cannot take now it takes the next time; the rest of the work goes on."""
    if is_off(engine):
        return
    try:
        with engine.attempts.trying(session_id, "remember"):
            remember(engine, session_id)
    except Exception as error:  # noqa: BLE001 - as above
        engine.failed(session_id, "remember", error)


def _aside(engine: Engine, session_id: str, name: str, work: Callable[[Engine, str], object]) -> None:
    """Work that the rest does not depend on: what fails now is done the next time, with all that is new by then."""
    if is_off(engine):
        return
    try:
        with engine.attempts.trying(session_id, name):
            work(engine, session_id)
    except Exception as error:  # noqa: BLE001 - as above
        engine.failed(session_id, name, error)
        engine.settle(session_id)


def _summarize(engine: Engine, session_id: str) -> None:
    """The last of the work, since it may take long."""
    if is_off(engine):
        return
    try:
        with engine.attempts.trying(session_id, "summarize"):
            summarize(engine, session_id)
    except Exception as error:  # noqa: BLE001 - as above
        engine.failed(session_id, "summarize", error)
        engine.settle(session_id)


def _look_until_nothing_comes(engine: Engine, session_id: str) -> None:
    """What was read just now may have ended the turn that brings a receipt, and nobody else would look for it."""
    for _ in range(_ROUNDS):
        before = _read_up_to(engine, session_id)
        _await_delivery(engine, session_id)
        _settle(engine, session_id)
        if _read_up_to(engine, session_id) == before:
            return


def _read_up_to(engine: Engine, session_id: str) -> int:
    state = engine.store.load(session_id)
    return state.tape_offset if state else 0


def _await_delivery(engine: Engine, session_id: str) -> None:
    """Looks a few times; what comes onto the tape in the meantime does not wait for it."""
    for pause in PATIENCE:
        if look_for_delivery(engine, session_id):
            return
        time.sleep(pause)
        _settle(engine, session_id)
    look_for_delivery(engine, session_id, give_up=True)


def _behind(engine: Engine, session_id: str) -> bool:
    try:
        return engine.store.behind(session_id, engine.store.load(session_id))
    except Unreadable:
        return True
