"""Batons: one file per worktree that names the session which the next start there inherits. Used up exactly once.

A start leases the baton first and takes it at its first prompt, because starts come in pairs of which one is a ghost
that never gets a prompt. Every change is made under the baton's own lock.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tapehead.store import atomic, lock
from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.store.paths import Layout

_WAIT = 2.0
_HOUR = 3600


def offer(layout: Layout, place: str, session_id: str, at: str, memo: str = "", to: str = "") -> None:  # noqa: PLR0913, PLR0917 - all that a baton says
    """Names a session for the next start, of one agent where `to` names it.

    A second offer replaces the first and keeps its memo, unless it brings one.
    """
    with _held(layout, place):
        former = look(layout, place)
        if not memo and former and (former.get("session") == session_id or _is_fresh(former, at)):
            memo = str(former.get("memo") or "")
        _write(layout, place, {"session": session_id, "offered_at": at, "memo": memo, **({"to": to} if to else {})})


def look(layout: Layout, place: str) -> dict[str, Any] | None:
    """The baton that lies there, or None. One that cannot be read is none: a new offer replaces it."""
    try:
        found = json.loads(atomic.read(layout.baton(place)))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and is_session_id(found.get("session")) else None


def lease(layout: Layout, place: str, by: str, process: dict[str, Any], *, void: str = "") -> dict[str, Any] | None:
    """Reserves the baton for one start: the baton, or None where there is none or another start holds it.

    `process` is written down with the lease, so that others can see whether its holder still lives. `void` names a holder
    that the caller saw to be gone: its lease counts no more.
    """
    with _held(layout, place):
        found = look(layout, place)
        if found is None:
            return None
        holder = found.get("leased_by")
        if holder not in (None, by) and holder != void:
            return None
        leased = {**found, "leased_by": by, "lease_process": process}
        if leased != found:
            _write(layout, place, leased)
        return leased


def take(layout: Layout, place: str, by: str) -> bool:
    """Uses the baton up, if this start holds its lease. Done again, it is still used up."""
    with _held(layout, place):
        found = look(layout, place)
        if found is None or found.get("leased_by") != by:
            return False
        with suppress(FileNotFoundError):
            os.unlink(layout.baton(place))
        return True


def _is_fresh(former: dict[str, Any], at: str) -> bool:
    """Whether a memo that nobody has read yet is of the same hour; an older one is of other work."""
    try:
        offered = datetime.fromisoformat(str(former.get("offered_at")))
        return abs((datetime.fromisoformat(at) - offered).total_seconds()) <= _HOUR
    except (ValueError, TypeError):
        return False


@contextmanager
def _held(layout: Layout, place: str) -> Iterator[None]:
    descriptor = lock.take(layout.baton(place) + ".lock", _WAIT)
    if descriptor is None:
        raise TimeoutError(f"the baton of {place} is held by another process")
    try:
        yield
    finally:
        lock.release(descriptor)


def _write(layout: Layout, place: str, baton: dict[str, Any]) -> None:
    atomic.write(layout.baton(place), json.dumps(baton, indent=1).encode() + b"\n")
