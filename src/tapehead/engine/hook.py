"""`tapehead hook HOST`: one payload in, one line on the tape, and what the agent is to be told. Light.

This path is sacred: it never fails its agent, never blocks it, prints only what the agent reads as meant, and exits 0. The
heavy part (engine.py) is loaded only by a hook that has something to say.
"""

from __future__ import annotations

import json
import os
import time
from functools import partial
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.agents.hook_event import ABOUT_TOOL, Heard, NotOurs
from tapehead.agents.registry import AGENTS
from tapehead.engine import spool
from tapehead.engine.recording import Moment, Recorded, record, reject
from tapehead.engine.stdin import Unusable, read_value
from tapehead.engine.store_location import Place, config_home, make_home, place_of, state_home
from tapehead.statemachine.roles import SPEAKING, WORKING
from tapehead.statemachine.vocabulary import Event
from tapehead.store import off_switch, tape
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.agents.base import Hooks
    from tapehead.engine.engine import Engine

_OWES = (b'"event":"compacted"', b'"has_story"', b'"after_compaction"', b'"neighbours"')
"""What a line says after which a brief is owed: in a prompt these words stand with other quotes."""
_OWED = ("pending_restore", "pending_warnings", "pending_neighbours")
"""Fields of a state that wait for an event that can carry them."""
_STATE = 1 << 26
_LONG = 10.0
"""Seconds for the spool where the user gives hooks more time."""
_CONFIG = 1 << 20


def run(host: str, descriptor: int, env: Mapping[str, str], spooled: str = "") -> str:
    """Takes one payload; returns what to print. The caller (main.py) sees to it that nothing gets out of here.

    What is in the spool came before it, and goes onto the tapes before it.
    """
    agent = AGENTS[host]
    moment = Moment(time.time_ns(), env, _here(env))
    try:
        payload, raw = read_value(descriptor)
    except Unusable as bad:
        _stray(agent, {}, moment, str(bad), bad.raw)
        return ""
    except OSError as error:
        _stray(agent, {}, moment, f"stdin cannot be read: {error.strerror}", b"")
        return ""
    try:
        heard = agent.heard(payload, env)
    except NotOurs as other:
        _stray(agent, payload, moment, str(other), raw)
        return ""
    if heard.note == ABOUT_TOOL:
        return _point(agent, heard, payload, env)
    _take_in(spooled or spool.folder_in(state_home(env)), env)
    moment.now = time.time_ns()
    moment.find_out = partial(_find_out, env)
    try:
        recorded = record(agent, heard, payload, raw, moment)
    except OSError:
        return ""  # no store takes it
    return _answer(agent, recorded, heard, env) if recorded else ""


def _take_in(folder: str, env: Mapping[str, str]) -> None:
    """What others left goes first, in its order."""
    if not spool.has_entries(folder):
        return
    try:
        from tapehead.engine.spool_intake import HOOK_SECONDS, start_workers, take_in  # noqa: PLC0415 - only here

        start_workers(take_in(folder, env, _LONG if env.get("TAPEHEAD_HOOK_SECONDS") else HOOK_SECONDS))
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it stays where it is, and this hook goes on
        return


def _point(agent: Hooks, heard: Heard, payload: object, env: Mapping[str, str]) -> str:
    """A line about former work, where there is some; the tape gets one only then."""
    from tapehead.engine.pointing import point  # noqa: PLC0415 - only where `recall.at` is set

    place = place_of(agent.directory(payload, env) or _here(env), env)
    if off_switch.is_off(map(Layout, place.roots), time.time_ns()):
        return ""
    text = point(place, heard, time.time_ns())
    return agent.reply(heard.hook, text, "", "") if text else ""


def _answer(agent: Hooks, recorded: Recorded, heard: Heard, env: Mapping[str, str]) -> str:
    """What there is to say. Work that nobody waits for is left to others, unless it must be done before the next hook comes."""
    said, was_late, layout = "", False, Layout(recorded.root)
    owes = heard.event is Event.TURN_START and _something_is_owed(layout, heard.session_id)
    if recorded.hurry or owes or heard.event in SPEAKING:
        said, was_late = _speak(agent, layout, heard, recorded.line_id, env)
    if was_late or heard.event in WORKING:
        _work(layout, heard.session_id, env)
    if heard.note == "waiting":
        notify(layout, heard.session_id, env)
    return said


