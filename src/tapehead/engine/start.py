"""What a start has to find out before its line is written: who went before it in this place, and whether that one died."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from tapehead import __version__
from tapehead.actions.injection import NOTHING_BEFORE, NOTHING_KNOWN
from tapehead.actions.predecessor import NEAR, Candidate, Predecessor, Start, find_predecessor
from tapehead.agents.readers import forks_of
from tapehead.agents.registry import AGENTS
from tapehead.brief.memory_index import is_there
from tapehead.engine.baton_lease import lease_baton
from tapehead.engine.deadline import Late
from tapehead.engine.neighbours import look_at_start
from tapehead.settings.setting_list import OFF
from tapehead.statemachine.vocabulary import Fact
from tapehead.store import captures, injections, starts
from tapehead.store.paths import place_name
from tapehead.store.sessions import Unreadable
from tapehead.system import processes as process
from tapehead.system.processes import is_lost

if TYPE_CHECKING:
    from typing import Any

    from tapehead.engine.engine import Engine
    from tapehead.store.state import State

_GOES_ON = ("compact", "resume")
"""Sources of a start that goes on with itself: what it is handed back is its own (stories.hand_back), so it inherits nothing."""
_LOOKED_AFTER = 3
"""Predecessors that are settled on the spot. More would make the start wait; doctor and status find the rest."""
_HEALING_SECONDS = 0.5
"""And for so long each, all of them for twice that: somebody waits, and the start's line is not written yet."""


def find_out(engine: Engine, line: dict[str, Any], session_id: str) -> None:
    """Adds to a start's line what it inherits: the fact that there is a brief, whose, and by which rule."""
    data, facts = line["data"], line["facts"]
    data["tapehead"] = __version__
    _look_at_host(line, session_id)
    _look_for_copy(engine, line, session_id)
    engine.store.unarchive(session_id)
    _heal(engine, session_id, wait=_HEALING_SECONDS)
    if data.get("source") not in _GOES_ON and not _own_brief(engine, session_id):
        found = _predecessor(engine, line, session_id)
        if found:
            data |= {"predecessor": found.session_id, "rule": found.rule}
    if (
        "predecessor" in data
        or "handoff_missed" in data
        or _own_brief(engine, session_id)
        or is_there(engine.layout, engine.settings)
    ):
        facts.append(Fact.HAS_STORY.value)
    else:
        _note_nothing_told(engine, line, session_id)
    look_at_start(engine, line, session_id)
    start = {"session": session_id, "at": line["at"]}
    starts.note(engine.layout, _place(data), start | {k: data.get(k) for k in ("pid", "pid_started", "terminal")})


def _note_nothing_told(engine: Engine, line: dict[str, Any], session_id: str) -> None:
    """Puts on the line, and in the log of what was given, why this start gets nothing."""
    data, source = line["data"], str(line["data"].get("source") or "")
    data["untold"] = NOTHING_KNOWN if source in _GOES_ON else NOTHING_BEFORE
    told = {
        "to": session_id,
        "agent": line["host"],
        "session": session_id,
        "source": source,
        "amount": OFF,
        "tokens": 0,
    }
    with suppress(OSError):  # the tape has it
        injections.note(engine.layout, {"at": line["at"], **told, "why": data["untold"]})


def _look_at_host(line: dict[str, Any], session_id: str) -> None:
    """What the agent's own command line tells: whether it is a single run, and which conversation it copies."""
    data, pid = line["data"], line["data"].get("pid")
    words = process.words(pid) if isinstance(pid, int) else []
    if any(word.partition("=")[0] in AGENTS[line["host"]].ONE_OFF for word in words[1:]):
        data["one_off"] = True
    if data.get("source") == "fork":
        forks = forks_of(line["host"])
        path = str(data.get("transcript_path") or "")
        data["forked_from"] = forks.forked_from(path, session_id, words) if forks else ""


def _look_for_copy(engine: Engine, line: dict[str, Any], session_id: str) -> None:
    """A session that is resumed and was never heard of may be a copy that `restore-transcript` made: its lines say of which."""
    is_new = line["data"].get("source") == "resume" and not os.path.exists(engine.layout.tape(session_id))
    forks = forks_of(line["host"]) if is_new else None
    origin = forks.forked_from(str(line["data"].get("transcript_path") or ""), session_id, []) if forks else ""
    if origin:
        line["data"]["forked_from"] = origin


def _own_brief(engine: Engine, session_id: str) -> bool:
    return captures.exists(engine.layout, session_id)


def _place(data: dict[str, Any]) -> str:
    return place_name(str(data.get("worktree_id") or ""))


