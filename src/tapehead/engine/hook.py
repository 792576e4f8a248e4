"""`tapehead hook HOST`: one payload in, one line on the tape, and what the host is to be told. Light.

This path is sacred: it never fails its host, never blocks it, prints only what the host reads as meant, and exits 0. The
heavy part (engine.py) is loaded only by a hook that has something to say.
"""

from __future__ import annotations

import json
import os
import time
from functools import partial

from tapehead import door
from tapehead.agents.hook_event import ABOUT_TOOL, Heard, NotOurs
from tapehead.agents.registry import AGENTS
from tapehead.engine.stdin import Unusable, read_value
from tapehead.engine.store_location import Place, config_home, make_home, place_of
from tapehead.git import layout as git_layout
from tapehead.statemachine.roles import SPEAKING, WORKING
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import duplicate_hooks, tape
from tapehead.store.paths import Layout

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.agents.base import Hooks
    from tapehead.engine.engine import Engine

PLACED = frozenset({Event.SESSION_START, Event.TURN_START})
"""These say where the session is and which process runs it."""

_OWES = (b'"event":"compacted"', b'"has_story"', b'"after_compaction"', b'"neighbours"')
"""What a line says after which a story is owed: in a prompt these words stand with other quotes."""
_OWED = ("pending_restore", "pending_warnings", "pending_neighbours")
"""Fields of a state that wait for an event that can carry them."""
_PID_DIGITS = 10
_TAPE_END = 256 * 1024
_STATE = 1 << 26
_CONFIG = 1 << 20


def run(host: str, descriptor: int, env: Mapping[str, str]) -> str:
    """Takes one payload; returns what to print. The caller (main.py) sees to it that nothing gets out of here."""
    agent = AGENTS[host]
    try:
        payload, raw = read_value(descriptor)
    except Unusable as bad:
        _stray(agent, {}, env, str(bad), bad.raw)
        return ""
    except OSError as error:
        _stray(agent, {}, env, f"stdin cannot be read: {error.strerror}", b"")
        return ""
    try:
        heard = agent.heard(payload, env)
    except NotOurs as other:
        _stray(agent, payload, env, str(other), raw)
        return ""
    if heard.note == ABOUT_TOOL:
        return _point(agent, heard, payload, env)
    return _record(agent, heard, payload, raw, env)


def _point(agent: Hooks, heard: Heard, payload: object, env: Mapping[str, str]) -> str:
    """A line about former work, where there is some; the tape gets one only then."""
    from tapehead.engine.pointing import point  # noqa: PLC0415 - only where `recall.at` is set

    text = point(place_of(agent.directory(payload, env) or _here(env), env), heard, time.time_ns())
    return agent.reply(heard.hook, text, "", "") if text else ""


def _record(agent: Hooks, heard: Heard, payload: object, raw: bytes, env: Mapping[str, str]) -> str:
    place = place_of(agent.directory(payload, env) or _here(env), env)
    now = time.time_ns()
    untold = agent.untold(heard, partial(_end_of_tape, place, heard.session_id))
    for number, before in enumerate(untold):
        _append(place, before, _found_out(place, before, env, now + number), b"%d of %b" % (number, raw), env)
    line = _found_out(place, heard, env, now + len(untold))
    root = _append(place, heard, line, raw, env)
    if not root:
        return ""
    return _answer(agent, Layout(root), heard, str(line["id"]), env, hurry=bool(untold))


def _answer(  # noqa: PLR0913 - what is known of the line
    agent: Hooks, layout: Layout, heard: Heard, line_id: str, env: Mapping[str, str], *, hurry: bool
) -> str:
    """What there is to say. Work that nobody waits for is left to others, unless it must be done before the next hook comes."""
    said, was_late = "", False
    owes = heard.event is Event.TURN_START and _something_is_owed(layout, heard.session_id)
    if hurry or owes or heard.event in SPEAKING:
        said, was_late = _speak(agent, layout, heard, line_id, env)
    if was_late or heard.event in WORKING:
        _work(layout, heard.session_id, env)
    if heard.note == "waiting" and _notifies(layout, env):
        _start_notice(layout, heard.session_id, env)
    return said


def _end_of_tape(place: Place, session_id: str) -> bytes:
    """The newest that is written down of the session."""
    for root in place.roots:
        try:
            found = tape.end(Layout(root).tape(session_id), _TAPE_END)
        except OSError:
            continue
        if found:
            return found
    return b""


def _here(env: Mapping[str, str]) -> str:
    """The working directory. One that was deleted still has the name that the shell knew."""
    try:
        return os.getcwd()
    except OSError:
        return env.get("PWD", "") or os.sep


def _line(heard: Heard, place: Place, env: Mapping[str, str], now: int) -> dict[str, object]:
    line: dict[str, object] = {"id": tape.stamp(now, os.getpid()), "at": tape.instant(now), "host": heard.host}
    line |= {"event": heard.event.value} if heard.event else {"note": heard.note}
    if heard.event in PLACED:
        heard.data |= _whereabouts(place, AGENTS[heard.host].host_pid(env))
    if heard.event is Event.GIT_COMMIT and place.repository and git_layout.rebasing(place.repository.git_dir):
        heard.facts.append(Fact.REBASING.value)
    return {**line, "facts": heard.facts, "data": heard.data}


