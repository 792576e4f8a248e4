"""The handoff that a start takes: which baton of its place is for it, and whether it got hold of it before another start."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from tapehead.store import batons
from tapehead.system.processes import is_lost

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from tapehead.actions.predecessor import Start
    from tapehead.engine.engine import Engine

_LEASING_SECONDS = 0.2
"""For so long a handoff that another process is at is waited for."""


def lease_baton(  # noqa: PLR0913, PLR0917 - a start has that many sides
    engine: Engine, start: Start, data: dict[str, Any], place: str, host: str, continued: Collection[str]
) -> str:
    """The session that a baton of this place names, if it is still good, for this start, and this start got hold of it.

    What it holds already comes first, then what a `/clear` in its own process left, then what somebody named; what a `/clear` left
    in another process is that one's as long as it lives. On a busy machine a `/clear` leaves its baton only after the next start went
    on without it (rule 2): whoever comes later does not go back to that session.
    """
    lying = [(name, batons.look(engine.layout, name)) for name in batons.names(engine.layout, place)]
    good = [
        (name, baton)
        for name, baton in lying
        if baton
        and _is_good(engine, baton, start, data, host)
        and not ("cleared" in baton and baton["session"] in continued)
    ]
    if not good:
        _tell_of_expired(engine, start, data, place, host)
    good.sort(key=lambda one: str(one[1].get("offered_at")), reverse=True)
    good.sort(key=lambda one: _standing(one[1], start, data))
    process = {"pid": start.host_pid, "pid_started": data.get("pid_started")}
    for name, baton in good:
        void = str(baton.get("leased_by") or "") if _holder_is_gone(baton, start) else ""
        with suppress(TimeoutError):  # another process is at it: the handoff stays for a start that can have it
            lease = partial(batons.lease, engine.layout, name, start.session_id, process, void=void)
            if leased := lease(wait=_LEASING_SECONDS):
                if "cleared" in leased:
                    data["handoff_cleared"] = True
                return str(leased["session"])
            if "cleared" not in baton:  # somebody named it, and may expect it here
                data["handoff_missed"] = f"the handoff of session {baton['session']} was taken by another session"
    return ""


def _tell_of_expired(engine: Engine, start: Start, data: dict[str, Any], place: str, host: str) -> None:
    """What somebody named, and no start came for in time: the first that comes later learns of it, once."""
    baton = batons.look(engine.layout, place)
    if baton is None or baton["session"] == start.session_id or baton.get("to") not in (None, host):
        return
    if baton.get("leased_by") or "missed_by" in baton:
        return
    age = _age(str(baton.get("offered_at")), start.at)
    if engine.keeps_batons() < age < float("inf"):
        with suppress(TimeoutError):  # another process is at it: another start says it
            batons.miss(engine.layout, place, start.session_id, wait=_LEASING_SECONDS)
            data["handoff_missed"] = f"the handoff of session {str(baton['session'])[:8]} has expired"


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