def _predecessor(engine: Engine, line: dict[str, Any], session_id: str) -> Predecessor | None:
    data, cleared = line["data"], Fact.CLEARED.value in line["facts"]
    start = Start(
        session_id=session_id,
        at=datetime.fromisoformat(line["at"]),
        host_pid=data.get("pid"),
        terminal=str(data.get("terminal") or ""),
        terminal_started=str(data.get("terminal_started") or ""),
        branch=str(data.get("branch") or ""),
        cleared=cleared,
        one_off=data.get("one_off") is True,
        forks=data.get("forked_from"),
    )
    if start.forks is not None:
        is_known = bool(start.forks) and os.path.exists(engine.layout.tape(start.forks))
        return find_predecessor(start if is_known else start._replace(forks=""), [])
    # Who cleared, and does not want that to hand over, wants an empty page: only what somebody named is handed on.
    empty = cleared and not engine.hands_over()
    candidates = [] if empty else _candidates(engine, start, _place(data))
    others = (one.state for one in candidates if one.state.turn_number and one.state.predecessor_rule in NEAR)
    continued = {other.predecessor for other in others}
    named = lease_baton(engine, start, data, _place(data), line["host"], continued)
    return find_predecessor(start, candidates, named=named)


def _candidates(engine: Engine, start: Start, place: str) -> list[Candidate]:
    """The sessions that started here before, newest first, and whether each is still at work."""
    found = []
    deadline = time.monotonic() + 2 * _HEALING_SECONDS
    for number, earlier in enumerate(starts.newest(engine.layout, place)):
        session_id = earlier["session"]
        if session_id == start.session_id:
            continue
        looked_after = number < _LOOKED_AFTER and time.monotonic() < deadline
        if looked_after:
            _heal(engine, session_id, wait=_patience(earlier, start, deadline))
        state = _load(engine, session_id)
        if number < _LOOKED_AFTER and _is_over(earlier, start) and engine.store.behind(session_id, state):
            state = _read_anyway(engine, session_id)
        if state:
            found.append(Candidate(state, is_alive=not _same_process(state, start) and _is_open(state)))
    return found


def _is_open(state: State) -> bool:
    """Whether nobody has seen its end: its agent may be at work, also after a turn that failed."""
    return state.ended_at is None and (state.host_pid is None or not is_lost(state.host_pid, state.host_started))


def _patience(earlier: dict[str, Any], start: Start, deadline: float) -> float:
    """For how many seconds a session that is being settled is waited for: nobody is, whose agent may still be at work."""
    if earlier.get("pid") is not None and earlier.get("pid") == start.host_pid:
        return _HEALING_SECONDS  # its end is being settled at this very moment
    return max(0.0, deadline - time.monotonic()) if _is_gone(earlier) else 0.0


def _is_over(earlier: dict[str, Any], start: Start) -> bool:
    """Whether its agent is gone, or went on to this very start."""
    return _is_gone(earlier) or (earlier.get("pid") is not None and earlier.get("pid") == start.host_pid)


def _is_gone(earlier: dict[str, Any]) -> bool:
    pid = earlier.get("pid")
    return isinstance(pid, int) and is_lost(pid, str(earlier.get("pid_started") or ""))


def _read_anyway(engine: Engine, session_id: str) -> State | None:
    """A session that is over while our own worker is still busy with it (a slow machine, a big work tree), by its tape alone."""
    try:
        state = engine.replayed(session_id)
        if not process_is_lost(state):
            return state
        engine.lost(session_id)
        return engine.replayed(session_id)
    except OSError:
        return None


def _same_process(state: State, start: Start) -> bool:
    """Two processes that nobody could find out about (no /proc) are not one and the same."""
    return state.host_pid is not None and state.host_pid == start.host_pid


def _heal(engine: Engine, session_id: str, wait: float) -> None:
    """Reads what a session's own hooks left unread, and says so if its process is gone. Who is at it already is let be.

    What takes long (its last words, its work tree) is left to others: the tape tells enough to go on from.
    """
    with suppress(Late), engine.deadline.limit(seconds=_HEALING_SECONDS):
        state = _load(engine, session_id)
        if engine.store.behind(session_id, state):
            engine.settle(session_id, wait=wait)
            state = _load(engine, session_id)
        if state and process_is_lost(state):
            engine.lost(session_id)
            engine.settle(session_id, wait=wait)


def process_is_lost(state: State) -> bool:
    """Whether a session is still open in our books while its agent is gone."""
    return not state.phase.is_closed and state.host_pid is not None and is_lost(state.host_pid, state.host_started)


def is_alive(state: State) -> bool:
    """Whether a session is open in an agent's process that is still there."""
    return not state.phase.is_closed and state.host_pid is not None and not process_is_lost(state)


def _load(engine: Engine, session_id: str) -> State | None:
    try:
        return engine.store.load(session_id)
    except (Unreadable, OSError):
        return None