def _found_out(place: Place, heard: Heard, env: Mapping[str, str], now: int) -> dict[str, object]:
    """The line, with what must be found out before it is written."""
    line = _line(heard, place, env, now)
    if heard.event is Event.SESSION_START:
        _find_out(place, heard, line, env)
    return line


def _whereabouts(place: Place, named: str) -> dict[str, object]:
    found: dict[str, object] = {"worktree": place.worktree, "worktree_id": place.worktree_id}
    if place.repository:
        found["branch"], found["head"] = git_layout.head(place.repository)
    from tapehead.system import processes as process  # noqa: PLC0415 - a start and a prompt alone need it

    known = named.isascii() and named.isdigit() and len(named) <= _PID_DIGITS
    host = process.look(int(named)) if known else process.host_above(os.getppid())
    if host:
        found |= {"pid": host.pid, "pid_started": host.started, "terminal": host.terminal}
        if host.terminal:
            found["terminal_started"] = process.terminal_started(host.pid)
    return found


def _find_out(place: Place, heard: Heard, line: dict[str, object], env: Mapping[str, str]) -> None:
    """What a start inherits. It may fail; the start's line is written all the same, and says so."""
    try:
        from tapehead.engine.start import find_out  # noqa: PLC0415 - heavy

        make_home(place.roots[0], env)
        find_out(_engine(Layout(place.roots[0]), heard, env), line, heard.session_id)
    except Exception as error:  # noqa: BLE001 - the line must get onto the tape whatever happens here
        heard.data["found_out_nothing"] = f"{type(error).__name__}: {error}"[:300]


def _append(place: Place, heard: Heard, line: dict[str, object], raw: bytes, env: Mapping[str, str]) -> str:
    """Writes the line into the first store that takes it; returns that store, or nothing where none did.

    The plugin's script says that it is the plugin. Where the settings run us too, one of the two writes, and only that one
    goes on from here.
    """
    via = "plugin" if env.get("TAPEHEAD_VIA") == "plugin" else "settings"
    if heard.known_by:
        raw, via = heard.known_by.encode(), duplicate_hooks.ONCE
    elif heard.once:
        raw, via = f"{heard.hook} {heard.data.get('reason')}".encode(), duplicate_hooks.ANY
    for root in place.roots:
        try:
            make_home(root, env)
            written = duplicate_hooks.append(Layout(root).tape(heard.session_id), line, raw, via, time.time_ns())
        except OSError:
            continue
        return root if written else ""
    return ""


def _something_is_owed(layout: Layout, session_id: str) -> bool:
    """Whether a restore or a warning waits for an event that can carry it: a look at the saved state, not a load of it.

    A start or the end of a compaction that nobody has folded yet owes a story too: its own hook may have had no time for it, and the
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
    from tapehead.engine.reply import Own  # noqa: PLC0415 - heavy

    engine = _engine(layout, heard, env)
    try:
        reply = engine.settle(heard.session_id, Own(line_id, heard.host, heard.hook))
    except Exception as error:  # noqa: BLE001 - what went wrong is left for doctor; the host goes on
        engine.failed(heard.session_id, "settle", error)
        return "", True
    return agent.reply(heard.hook, reply.context, reply.steer, reply.person), engine.deadline.was_missed


def _engine(layout: Layout, heard: Heard, env: Mapping[str, str]) -> Engine:
    """One that answers in time."""
    from tapehead.engine.deadline import HOOK_SECONDS, Deadline  # noqa: PLC0415 - heavy
    from tapehead.engine.engine import Engine  # noqa: PLC0415 - heavy

    return Engine(layout, time.time_ns, env, Deadline(heard.began + HOOK_SECONDS))


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


def _start_notice(layout: Layout, session_id: str, env: Mapping[str, str]) -> None:
    """A process of its own: the worker may be busy for half a minute, and a notice that late is none."""
    from tapehead.engine.background import run_detached  # noqa: PLC0415 - only here

    try:
        run_detached("tapehead.engine.notification", [layout.root, session_id], env)
    except OSError:
        return


def _stray(agent: Hooks, payload: object, env: Mapping[str, str], reason: str, raw: bytes) -> None:
    """Something came that belongs to no session: doctor will say what, and who debugs sees it at once."""
    from tapehead.store import rejected_payloads  # noqa: PLC0415 - only here

    if env.get("TAPEHEAD_DEBUG"):
        os.write(2, f"tapehead: {ascii(reason)[1:-1]}\n".encode())
    place = place_of(agent.directory(payload, env) or _here(env), env)
    for root in place.roots:
        try:
            make_home(root, env)
            rejected_payloads.keep(Layout(root), time.time_ns(), agent.HOST, reason, raw)
        except OSError:
            continue
        return
