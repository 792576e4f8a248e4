"""Content-addressed files: each is named by the checksum of what it stands for, so nothing is kept twice, and damage shows."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.archive import segments
from tapehead.archive.segments import Damaged
from tapehead.store import atomic

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"[0-9a-f]{64}")
_WITH_REFERENCES, _AS_IT_IS = b"\x01", b"\x02"
"""The first byte of what is packed."""
_SHORT = 8
"""Bytes of a checksum by which a long line is known again. A mistake only makes a pack that nobody else needs."""


class Packs:
    """The packs of one archive. Whoever puts or drops holds the archive's lock.

    A line is made a pack of its own when it comes a second time: what never comes again stays in its segment, where it takes less.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._met: set[bytes] | None = None

    @property
    def lines_met(self) -> str:
        """The file with the checksums of the long lines so far. Without it only less is shared."""
        return os.path.join(self.folder, "lines.met")

    def put(self, data: bytes, *, may_refer: bool) -> tuple[str, tuple[str, ...]]:
        """Keep data, unless it is kept; its name, and the packs that it refers to. One that is damaged is written again."""
        name = hashlib.sha256(data).hexdigest()
        with suppress(OSError, Damaged):
            self.get(name)
            kept = self._unpacked(name)
            return name, segments.references(kept[1:]) if kept.startswith(_WITH_REFERENCES) else ()
        new: list[bytes] = []
        lean = segments.refer(data, lambda line: self._reference(line, new)) if may_refer else data
        atomic.write(self._path(name), segments.pack((_WITH_REFERENCES if may_refer else _AS_IT_IS) + lean))
        self._note(new)
        return name, segments.references(lean) if may_refer else ()

    def get(self, name: str) -> bytes:
        """What is kept under a name. Raises Damaged where it is another thing, OSError where it is gone."""
        kept = self._unpacked(name)
        data = segments.expand(kept[1:], self.get) if kept.startswith(_WITH_REFERENCES) else kept[1:]
        if hashlib.sha256(data).hexdigest() != name:
            raise Damaged(f"pack {name[:12]} is not what it was")
        return data

    def drop_all_but(self, wanted: set[str]) -> None:
        """Remove what nobody refers to, what killed writers left, and what is known of lines that may be gone now."""
        for entry in [*self._entries()]:
            if entry.name not in wanted:
                atomic.remove(entry.path)
        with suppress(FileNotFoundError):
            for name in os.listdir(self.folder):
                if name.endswith(atomic.SCRATCH):
                    atomic.remove(os.path.join(self.folder, name))
        atomic.remove(self.lines_met)
        self._met = None

    def names(self) -> list[str]:
        """All that there are."""
        return sorted(entry.name for entry in self._entries())

    def size(self) -> int:
        """Bytes on the disk."""
        total = 0
        for entry in self._entries():
            with suppress(FileNotFoundError):
                total += entry.stat(follow_symlinks=False).st_size
        return total

    def _unpacked(self, name: str) -> bytes:
        return segments.unpack(atomic.read(self._path(name)))

    def _path(self, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise Damaged(f"no name of a pack: {name[:80]}")
        return os.path.join(self.folder, name)

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        with suppress(FileNotFoundError), os.scandir(self.folder) as entries:
            yield from (entry for entry in entries if _NAME.fullmatch(entry.name))

    def _reference(self, line: bytes, new: list[bytes]) -> str:
        """The pack of a line that came before, made now if need be; nothing for one that is new."""
        checksum = hashlib.sha256(line)
        short = checksum.digest()[:_SHORT]
        if short in self._lines():
            return self.put(line, may_refer=False)[0]
        self._lines().add(short)
        new.append(short)
        return ""

    def _lines(self) -> set[bytes]:
        if self._met is None:
            try:
                raw = atomic.read(self.lines_met)
            except OSError:
                raw = b""
            self._met = {raw[at : at + _SHORT] for at in range(0, len(raw) - _SHORT + 1, _SHORT)}
        return self._met

    def _note(self, new: list[bytes]) -> None:
        """A torn end shifts what comes after it; then those lines count as new once more."""
        if new:
            with suppress(OSError):
                descriptor = system.open_at_once(self.lines_met, os.O_WRONLY | os.O_APPEND | os.O_CREAT, follow=False)
                try:
                    os.write(descriptor, b"".join(new))
                finally:
                    os.close(descriptor)
