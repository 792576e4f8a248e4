"""What a start has to find out before its line is written: who went before it in this place, and whether that one died."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from tapehead.actions.inheritance import Heir, Start, heir
from tapehead.actions.recalling import is_there
from tapehead.agents.process import is_lost
from tapehead.statemachine.vocabulary import Fact, Phase
from tapehead.store import batons, captures, starts
from tapehead.store.paths import place_name
from tapehead.store.sessions import Unreadable

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import Any

    from tapehead.cli.engine import Engine
    from tapehead.store.state import State

_GOES_ON = ("compact", "resume")
"""Sources of a start that goes on with itself: what it is handed back is its own (stories.hand_back), so it inherits nothing."""
_CLOSED = (Phase.ENDED, Phase.HALTED)
_LOOKED_AFTER = 3
"""Predecessors that are settled on the spot. More would make the start wait; doctor and status find the rest."""
_HEALING_SECONDS = 1.5
"""And for so long: the host gives a start ten seconds in all, and its line is not written yet."""


def find_out(engine: Engine, line: dict[str, Any], session_id: str) -> None:
    """Adds to a start's line what it inherits: the fact that there is a story, whose, and by which rule."""
    data, facts = line["data"], line["facts"]
    engine.store.unarchive(session_id)
    _heal(engine, session_id, wait=1.0)
    if data.get("source") not in _GOES_ON and not _own_story(engine, session_id):
        found = _predecessor(engine, line, session_id)
        if found:
            data |= {"predecessor": found.predecessor, "rule": found.rule}
    if "predecessor" in data or _own_story(engine, session_id) or is_there(engine.layout, engine.settings):
        facts.append(Fact.HAS_STORY.value)
    start = {"session": session_id, "at": line["at"]}
    starts.note(engine.layout, _place(data), start | {k: data.get(k) for k in ("pid", "pid_started", "terminal")})


def _own_story(engine: Engine, session_id: str) -> bool:
    return captures.exists(engine.layout, session_id)


def _place(data: dict[str, Any]) -> str:
    return place_name(str(data.get("worktree_id") or ""))


def _predecessor(engine: Engine, line: dict[str, Any], session_id: str) -> Heir | None:
    data, cleared = line["data"], Fact.CLEARED.value in line["facts"]
    start = Start(
        session_id=session_id,
        at=datetime.fromisoformat(line["at"]),
        host_pid=data.get("pid"),
        terminal=str(data.get("terminal") or ""),
        cleared=cleared,
    )
    # Who cleared, and does not want that to hand over, wants an empty page: only what somebody named is handed on.
    empty = cleared and not engine.hands_over()
    candidates = [] if empty else _candidates(engine, start, _place(data))
    return heir(start, _leased_baton(engine, start, data, line["host"]), candidates)


def _candidates(engine: Engine, start: Start, place: str) -> list[State]:
    """The sessions that went before, newest first; those whose host is still at work are not over."""
    found = []
    deadline = time.monotonic() + _HEALING_SECONDS
    for number, earlier in enumerate(starts.newest(engine.layout, place)):
        session_id = earlier["session"]
        if session_id == start.session_id:
            continue
        looked_after = number < _LOOKED_AFTER and time.monotonic() < deadline
        if looked_after:
            _heal(engine, session_id, wait=_patience(earlier, start, deadline))
        state = _load(engine, session_id)
        if looked_after and _is_gone(earlier) and engine.store.behind(session_id, state):
            state = _read_anyway(engine, session_id)
        if state and (state.phase in _CLOSED or _same_process(state, start)):
            found.append(state)
    return found


def _patience(earlier: dict[str, Any], start: Start, deadline: float) -> float:
    """For how many seconds a session that is being settled is waited for: nobody is, whose host may still be at work."""
    if earlier.get("pid") is not None and earlier.get("pid") == start.host_pid:
        return 2.0  # its end is being settled at this very moment
    return max(0.0, deadline - time.monotonic()) if _is_gone(earlier) else 0.0


