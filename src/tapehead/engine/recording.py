"""One payload that was understood becomes one line on its tape, whether its hook runs now or the spool kept it. Light."""

from __future__ import annotations

import os
import time
from functools import partial
from typing import TYPE_CHECKING

from tapehead.agents.registry import AGENTS, HOSTS
from tapehead.engine import quiet_sessions
from tapehead.engine.store_location import Place, make_home, place_of
from tapehead.git import layout as git_layout
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import duplicate_hooks, off_switch, tape
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.base import Hooks, Teller
    from tapehead.agents.hook_event import Heard
    from tapehead.system.processes import Process

PLACED = frozenset({Event.SESSION_START, Event.TURN_START})
"""These say where the session is and which process runs it."""
_HARMLESS = frozenset({None, Event.TURN_START, Event.TURN_END})
"""After these a prompt has no more to tell than before."""
_PID_DIGITS = 10
_TAPE_END = 256 * 1024


class Moment:
    """When, where and by whom a hook was run: what is so now, or what the spool kept of it."""

    __slots__ = ("cwd", "env", "find_out", "is_repeated", "is_spooled", "leader", "line_id", "now", "process")

    def __init__(self, now: int, env: Mapping[str, str], cwd: str) -> None:
        self.now = now
        self.env = env
        self.cwd = cwd
        self.line_id = ""
        """The name of its line, where the spool gives one."""
        self.find_out: Callable[[Place, Heard, dict[str, object]], None] | None = None
        """Adds to the line of a start what it inherits: that takes a while, and is for who gets an answer."""
        self.is_spooled = False
        self.is_repeated = False
        """Whether it may be on its tape already."""
        self.process: Process | None = None
        self.leader: Process | None = None
        """The agent's process and the one that leads its terminal, as they were."""


class Recorded:
    """Where a line went."""

    __slots__ = ("hurry", "line_id", "root")

    def __init__(self, root: str, line_id: str, *, hurry: bool) -> None:
        self.root = root
        self.line_id = line_id
        self.hurry = hurry
        """Whether more happened before it that no hook told, which must be read before the next hook comes."""


def record(agent: Teller, heard: Heard, payload: object, raw: bytes, moment: Moment) -> Recorded | None:
    """Puts a line on its tape, and before it what no hook told; None where another way of hearing it was first, or where tapehead is off.

    Raises OSError where no store takes it.
    """
    place = place_of(agent.directory(payload, moment.env) or moment.cwd, moment.env)
    if _is_kept_out(place, heard, moment):
        return None
    untold = agent.untold(heard, partial(_end_of_tape, place, heard.session_id))
    for number, before in enumerate(untold):
        line = _line(before, place, moment, number)
        _inherit(place, before, line, moment)
        _append(place, before, line, b"%d of %b" % (number, raw), moment)
    line = _line(heard, place, moment, len(untold))
    line["id"] = moment.line_id or line["id"]
    _inherit(place, heard, line, moment)
    root = (moment.is_repeated and _told_in(place, heard.session_id, str(line["id"]))) or _append(
        place, heard, line, raw, moment
    )
    return Recorded(root, str(line["id"]), hurry=bool(untold)) if root else None


def _is_kept_out(place: Place, heard: Heard, moment: Moment) -> bool:
    """Whether tapehead is off here. Of a session that ran meanwhile, nobody is to read the transcript later either."""
    layouts = [Layout(root) for root in place.roots]
    if _is_off(layouts, moment):
        for layout in layouts:
            if os.path.isdir(layout.left_out):
                off_switch.leave_out(layout, heard.session_id)
        return True
    if any(off_switch.is_left_out(layout, heard.session_id) for layout in layouts):
        heard.data = {**heard.data, "transcript_path": "", "left_out": True}
    return False


def _is_off(layouts: list[Layout], moment: Moment) -> bool:
    return (off_switch.was_off if moment.is_spooled else off_switch.is_off)(layouts, moment.now)


def _inherit(place: Place, heard: Heard, line: dict[str, object], moment: Moment) -> None:
    """A start inherits from whoever was here before, also one that no hook told."""
    if heard.event is Event.SESSION_START and moment.find_out:
        moment.find_out(place, heard, line)