def _here(env: Mapping[str, str]) -> str:
    """The working directory. One that was deleted still has the name that the shell knew."""
    try:
        return os.getcwd()
    except OSError:
        return env.get("PWD", "") or os.sep


def _find_out(env: Mapping[str, str], place: Place, heard: Heard, line: dict[str, object]) -> None:
    """What a start inherits. It may fail; the start's line is written all the same, and says so."""
    try:
        make_home(place.roots[0], env)
        engine = _engine(Layout(place.roots[0]), heard, env)
        from tapehead.engine.start import find_out  # noqa: PLC0415 - heavy

        find_out(engine, line, heard.session_id)
    except Exception as error:  # noqa: BLE001 - the line must get onto the tape whatever happens here
        heard.data["found_out_nothing"] = f"{type(error).__name__}: {error}"[:300]


def _something_is_owed(layout: Layout, session_id: str) -> bool:
    """Whether a restore or a warning waits for an event that can carry it: a look at the saved state, not a load of it.

    A start or the end of a compaction that nobody has folded yet owes a brief too: its own hook may have had no time for it, and the
    process that folds it may be a moment behind.
    """
    try:
        saved = _saved(layout.state(session_id))
        if any(saved.get(field) for field in _OWED):
            return True
        read = saved.get("tape_offset", 0)
        unread = tape.unread(layout.tape(session_id), read)[0] if isinstance(read, int) else ()
        return any(sign in line for line in unread for sign in _OWES)
    except (OSError, ValueError, AttributeError):
        return False


def _saved(path: str) -> dict[str, object]:
    try:
        found: dict[str, object] = json.loads(door.read(path, _STATE, follow=False))
    except FileNotFoundError:
        return {}
    return found


def _speak(agent: Hooks, layout: Layout, heard: Heard, line_id: str, env: Mapping[str, str]) -> tuple[str, bool]:
    """What there is to say, and whether somebody else has to finish what was begun."""
    engine = _engine(layout, heard, env)
    from tapehead.engine.reply import Own  # noqa: PLC0415 - heavy

    try:
        reply = engine.settle(heard.session_id, Own(line_id, heard.host, heard.hook))
    except Exception as error:  # noqa: BLE001 - what went wrong is left for doctor; the agent goes on
        engine.failed(heard.session_id, "settle", error)
        return "", True
    return agent.reply(heard.hook, reply.context, reply.steer, reply.person), engine.deadline.was_missed


def _engine(layout: Layout, heard: Heard, env: Mapping[str, str]) -> Engine:
    """One that answers in time."""
    from tapehead.engine.deadline import Deadline, seconds_for_hook  # noqa: PLC0415 - heavy
    from tapehead.engine.engine import Engine  # noqa: PLC0415 - heavy

    return Engine(layout, time.time_ns, env, Deadline(heard.began + seconds_for_hook(env)))


def _work(layout: Layout, session_id: str, env: Mapping[str, str]) -> None:
    """Starts the detached settle of this session, unless one is already at work: that one looks again."""
    from tapehead.engine.background import start  # noqa: PLC0415 - only here

    try:
        start(layout, session_id, env)
    except OSError:
        return  # the line is on the tape: the next one that comes along does the work


def _notifies(layout: Layout, env: Mapping[str, str]) -> bool:
    """Whether the user may have named a command for this: a look at the words of the files, since reading them costs more than all else here."""
    if env.get("TAPEHEAD_NOTIFY_COMMAND"):
        return True
    for directory in (config_home(env), layout.root):
        try:
            if directory and b"notify" in door.read(os.path.join(directory, "config.toml"), _CONFIG):
                return True
        except OSError:
            continue
    return False


def notify(layout: Layout, session_id: str, env: Mapping[str, str]) -> None:
    """Has a process of its own tell the user: the worker may be busy for half a minute, and a notice that late is none."""
    if not _notifies(layout, env):
        return
    from tapehead.engine.background import run_detached  # noqa: PLC0415 - only here

    try:
        run_detached("tapehead.engine.notification", [layout.root, session_id], env)
    except OSError:
        return


def _stray(agent: Hooks, payload: object, moment: Moment, reason: str, raw: bytes) -> None:
    """Something came that belongs to no session: who debugs sees it at once."""
    if moment.env.get("TAPEHEAD_DEBUG"):
        os.write(2, f"tapehead: {ascii(reason)[1:-1]}\n".encode())
    reject(agent, payload, moment, reason, raw)
