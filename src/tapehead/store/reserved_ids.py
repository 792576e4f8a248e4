"""Which checkpoint ids were promised to which session, when a commit's message was prepared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.store import tape
from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_LOOKED_AT = 256 * 1024


def sessions(layout: Layout) -> dict[str, str]:
    """The sessions, by the ids that were promised of late."""
    found = {}
    for raw in tape.tail(layout.reserved, _LOOKED_AT):
        try:
            line = json.loads(raw)
        except (ValueError, RecursionError):
            continue
        if isinstance(line, dict) and isinstance(line.get("id"), str) and is_session_id(line.get("session")):
            found[line["id"]] = line["session"]
    return found