def reject(agent: Hooks, payload: object, moment: Moment, reason: str, raw: bytes) -> None:
    """Keeps something that belongs to no session: doctor will say what came."""
    from tapehead.store import rejected_payloads  # noqa: PLC0415 - only here

    place = place_of(agent.directory(payload, moment.env) or moment.cwd, moment.env)
    if _is_off([Layout(root) for root in place.roots], moment):
        return
    for root in place.roots:
        try:
            make_home(root, moment.env)
            rejected_payloads.keep(Layout(root), moment.now, agent.HOST, reason, raw)
        except OSError:
            continue
        return


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


def _line(heard: Heard, place: Place, moment: Moment, number: int) -> dict[str, object]:
    now = moment.now + number
    line: dict[str, object] = {"id": tape.stamp(now, os.getpid()), "at": tape.instant(now), "host": heard.host}
    line |= {"event": heard.event.value} if heard.event else {"note": heard.note}
    if heard.event in PLACED:
        named = AGENTS[heard.host].host_pid(moment.env) if heard.host in HOSTS else ""
        heard.data |= _whereabouts(place, named, moment)
    if heard.event is Event.GIT_COMMIT and place.repository and git_layout.rebasing(place.repository.git_dir):
        heard.facts.append(Fact.REBASING.value)
    return {**line, "facts": heard.facts, "data": heard.data}


def _whereabouts(place: Place, named: str, moment: Moment) -> dict[str, object]:
    found: dict[str, object] = {"worktree": place.worktree, "worktree_id": place.worktree_id}
    if place.repository:
        found["branch"], found["head"] = git_layout.head(place.repository)
    host, terminal_started = _host(named, moment)
    if host:
        found |= {"pid": host.pid, "pid_started": host.started, "terminal": host.terminal}
        if host.terminal:
            found["terminal_started"] = terminal_started()
    return found


def _host(named: str, moment: Moment) -> tuple[Process | None, Callable[[], str]]:
    """The agent's process, and how to find out when its terminal was opened."""
    from tapehead.system import processes  # noqa: PLC0415 - a start and a prompt alone need it

    if moment.process:
        return moment.process, lambda: moment.leader.started if moment.leader else ""
    if named.isascii() and named.isdigit() and len(named) <= _PID_DIGITS:
        host = processes.look(int(named))
    else:
        host = None if moment.is_spooled else processes.host_above(os.getppid())
    return host, lambda: processes.terminal_started(host.pid) if host else ""


def _append(place: Place, heard: Heard, line: dict[str, object], raw: bytes, moment: Moment) -> str:
    """Writes the line into the first store that takes it; returns that store, or nothing where it was there already.

    The plugin's script says that it is the plugin. Where the settings run us too, one of the two writes, and only that one
    goes on from here. Raises OSError where no store takes it.
    """
    via = "plugin" if moment.env.get("TAPEHEAD_VIA") == "plugin" else "settings"
    if heard.known_by:
        raw, via = heard.known_by.encode(), duplicate_hooks.ONCE
    elif heard.once:
        raw, via = f"{heard.hook} {heard.data.get('reason')}".encode(), duplicate_hooks.ANY
    elif moment.is_repeated:
        via = duplicate_hooks.ONCE
    trouble = OSError(2, "No store", place.directory)
    for root in place.roots:
        try:
            make_home(root, moment.env)
            second = moment.now if moment.is_spooled else time.time_ns()
            written = duplicate_hooks.append(Layout(root).tape(heard.session_id), line, raw.strip(), via, second)
        except OSError as error:
            trouble = error
            continue
        if heard.event not in _HARMLESS:
            quiet_sessions.forbid(moment.env, heard.session_id)
        return root if written else ""
    raise trouble


def _told_in(place: Place, session_id: str, line_id: str) -> str:
    """The store in which a line is already."""
    mark = f'"id":"{line_id}"'.encode()
    for root in place.roots:
        if any(mark in line for line in tape.unread(Layout(root).tape(session_id), 0)[0]):
            return root
    return ""
