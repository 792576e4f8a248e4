"""Taking the spool in: each payload onto its tape, in order, exactly once. Light, for hooks do it before they write their own line.

One process at a time, under a lock. It says which entry it takes in before it writes the line, and removes the entry after: whoever finds one
that was begun looks for the line on the tape first, which has the same id however often it is written.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead import door, system
from tapehead.agents.hook_event import ABOUT_TOOL, NotOurs
from tapehead.agents.registry import AGENTS
from tapehead.engine import recording, spool
from tapehead.engine.stdin import Unusable, parse_value
from tapehead.engine.store_location import state_home
from tapehead.statemachine.roles import WORKING
from tapehead.store import lock, tape
from tapehead.store.paths import Layout
from tapehead.system import processes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.agents.hook_event import Heard

HOOK_SECONDS = 0.8
"""For so long a hook that somebody waits for takes in what others left, and waits for whoever is at it."""
_PATIENCE = 10.0
_LATE = 60_000_000_000
"""Nanoseconds after which a payload is old: the session may have gone on without it."""
_GIVEN_UP = 3600 * 1_000_000_000
_TAPE_END = 256 * 1024

Tended = dict[tuple[str, str], "dict[str, str]"]
"""Stores and sessions that have work for the worker, each with the environment of its hook."""


def main(folder: str) -> None:
    """The background process that the hook script starts: takes the spool in, then is the worker of a session."""
    with suppress(OSError):  # away from the agent: what kills its process group leaves us alone
        system.leave_session()
    tended = take_in(folder, os.environ, _PATIENCE)
    spool.leave(folder, os.getpid())
    tended |= take_in(folder, os.environ, _PATIENCE) if spool.has_entries(folder) else {}
    own = tended.popitem() if tended else None
    start_workers(tended)
    if own:
        _work(*own[0], own[1])


def take_in_first(env: Mapping[str, str], seconds: float = _PATIENCE) -> None:
    """Takes in what the spool holds, if anything, and has workers see to it: for all who read or write tapes."""
    folder = spool.folder_in(state_home(env))
    if spool.has_entries(folder):
        start_workers(take_in(folder, env, seconds))


def take_in(folder: str, env: Mapping[str, str], seconds: float) -> Tended:
    """Puts what the spool holds onto the tapes, for at most so long; returns who has work left."""
    tended: Tended = {}
    deadline = time.monotonic() + seconds
    try:
        held = lock.take(os.path.join(folder, "lock"), seconds)
    except OSError:
        return tended
    if held is None:
        return tended
    try:
        _take_all(folder, env, deadline, tended)
    except OSError:
        return tended  # a disk that fails, or is full: it stays where it is
    finally:
        lock.release(held)
    return tended


def start_workers(tended: Tended) -> None:
    """One for each session; one that is at work already looks again."""
    from tapehead.engine.background import start  # noqa: PLC0415 - only here

    for (root, session_id), env in tended.items():
        with suppress(OSError):
            start(Layout(root), session_id, env)


def _work(root: str, session_id: str, env: dict[str, str]) -> None:
    """This process is up already: it becomes the worker instead of starting one."""
    with suppress(OSError):
        held = lock.take(Layout(root).worker(session_id), 0)
        if held is not None:
            os.environ.clear()
            os.environ.update({**env, "TAPEHEAD_INTERNAL": "1"})
            from tapehead.engine.worker import main as work  # noqa: PLC0415 - heavy

            work(root, session_id, str(held))


def _take_all(folder: str, env: Mapping[str, str], deadline: float, tended: Tended) -> None:
    """Again until nothing new comes. Raises OSError.

    Half a file is passed over while somebody may be writing it. With the next that is new it is looked at again: it may be whole by
    then, and the new one may have come after it.
    """
    passed: set[str] = set()
    while {entry.path for entry in spool.entries(folder)} - passed:
        for entry in spool.entries(folder):
            if time.monotonic() > deadline:
                return
            passed.add(entry.path)
            spooled = spool.read(entry)
            if spooled is not None:
                _take(folder, entry, spooled, env, tended)
            elif entry.is_abandoned(time.time_ns()):
                _set_aside(folder, entry, "half a payload: its hook was killed while it came")


def _take(folder: str, entry: spool.Entry, spooled: spool.Spooled, env: Mapping[str, str], tended: Tended) -> None:
    """One payload. What no store takes now stays; what breaks our code is put aside, or it would stand in the way for ever."""
    entry.claim()
    try:
        _record(entry, spooled, spooled.environment(env), tended)
    except OSError:
        if time.time_ns() - entry.at < _GIVEN_UP:
            raise
        _set_aside(folder, entry, "no store took it for an hour")
    except Exception as error:  # noqa: BLE001 - as above
        _set_aside(folder, entry, f"{type(error).__name__}: {error}")
    else:
        os.unlink(entry.path)


def _set_aside(folder: str, entry: spool.Entry, reason: str) -> None:
    """Out of the way, with the reason: doctor names it."""
    aside = os.path.join(folder, "aside")
    os.makedirs(aside, mode=0o700, exist_ok=True)
    kept = os.path.join(aside, f"{entry.at}.{os.path.basename(entry.path)}")
    with os.fdopen(door.open_file(kept + ".reason", os.O_WRONLY | os.O_CREAT, follow=False), "wb") as file:
        file.write(reason[:500].encode("utf-8", "replace") + b"\n")
    os.rename(entry.path, kept)


def _record(entry: spool.Entry, spooled: spool.Spooled, env: dict[str, str], tended: Tended) -> None:
    if entry.agent not in AGENTS:
        raise ValueError(f"no agent named {entry.agent}")
    agent = AGENTS[entry.agent]
    moment = _moment(entry, spooled, env)
    payload: object = {}
    try:
        payload, raw = parse_value(spooled.raw)
        heard = agent.heard(payload, env)
    except (NotOurs, Unusable) as error:
        recording.reject(agent, payload, moment, str(error), spooled.raw)
        return
    if heard.note == ABOUT_TOOL:
        return  # its answer is all that it was for
    if time.time_ns() - entry.at > _LATE:
        _make_late(heard, agent.directory(payload, env) or moment.cwd, env, entry.at)
    recorded = recording.record(agent, heard, payload, raw, moment)
    if recorded and (recorded.hurry or heard.event in WORKING):
        tended[recorded.root, heard.session_id] = env
    if recorded and heard.note == "waiting":
        from tapehead.engine.hook import notify  # noqa: PLC0415 - only here

        notify(Layout(recorded.root), heard.session_id, env)


def _moment(entry: spool.Entry, spooled: spool.Spooled, env: dict[str, str]) -> recording.Moment:
    moment = recording.Moment(entry.at, env, spooled.said["cwd"] or os.sep)
    moment.line_id = entry.line_id
    moment.is_spooled = True
    moment.is_repeated = entry.was_taken or bool(spooled.said["tried"])
    moment.process = processes.parse_stat(spooled.said["host"])
    moment.leader = processes.parse_stat(spooled.said["leader"])
    return moment


def _make_late(heard: Heard, directory: str, env: dict[str, str], at: int) -> None:
    """An event of long ago must not lead a session back that went on since then: it becomes a note."""
    from tapehead.engine.store_location import place_of  # noqa: PLC0415 - only here

    instant = tape.instant(at)
    heard.data["unheard"] = True
    for root in place_of(directory, env).roots:
        for raw in tape.tail(Layout(root).tape(heard.session_id), _TAPE_END):
            if heard.event and _is_event_after(raw, instant):
                heard.event, heard.note = None, "unheard"


def _is_event_after(raw: bytes, instant: str) -> bool:
    """Whether a line is an event that a hook told in time, after that moment."""
    with suppress(ValueError, RecursionError):
        line = json.loads(raw)
        data = line.get("data") if isinstance(line, dict) else None
        late = isinstance(data, dict) and "unheard" in data
        return isinstance(line, dict) and "event" in line and not late and str(line.get("at") or "") > instant
    return False
