"""How much the archive may take: beyond its limit the oldest sessions go, and that they went is noted."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from tapehead.store import atomic

if TYPE_CHECKING:
    from tapehead.archive.archive import Archive

_ROOM = 0.9
"""How much of the limit may be used once something had to go: the next turn need not begin again."""
_MEGABYTE = 1_000_000


class Dropped(NamedTuple):
    """What went because of the limit."""

    sessions: int = 0
    until_ns: int = 0
    """When the newest of them was last written. What is older is not kept again, unless the limit is raised."""
    limit: int = 0
    """The limit then, in megabytes."""
    at: str = ""


def enforce(archive: Archive, limit: int, now: str, spare: str = "") -> list[str]:
    """Delete the oldest sessions until the archive fits its limit (in megabytes; 0 is none); which ones. One may be spared."""
    if not limit or archive.size() <= limit * _MEGABYTE:
        return []
    newest: dict[str, int] = {}
    for kept in archive.kept():
        newest[kept.source.session] = max(newest.get(kept.source.session, 0), kept.seen[1])
    gone: list[str] = []
    for session in sorted(newest, key=lambda each: newest[each]):
        if session != spare and archive.size() > limit * _MEGABYTE * _ROOM:
            archive.forget(session)
            gone.append(session)
    if gone:
        before = list_dropped(archive)
        until = max(before.until_ns, *(newest[session] for session in gone))
        _note(archive, Dropped(before.sessions + len(gone), until, limit, now))
    return gone


def list_dropped(archive: Archive) -> Dropped:
    """What went so far."""
    with suppress(OSError, ValueError, TypeError):
        return Dropped(**json.loads(atomic.read(archive.file("dropped.json"))))
    return Dropped()


def may_keep(archive: Archive, changed_ns: int, limit: int) -> bool:
    """Whether a transcript is worth keeping: one from before those that the limit drove out would be the next to go."""
    gone = list_dropped(archive)
    return changed_ns > gone.until_ns or limit == 0 or limit > gone.limit


def _note(archive: Archive, value: Dropped) -> None:
    atomic.write(archive.file("dropped.json"), json.dumps(value._asdict()).encode())
