"""Batons: files that name the sessions which the next starts in a worktree inherit. Each is used up exactly once.

There is one that somebody named, and one for each session that was cleared and that nobody has gone on from: a `/clear` in one
window must not take away what was handed over in another. A start leases a baton first and takes it at its first prompt,
because starts come in pairs of which one is a ghost that never gets a prompt. Every change is made under the worktree's lock.
"""

from __future__ import annotations

import json
import os
from binascii import crc32
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING

from tapehead.store import atomic, lock
from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tapehead.store.paths import Layout

_WAIT = 2.0
_HOUR = 3600.0
_CLEARED = "+"
"""Between the worktree and the session that was cleared there; no worktree's name has it."""


def offer(  # noqa: PLR0913 - all that a baton says
    layout: Layout, place: str, session_id: str, at: str, memo: str = "", *, to: str = "", keeps: float = _HOUR
) -> dict[str, Any]:
    """Names a session for the next start, of one agent where `to` names it; returns the baton.

    A second offer replaces the first and keeps its memo, unless it brings one: that of the same session, or one that was
    still good (for `keeps` seconds) and that nobody has read.
    """
    with _held(layout, place):
        former = look(layout, place)
        if not memo.strip():
            kept = former and (former.get("session") == session_id or not _is_over(former, at, keeps))
            memo = str(former.get("memo") or "") if former and kept else ""
        baton = {"session": session_id, "offered_at": at, "memo": memo, **({"to": to} if to else {})}
        _write(layout, place, baton)
        cleared = look(layout, _cleared(place, session_id))
        if cleared and not cleared.get("leased_by"):
            _drop(layout, _cleared(place, session_id))  # the same session once more: it is handed over once
        return baton


def offer_cleared(  # noqa: PLR0913 - all that a baton says
    layout: Layout, place: str, session_id: str, at: str, process: dict[str, Any], *, host: str, keeps: float = _HOUR
) -> str:
    """Names a session that ended by `/clear` for the start that follows in the same process; returns the baton's name.

    Where that very session was handed over by name, and nobody has it yet, that baton serves: it may have a memo.
    """
    with _held(layout, place):
        named = look(layout, place)
        if named and named["session"] == session_id and not named.get("leased_by") and named.get("to") in (None, host):
            _write(layout, place, {**named, "offered_at": at})
            return place
        for name in names(layout, place):
            if name != place and _is_over(look(layout, name) or {}, at, keeps):
                _drop(layout, name)
        name = _cleared(place, session_id)
        _write(layout, name, {"session": session_id, "offered_at": at, "memo": "", "cleared": process})
        return name


def names(layout: Layout, place: str) -> list[str]:
    """The batons of a worktree: the one that somebody named has the worktree's own name."""
    try:
        found = os.listdir(os.path.dirname(layout.baton(place)))
    except OSError:
        return []
    known = (name.removesuffix(".json") for name in found if name.endswith(".json"))
    return sorted(name for name in known if name == place or name.startswith(place + _CLEARED))


def list_offered(layout: Layout, at: str, keeps: float = _HOUR) -> set[str]:
    """The sessions that a baton of any worktree names which is still good."""
    try:
        names = os.listdir(os.path.dirname(layout.baton("")))
    except OSError:
        return set()
    found = (look(layout, name.removesuffix(".json")) for name in names if name.endswith(".json"))
    return {str(baton["session"]) for baton in found if baton and not _is_over(baton, at, keeps)}


def held(layout: Layout, place: str, by: str) -> tuple[str, dict[str, Any]] | None:
    """The baton that a start holds, and its name."""
    found = ((name, look(layout, name)) for name in names(layout, place))
    return next(((name, baton) for name, baton in found if baton and baton.get("leased_by") == by), None)


def look(layout: Layout, place: str) -> dict[str, Any] | None:
    """The baton that lies there, or None. One that cannot be read is none: a new offer replaces it."""
    try:
        found = json.loads(atomic.read(layout.baton(place)))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and is_session_id(found.get("session")) else None


def lease(  # noqa: PLR0913 - who wants it, and how
    layout: Layout, place: str, by: str, process: dict[str, Any], *, void: str = "", wait: float = _WAIT
) -> dict[str, Any] | None:
    """Reserves the baton for one start: the baton, or None where there is none or another start holds it.

    `process` is written down with the lease, so that others can see whether its holder still lives. `void` names a holder
    that the caller saw to be gone: its lease counts no more.
    """
    with _held(layout, place, wait):
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


def miss(layout: Layout, place: str, by: str, *, wait: float = _WAIT) -> None:
    """Notes which start was told that the baton had expired, so that the next ones need not be."""
    with _held(layout, place, wait):
        if found := look(layout, place):
            _write(layout, place, {**found, "missed_by": by})


def take(layout: Layout, place: str, by: str) -> str:
    """Uses up the baton that this start holds; returns its name. Done again, it is still used up."""
    with _held(layout, place):
        found = held(layout, place, by)
        if found is None:
            return ""
        _drop(layout, found[0])
        return found[0]


def drop_all(layout: Layout, session_id: str) -> int:
    """Removes every baton that names a session; how many it were."""
    try:
        found = os.listdir(os.path.dirname(layout.baton("")))
    except OSError:
        return 0
    named = [name.removesuffix(".json") for name in found if name.endswith(".json")]
    count = 0
    for name in named:
        with _held(layout, name):
            if (baton := look(layout, name)) and baton["session"] == session_id:
                _drop(layout, name)
                count += 1
    return count


def _cleared(place: str, session_id: str) -> str:
    return f"{place}{_CLEARED}{crc32(session_id.encode()):08x}"


def _is_over(baton: dict[str, Any], at: str, keeps: float) -> bool:
    """Whether it is good no more: what it says is of other work."""
    try:
        offered = datetime.fromisoformat(str(baton.get("offered_at")))
        return abs((datetime.fromisoformat(at) - offered).total_seconds()) > keeps
    except (ValueError, TypeError):
        return True


@contextmanager
def _held(layout: Layout, place: str, wait: float = _WAIT) -> Iterator[None]:
    place = place.partition(_CLEARED)[0]
    descriptor = lock.take(layout.baton(place) + ".lock", wait)
    if descriptor is None:
        raise TimeoutError(f"the baton of {place} is held by another process")
    try:
        yield
    finally:
        lock.release(descriptor)


def _write(layout: Layout, place: str, baton: dict[str, Any]) -> None:
    atomic.write(layout.baton(place), json.dumps(baton, indent=1).encode() + b"\n")


def _drop(layout: Layout, name: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(layout.baton(name))
