"""Where a session comes from: it was recorded in this store, or another machine handed it over."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tapehead.store import atomic

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

MARK = "carried.json"
"""Beside a session's captures: it came from elsewhere, through which remote, and who says to have sent it."""


def is_carried(layout: Layout, session_id: str) -> bool:
    """Whether a session came from another machine: no agent of this one can open it again."""
    return os.path.exists(os.path.join(layout.captures(session_id), MARK))


def is_own(layout: Layout, session_id: str) -> bool:
    """Whether a session was recorded here."""
    archived = os.path.join(layout.archive, session_id + ".tape")
    known = os.path.exists(layout.tape(session_id)) or os.path.exists(archived)
    return known and not is_carried(layout, session_id)


def is_on_tape(layout: Layout, session_id: str, word: str) -> bool:
    """Whether a session's tape has a word: what it did itself is noted there."""
    for path in (layout.tape(session_id), os.path.join(layout.archive, session_id + ".tape")):
        try:
            if word.encode() in atomic.read(path):
                return True
        except OSError:
            continue
    return False


def mark(layout: Layout, session_id: str, remote: str, by: str) -> None:
    """Says where a session comes from."""
    path = os.path.join(layout.captures(session_id), MARK)
    atomic.write(path, json.dumps({"remote": remote, "by": by}).encode() + b"\n")


def sender(layout: Layout, session_id: str) -> tuple[str, str] | None:
    """The remote that a session came through, and the name that its sender gave; both empty where nobody wrote them down. None for our own."""
    try:
        found = json.loads(atomic.read(os.path.join(layout.captures(session_id), MARK)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        found = {}
    about = found if isinstance(found, dict) else {}
    return str(about.get("remote") or ""), str(about.get("by") or "")
