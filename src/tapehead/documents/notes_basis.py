"""`captures/<session>/notes.known`: what the running notes of a session were made from. Ours alone, and always to be made again.

First stand a few numbers, which most turn ends only count on; behind them all the rest. What is half written is known by its checksum.
Both are JSON: the file may have come with a repository that somebody unpacked. Former versions wrote marshal, which is read without Python's own reader.
"""

from __future__ import annotations

import json
import os
from binascii import crc32
from typing import TYPE_CHECKING, Any

from tapehead import system
from tapehead.store import atomic
from tapehead.store.paths import open_own

if TYPE_CHECKING:
    from typing import Self

    from tapehead.store.paths import Layout

_ROOM = 128
"""Bytes for the numbers."""
_HEADER = 16


class Beside:
    """The file, open for as long as one run works with it; made when there is something to keep: that it is there says that there are notes."""

    def __init__(self, layout: Layout, session_id: str) -> None:
        self._path = path(layout, session_id)
        try:
            self._file = open_own(self._path, os.O_RDWR)
        except FileNotFoundError:
            self._file = _NONE

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file != _NONE:
            os.close(self._file)

    def counted(self) -> object:
        """The few numbers: how much has come in since, where nothing else was kept."""
        return None if self._file == _NONE else _checked(memoryview(system.read_at(self._file, _ROOM, 0)))

    def count(self, numbers: list[int]) -> None:
        """Keeps the numbers alone; the rest stays as it was."""
        system.write_at(self._made(), _fitted(numbers), 0)

    def load(self) -> dict[str, Any]:
        """What is kept; empty where nothing is, or nothing that can be read: it is then made again."""
        if self._file == _NONE:
            return {}
        return _document(system.read_at(self._file, min(os.fstat(self._file).st_size, atomic.LARGEST), 0))

    def keep(self, document: dict[str, Any]) -> None:
        """Keeps it, over what was there: it comes at many a turn's end, and a file system may take its time to replace a file."""
        os.lseek(self._made(), 0, os.SEEK_SET)
        written = os.writev(self._file, [_fitted(document.get("counted")), *_with_checksum(document)])
        os.ftruncate(self._file, written)

    def _made(self) -> int:
        """The file, made where there is none, or none any more: what is kept in a file without a name would be kept for nobody."""
        if self._file != _NONE and not os.fstat(self._file).st_nlink:
            os.close(self._file)
            self._file = _NONE
        if self._file == _NONE:
            self._file = open_own(self._path, os.O_RDWR | os.O_CREAT, with_folder=False)
        return self._file


_NONE = -1


def path(layout: Layout, session_id: str) -> str:
    """Where it is."""
    return f"{layout.captures(session_id)}/notes.known"


def load(layout: Layout, session_id: str) -> dict[str, Any]:
    """What is kept, for those who only read."""
    try:
        return _document(atomic.read(path(layout, session_id)))
    except OSError:
        return {}


def _document(data: bytes) -> dict[str, Any]:
    found = _checked(memoryview(data)[_ROOM:])
    return found if isinstance(found, dict) else {}


def _fitted(numbers: Any) -> bytes:
    return b"".join(_with_checksum(numbers)).ljust(_ROOM, b"\0")[:_ROOM]


def _with_checksum(found: Any) -> list[bytes]:
    data = json.dumps(found, separators=(",", ":"), default=_as_text).encode()
    return [b"%08x%08x" % (crc32(data), len(data)), data]


def _as_text(lines: bytes) -> str:
    return lines.decode("utf-8", "surrogateescape")


def _checked(data: memoryview) -> object:
    """What was kept, or None where it is not as it was."""
    try:
        size = int(bytes(data[8:_HEADER]), 16)
        rest = bytes(data[_HEADER : _HEADER + size])
        if int(bytes(data[:8]), 16) != crc32(rest):
            return None
        return json.loads(rest) if rest[:1] in _BEGINS and rest[1:2] in _GOES_ON else _former(rest)
    except (ValueError, RecursionError):
        return None


_BEGINS, _GOES_ON = (b"[", b"{", b"n"), (b'"', b"]", b"}", b"-", b"u", *(b"%d" % n for n in range(10)))
"""How JSON begins, and no value of a former version does."""


def _former(data: bytes) -> object:
    from tapehead.documents.former_basis import Former  # noqa: PLC0415 - once after an upgrade

    return Former(data).read()
