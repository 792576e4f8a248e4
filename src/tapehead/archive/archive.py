"""The archive of a store: transcripts that are kept before their agent deletes them. One folder, one lock.

    transcripts/<session>.<key>.json    the index of one kept file (kept.py)
    transcripts/<session>.<key>.*.tail  its newest bytes (tail.py)
    transcripts/packs/<checksum>        its segments (segments.py), and lines that several have (packs.py)

A pack is written before the index that names it, and removed after the last one that did; a kill leaves at most files that nobody names.

To delete all that is kept of a session (`gc`, `forget-session`): `Archive(layout).forget(session_id)`. To delete everything: remove
the folder `Layout.transcripts`.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from tapehead.archive import kept as index
from tapehead.archive import segments, tail
from tapehead.archive.kept import Kept, Source
from tapehead.archive.packs import Packs
from tapehead.archive.segments import Damaged
from tapehead.store import atomic, lock
from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.store.paths import Layout

_WAIT = 20.0
"""Seconds. Whoever holds the lock adds a few megabytes."""
_INDEX, _TAIL = ".json", ".tail"
OWN_FILES = ("dropped.json", "tidy.json")
"""What the archive notes of itself, beside the indexes."""


class Busy(OSError):
    """Another process holds the archive's lock for long."""


class Archive:
    """Reads it, and takes things out. What puts things in is in additions.py."""

    def __init__(self, layout: Layout, wait: float = _WAIT) -> None:
        self.folder = layout.transcripts
        self.packs = Packs(os.path.join(self.folder, "packs"))
        self.wait = wait

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody else writes meanwhile. Raises Busy, OSError."""
        descriptor = lock.take(self.file("lock"), self.wait)
        if descriptor is None:
            raise Busy(f"the archive in {self.folder} is in use")
        try:
            yield
        finally:
            lock.release(descriptor)

    def file(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def kept(self, session: str = "") -> list[Kept]:
        """All that is kept, or all of a session; what cannot be read is left out, and `damaged` names it."""
        found = []
        for name in self._indexes(session):
            with suppress(OSError, Damaged):
                found.append(index.load(self.file(name)))
        return found

    def find(self, source: Source) -> Kept | None:
        """The newest version of a kept file. Raises Damaged, OSError."""
        try:
            return index.load(self.file(index.index_name(Kept(source))))
        except FileNotFoundError:
            return None

    def read(self, kept: Kept) -> Iterator[bytes]:
        """A kept file, piece by piece, byte for byte. Raises Damaged, OSError."""
        for segment in kept.segments:
            data = self.packs.get(segment.pack)
            raw = segments.unmark(data, kept.source.session) if segment.is_marked else data
            if len(raw) != segment.size:
                raise Damaged(f"pack {segment.pack[:12]} has another length")
            yield raw
        if kept.tail_size:
            raw = tail.read(self.file(kept.tail), kept.tail_length)
            if len(raw) != kept.tail_size:
                raise Damaged(f"{kept.tail} has another length")
            yield raw

    def damaged(self) -> list[str]:
        """The indexes that cannot be read."""
        found = []
        for name in self._indexes():
            try:
                index.load(self.file(name))
            except Damaged as error:
                found.append(str(error))
        return found

    def size(self) -> int:
        """Bytes that it takes on the disk."""
        total = self.packs.size()
        for name in self._names():
            if name != os.path.basename(self.packs.folder):
                with suppress(FileNotFoundError):
                    total += os.lstat(self.file(name)).st_size
        return total

    def forget(self, session: str) -> int:
        """Delete all that is kept of a session; how many files that were. What another session has too stays with that one."""
        if not is_session_id(session) or not self._indexes(session):
            return 0
        with self.held():
            names = self._indexes(session)
            for name in names:
                os.unlink(self.file(name))
            self.sweep()
        return len(names)

    def sweep(self) -> None:
        """Remove the files that no index names. Only with the lock; nothing goes while an index cannot be read."""
        if self.damaged():
            return
        everything = self.kept()
        tails = {kept.tail for kept in everything}
        for name in self._names():
            if name.endswith((_TAIL, atomic.SCRATCH)) and name not in tails:
                atomic.remove(self.file(name))
        self.packs.drop_all_but({name for kept in everything for name in kept.packs})

    def strays(self, before: float) -> list[str]:
        """The tails and packs from before a time that no index names: an index is gone, or a writer was killed."""
        if self.damaged():
            return []
        everything = self.kept()
        tails, packs = {kept.tail for kept in everything}, {name for kept in everything for name in kept.packs}
        found = [name for name in self._names() if name.endswith(_TAIL) and name not in tails]
        found += [f"packs/{name}" for name in self.packs.names() if name not in packs]
        return [name for name in found if _changed(self.file(name)) < before]

    def _indexes(self, session: str = "") -> list[str]:
        begins = f"{session}." if session else ""
        named = [name for name in self._names() if name.endswith(_INDEX) and name.startswith(begins)]
        # An id may hold a dot: what is behind it is the key, and perhaps a number.
        return [name for name in named if name not in OWN_FILES and (not session or session_of(name) == session)]

    def _names(self) -> list[str]:
        try:
            return sorted(os.listdir(self.folder))
        except FileNotFoundError:
            return []


def _changed(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except FileNotFoundError:
        return float("inf")  # it went meanwhile


def session_of(name: str) -> str:
    """The session in the name of an index: `<session>.<key>.json`, or `<session>.<key>.<version>.json`."""
    words = name.removesuffix(_INDEX).split(".")
    return ".".join(words[: -2 if words[-1].isdigit() and len(words[-1]) < _KEY else -1])


_KEY = 12
