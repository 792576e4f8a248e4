"""Who started in a worktree, newest last: how a start finds its predecessor without listing ten thousand sessions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.store import tape
from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from typing import Any

    from tapehead.store.paths import Layout

_LOOKED_AT = 8 * 1024


def note(layout: Layout, place: str, start: dict[str, Any]) -> None:
    """One more start: `session`, `at`, `pid`, `pid_started`, `terminal`."""
    tape.append(layout.place(place), start)


def newest(layout: Layout, place: str) -> list[dict[str, Any]]:
    """The newest start of each of the last sessions here, newest first. It looks at a fixed number of bytes."""
    found: dict[str, dict[str, Any]] = {}
    for raw in reversed(tape.tail(layout.place(place), _LOOKED_AT)):
        try:
            start = json.loads(raw)
        except (ValueError, RecursionError):
            continue
        if isinstance(start, dict) and is_session_id(start.get("session")):
            found.setdefault(start["session"], start)
    return list(found.values())
