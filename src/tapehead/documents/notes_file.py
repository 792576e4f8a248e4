"""`captures/<session>/notes.md`: the running notes of a session, which a user may edit. What they were made from is documents/notes_basis.py's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tapehead.documents import hand_edited
from tapehead.store import atomic, lock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.documents.notes_basis import Beside
    from tapehead.documents.section_merge import Joined, Record
    from tapehead.store.paths import Layout


def path(layout: Layout, session_id: str) -> str:
    """Where the notes are. What is saved by hand (documents/saved_notes.py) stands in the same file."""
    return f"{layout.captures(session_id)}/notes.md"


def read(layout: Layout, session_id: str) -> str:
    """Their text; nothing where there are none."""
    return hand_edited.text_of(path(layout, session_id))


def record_in(document: dict[str, Any]) -> Record:
    """What was kept of our own lines."""
    from tapehead.documents.section_merge import Record, apart  # noqa: PLC0415 - most turn ends only count

    return Record(*map(apart, _parts(document)))


def write(
    layout: Layout, session_id: str, beside: Beside, document: dict[str, Any], sections: Mapping[str, list[str]]
) -> None:
    """Writes the sections into the notes, around what a user wrote there, and beside them the document, which now knows its lines.

    The record goes first: whoever dies in between leaves lines of ours that are known as ours.
    """
    from tapehead.documents.notes_merge import today  # noqa: PLC0415 - as above

    here = path(layout, session_id)
    with hand_edited.editing(layout):
        before = hand_edited.bytes_of(here)
        after, parts, is_ours = today(before, _parts(document), sections)
        beside.keep({**document, "record": parts})
        if after != before:
            # What a user wrote must survive a power cut, too; what is ours alone can be made again.
            atomic.write(here, after, flushed=not is_ours)


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


def _parts(document: dict[str, Any]) -> list[Joined]:
    """The record as it is kept: what we wrote before, what we wrote last, what a user took out."""
    parts = document.get("record")
    if isinstance(parts, list) and len(parts) == _PARTS and all(isinstance(part, dict) for part in parts):
        try:
            return [{str(title): _as_bytes(lines) for title, lines in part.items()} for part in parts]
        except (TypeError, UnicodeEncodeError):
            pass  # not as we keep it
    return [{}, {}, {}]


def _as_bytes(lines: object) -> bytes:
    if isinstance(lines, str):
        return lines.encode("utf-8", "surrogateescape")
    if isinstance(lines, bytes):
        return lines  # of a former version
    raise TypeError(lines)


_PARTS = 3