def _is_gone(earlier: dict[str, Any]) -> bool:
    pid = earlier.get("pid")
    return isinstance(pid, int) and is_lost(pid, str(earlier.get("pid_started") or ""))


def _read_anyway(engine: Engine, session_id: str) -> State | None:
    """A session whose host is gone while our own worker is still busy with it (a slow machine, a big work tree), by its tape alone."""
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
    """Reads what a session's own hooks left unread, and says so if its process is gone. Who is at it already is let be."""
    state = _load(engine, session_id)
    if engine.store.behind(session_id, state):
        engine.settle(session_id, wait=wait)
        state = _load(engine, session_id)
    if state and process_is_lost(state):
        engine.lost(session_id)
        engine.settle(session_id, wait=wait)


def process_is_lost(state: State) -> bool:
    """Whether a session is still open in our books while its host is gone."""
    return state.phase not in _CLOSED and state.host_pid is not None and is_lost(state.host_pid, state.host_started)


def _load(engine: Engine, session_id: str) -> State | None:
    try:
        return engine.store.load(session_id)
    except (Unreadable, OSError):
        return None


def _leased_baton(engine: Engine, start: Start, data: dict[str, Any], host: str = "") -> str:
    """The session that a baton of this place names, if it is still good, for this start, and this start got hold of it.

    What it holds already comes first, then what a `/clear` in its own process left, then what somebody named; what a `/clear` left
    in another process is that one's as long as it lives.
    """
    lying = ((name, batons.look(engine.layout, name)) for name in batons.names(engine.layout, _place(data)))
    good = [(name, baton) for name, baton in lying if baton and _is_good(engine, baton, start, data, host)]
    good.sort(key=lambda one: str(one[1].get("offered_at")), reverse=True)
    good.sort(key=lambda one: _standing(one[1], start, data))
    process = {"pid": start.host_pid, "pid_started": data.get("pid_started")}
    for name, baton in good:
        void = str(baton.get("leased_by") or "") if _holder_is_gone(baton, start) else ""
        if leased := batons.lease(engine.layout, name, start.session_id, process, void=void):
            return str(leased["session"])
    return ""


def _is_good(engine: Engine, baton: dict[str, Any], start: Start, data: dict[str, Any], host: str) -> bool:
    if baton["session"] == start.session_id or baton.get("to") not in (None, host):
        return False
    if _age(str(baton.get("offered_at")), start.at) > engine.keeps_batons():
        return False
    return _cleared_in(baton, start, data) or _is_anybodys(baton)


def _standing(baton: dict[str, Any], start: Start, data: dict[str, Any]) -> int:
    if baton.get("leased_by") == start.session_id:
        return 0
    return 1 if _cleared_in(baton, start, data) else 2 if "cleared" not in baton else 3


def _cleared_in(baton: dict[str, Any], start: Start, data: dict[str, Any]) -> bool:
    """Whether a `/clear` in the very process of this start left it."""
    ours = {"pid": start.host_pid, "pid_started": data.get("pid_started") or ""}
    return start.host_pid is not None and baton.get("cleared") == ours


def _is_anybodys(baton: dict[str, Any]) -> bool:
    """Whether it was named by somebody, or the process that left it is gone, or nobody knows which one that was."""
    process = baton.get("cleared")
    pid = process.get("pid") if isinstance(process, dict) else None
    return not isinstance(pid, int) or is_lost(pid, str(process.get("pid_started") or "") if process else "")


def _age(offered_at: str, now: datetime) -> float:
    try:
        return (now - datetime.fromisoformat(offered_at).astimezone(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return float("inf")


def _holder_is_gone(baton: dict[str, Any], start: Start) -> bool:
    """A lease dies with the process that took it; one of our own process was a ghost's."""
    process = baton.get("lease_process")
    pid = process.get("pid") if isinstance(process, dict) else None
    if not isinstance(pid, int):
        return True
    return pid == start.host_pid or is_lost(pid, str(process.get("pid_started") or "") if process else "")
