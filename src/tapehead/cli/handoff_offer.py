"""A session that is handed off by a command: the baton for the next start, and a line on the session's own tape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapehead.store import batons
from tapehead.store.paths import place_name

if TYPE_CHECKING:
    from tapehead.cli.here import Here


def offer(at: Here, session_id: str, memo: str = "", to: str = "") -> dict[str, Any]:
    """Names the session for the next start in this worktree; returns the baton."""
    place, keeps = place_name(at.place.worktree_id), at.engine.keeps_batons()
    baton = batons.offer(at.engine.layout, place, session_id, at.now.isoformat(), memo, to=to, keeps=keeps)
    data = {"memo": bool(baton["memo"]), **({"to": to} if to else {})}
    at.engine.append(session_id, {"note": "handed_off", "data": data})
    at.engine.settle(session_id)
    return baton
