"""Looking after the sessions of a store, as commands do before they show it: unread lines are read, lost agents are noticed."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.agents.readers import compactions_of
from tapehead.cli.here import known
from tapehead.engine import quiet_sessions
from tapehead.engine.chores import finish_checkpoints
from tapehead.engine.current_state import look_at_state
from tapehead.engine.guest_homes import guests_of
from tapehead.engine.start import is_alive, process_is_lost
from tapehead.engine.waiting import waiting_of
from tapehead.statemachine.vocabulary import Event
from tapehead.store import atomic, batons, off_switch
from tapehead.store.sessions import Unreadable
from tapehead.store.state import is_stale

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tapehead.engine.engine import Engine
    from tapehead.store.state import State

DAY = 24 * 3600
_SCRATCH_AGE = 3600
"""A scratch file older than this has no writer any more."""


def attend(engine: Engine) -> dict[str, State]:
    """Every session's state after all its lines, and with a word about those whose process is gone.

    Where the store cannot be written the answer is the same, worked out in memory.
    """
    found = {}
    for session_id in engine.store.list():
        with suppress(OSError):  # one that cannot be read at all does not hide the others: doctor names it
            found[session_id] = attend_to(engine, session_id)
    return found


def attend_to(engine: Engine, session_id: str) -> State:
    """The same for one session. Raises OSError where not even its tape can be read. Where tapehead is off, nothing is written."""
    if off_switch.is_off((engine.layout,), engine.clock_ns()):
        return look_at_state(engine.store, session_id)
    try:
        return _settled(engine, session_id)
    except (OSError, Unreadable):
        return engine.replayed(session_id)


def _settled(engine: Engine, session_id: str) -> State:
    try:
        state = engine.store.load(session_id)
    except Unreadable:
        state = None
    if state is None or engine.store.behind(session_id, state):
        engine.settle(session_id)
        state = engine.store.load(session_id)
    if state and compaction_is_over(state):
        engine.append(session_id, {"event": Event.COMPACTION_FAILED.value})
        engine.settle(session_id)
        state = engine.store.load(session_id)
    if state and state.waiting and waiting_of(state) is None:
        since = state.waiting.since
        engine.append(session_id, {"note": "answered", "data": {"since": since.isoformat() if since else ""}})
        engine.settle(session_id)
        state = engine.store.load(session_id)
    if state and process_is_lost(state):
        engine.lost(session_id)
        engine.settle(session_id)
        finish_checkpoints(engine, session_id)
        state = engine.store.load(session_id)
    return state or engine.replayed(session_id)


def compaction_is_over(state: State) -> bool:
    """Whether a session counts as compacting while its agent's record shows that the compaction was interrupted: no hook tells that."""
    compactions = compactions_of(state.agent) if state.phase.is_compacting else None
    if compactions is None or state.last_interaction_at is None or not os.path.isfile(state.transcript_path):
        return False
    return compactions.broke_off(state.transcript_path, state.transcript_offset, state.last_interaction_at)


@frozen
class Swept:
    """What a gc did."""

    archived: tuple[str, ...] = ()
    scratch_files: int = 0


def gc(engine: Engine, now: datetime) -> Swept:
    """Archives the sessions of which nothing was heard for more than 7 days, and removes what dead writers left behind."""
    archived = _archive(engine, now)
    if guests := guests_of(engine.layout):
        _archive(type(engine)(guests, engine.clock_ns, engine.env), now)
    scratch = leftovers(engine)
    for path in scratch:
        with suppress(FileNotFoundError):
            os.unlink(path)
    _prune(engine, now)
    from tapehead.documents import hand_edited, threads  # noqa: PLC0415 - once a day

    with suppress(hand_edited.Busy, OSError):  # somebody edits them: another day
        threads.prune(engine.layout, now)
    quiet_sessions.sweep(engine.env)
    atomic.write(engine.layout.gc_mark, b"")
    return Swept(tuple(archived), len(scratch))


def _archive(engine: Engine, now: datetime) -> list[str]:
    archived = []
    for session_id, state in known(engine).items():
        if may_archive(engine, state, now) and not engine.store.behind(session_id, state):
            with engine.store.transaction(session_id, 0) as held:
                if held and engine.store.load(session_id) == state:  # it may have come back while we took the lock
                    engine.store.archive(session_id)
                    archived.append(session_id)
    return archived


def may_archive(engine: Engine, state: State, now: datetime) -> bool:
    """Whether gc takes a session: one that is stale, whose agent does not run any more, and that waits for no start."""
    if not is_stale(state, now) or (state.ended_at is None and is_alive(state)):
        return False
    return state.session_id not in batons.list_offered(engine.layout, now.isoformat(), engine.keeps_batons())


def _prune(engine: Engine, now: datetime) -> None:
    """Cuts off what was recorded of work trees long ago, and mends refs of ours; what git will not do now it does another day."""
    if not os.path.isdir(engine.layout.lines):
        return
    from tapehead.checkpoints.ref_repair import mend_all  # noqa: PLC0415 - only where there is something
    from tapehead.git.pruning import prune  # noqa: PLC0415 - only where there is something
    from tapehead.git.run import GitFailed  # noqa: PLC0415 - as above
    from tapehead.git.side import Side  # noqa: PLC0415 - as above

    side = Side(engine.layout.lines, os.path.dirname(engine.layout.root))
    with suppress(GitFailed, OSError):
        mend_all(side)
    with suppress(GitFailed, OSError):
        prune(side, int(now.timestamp()))


def gc_if_due(engine: Engine, now: datetime) -> None:
    """At most once a day, by whichever command comes along. Never by a hook, and not where tapehead is off."""
    if off_switch.is_off((engine.layout,), engine.clock_ns()):
        return
    try:
        due = time.time() - os.stat(engine.layout.gc_mark).st_mtime > DAY
    except (FileNotFoundError, NotADirectoryError):
        due = os.path.isdir(engine.layout.sessions)
    if due:
        with suppress(OSError):
            gc(engine, now)


def leftovers(engine: Engine, *, whole: bool = True) -> list[str]:
    """Scratch files whose writer was killed."""
    found = []
    for path in files_of(engine, whole=whole):
        with suppress(FileNotFoundError):
            if path.endswith(atomic.SCRATCH) and time.time() - os.stat(path).st_mtime > _SCRATCH_AGE:
                found.append(path)
    return found


def files_of(engine: Engine, *, whole: bool) -> Iterator[str]:
    """Every file and folder of a store; without `whole`, nothing in the archive and no captures of sessions that are in it."""
    root, captures = engine.layout.root, os.path.dirname(engine.layout.captures(""))
    if os.path.isdir(root):
        yield root
    for top in [root] if whole else [root, *filter(os.path.isdir, map(engine.layout.captures, engine.store.list()))]:
        if top != root:
            yield top
        for directory, folders, files in os.walk(top) if top == root or not os.path.islink(top) else ():
            yield from (os.path.join(directory, name) for name in (*folders, *files))
            if not whole and directory == root:
                unwanted = (captures, engine.layout.archive)
                folders[:] = [name for name in folders if os.path.join(root, name) not in unwanted]
