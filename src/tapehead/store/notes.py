"""`captures/<session>/notes.md`: the running notes of a session, and beside them `notes.known`, what they were made from.

A person may edit the first; the second is ours alone, and can always be made again from the transcript.
"""

from __future__ import annotations

import marshal
import os
from binascii import crc32
from typing import TYPE_CHECKING, Any

from tapehead.store import atomic, by_hand, lock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.store.merging import Joined, Record
    from tapehead.store.paths import Layout


_READ_BY_ALL = 4


def path(layout: Layout, session_id: str) -> str:
    """Where the notes are. What is saved by hand (store/saved.py) stands in the same file."""
    return f"{layout.captures(session_id)}/notes.md"


def read(layout: Layout, session_id: str) -> str:
    """Their text; nothing where there are none."""
    return by_hand.text_of(path(layout, session_id))


def load(layout: Layout, session_id: str) -> dict[str, Any]:
    """What is kept beside them; empty where nothing is, or nothing that can be read: it is then made again."""
    try:
        found = _checked(atomic.read(_beside(layout, session_id))[_ROOM:])
    except OSError:
        return {}
    return found if isinstance(found, dict) else {}


def keep(layout: Layout, session_id: str, document: dict[str, Any]) -> None:
    """Keeps it, over what was there: it comes at many a turn's end, and a file system may take its time to replace a file.

    Half of it is known by its checksum, and then it is made again. Marshal is ten times as fast as JSON, and keeping notes must cost
    less than reading the transcript; every Python that we run on reads its version 4, and nobody else writes this file.
    """
    data = _fitted(document.get("counted")) + _with_checksum(document)
    descriptor = _opened(layout, session_id)
    try:
        os.ftruncate(descriptor, os.pwrite(descriptor, data, 0))
    finally:
        os.close(descriptor)


def counted(layout: Layout, session_id: str) -> object:
    """The few numbers that stand before all that: how much has come in since, where nothing else was kept."""
    try:
        descriptor = os.open(_beside(layout, session_id), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return _checked(os.pread(descriptor, _ROOM, 0))
    finally:
        os.close(descriptor)


def count(layout: Layout, session_id: str, numbers: list[int]) -> None:
    """Keeps the numbers alone; the rest stays as it was."""
    descriptor = _opened(layout, session_id)
    try:
        os.pwrite(descriptor, _fitted(numbers), 0)
    finally:
        os.close(descriptor)


def record_in(document: dict[str, Any]) -> Record:
    """What was kept of our own lines."""
    from tapehead.store.merging import Record, apart  # noqa: PLC0415 - most turn ends only count

    return Record(*map(apart, _parts(document)))


def write(
    layout: Layout, session_id: str, document: dict[str, Any], sections: Mapping[str, list[str]]
) -> dict[str, Any]:
    """Writes the sections into the notes, around what a person wrote there; returns the document, which now knows its lines.

    The record goes first: whoever dies in between leaves lines of ours that are known as ours.
    """
    from tapehead.store.renewing import today  # noqa: PLC0415 - as above

    here = path(layout, session_id)
    with by_hand.editing(layout):
        before = by_hand.bytes_of(here)
        after, parts, is_ours = today(before, _parts(document), sections)
        document = {**document, "record": parts}
        keep(layout, session_id, document)
        if after != before:
            # What a person wrote must survive a power cut, too; what is ours alone can be made again.
            atomic.write(os.path.realpath(here) if os.path.islink(here) else here, after, flushed=not is_ours)
    return document


def in_turn(layout: Layout, session_id: str, work: Callable[[], None]) -> bool:
    """Does the work, one writer at a time; False where another is at it, who then does it once more.

    Who comes says so before asking for the lock, by a byte more in the lock's own file; who has the lock looks after letting go whether
    somebody came meanwhile. So the news of whoever was turned away are read by one run that begins after they came, however many came.
    """
    here = f"{layout.captures(session_id)}/notes.lock"
    held = lock.take(here, 0, said=b".")
    done = False
    while held is not None:
        try:
            seen = os.fstat(held).st_size
            work()
            done = True
        finally:
            lock.release(held)
        if os.stat(here).st_size == seen:
            return True
        held = lock.take(here, 0)
    return done


def _beside(layout: Layout, session_id: str) -> str:
    return f"{layout.captures(session_id)}/notes.known"


def _opened(layout: Layout, session_id: str) -> int:
    return os.open(_beside(layout, session_id), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)


_ROOM = 128
"""Bytes for the numbers."""


def _fitted(numbers: Any) -> bytes:
    return _with_checksum(numbers).ljust(_ROOM, b"\0")[:_ROOM]


def _with_checksum(found: Any) -> bytes:
    data = marshal.dumps(found, _READ_BY_ALL)
    return b"%08x%08x%b" % (crc32(data), len(data), data)


def _checked(data: bytes) -> object:
    """What was kept, or None where it is not as it was."""
    try:
        size = int(data[8:16], 16)
        rest = data[16 : 16 + size]
        return marshal.loads(rest) if int(data[:8], 16) == crc32(rest) else None  # noqa: S302 - see `keep`
    except (ValueError, EOFError, TypeError):
        return None


def _parts(document: dict[str, Any]) -> list[Joined]:
    """The record as it is kept: what we wrote before, what we wrote last, what a person took out."""
    parts = document.get("record")
    if isinstance(parts, list) and len(parts) == _PARTS and all(isinstance(part, dict) for part in parts):
        return parts
    return [{}, {}, {}]


_PARTS = 3
