"""How a transcript is taken apart and put together again. Pure.

It is cut at ends of lines that its own bytes choose, so that two transcripts with a stretch in common are cut alike there. Within a
segment the session's own id is written as a mark, since a fork repeats its parent's lines under a new id, and a long line that other
segments have too is written as a reference. Then the segment is compressed. All of it is undone byte for byte.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

try:
    import lzma
except ImportError:  # a Python that was built without it
    lzma = None  # type: ignore[assignment]  # only `pack` and `unpack` ask

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST = 256 * 1024
"""Bytes that a segment has at least, unless the transcript ends."""
MOST = 1024 * 1024
"""Bytes after which a segment ends with its line."""
LONG = 4096
"""Bytes of a line that is worth a reference."""
_ONE_IN = 64
"""One line in so many may end a segment."""
_OWN = b"\x00\x01\x02"
_REFERENCE = b"\x00\x03"
_REFERENCES = re.compile(rb"^\x00\x03([0-9a-f]{64})\n", re.MULTILINE)
_SHORTEST_ID = 16
"""A shorter id may stand in any text, and its mark would spare nothing."""
_XZ = b"\xfd7zXZ\x00"


class Damaged(Exception):
    """What was kept is not what it was."""


def cuts(data: bytes, held: int, session: str) -> list[int]:
    """Where segments end in new data that begins with a line. The open segment has `held` bytes before it."""
    found, at, begins = [], 0, -held
    while (end := data.find(b"\n", max(at, begins + LEAST - 1))) >= 0:
        line = data[max(at, data.rfind(b"\n", at, end) + 1) : end + 1]
        at = end + 1
        if at - begins >= MOST or zlib.crc32(_marked(line, session)) % _ONE_IN == 0:
            found.append(at)
            begins = at
    return found


def mark(raw: bytes, session: str) -> bytes | None:
    """A segment with its session's id taken out; None where that could not be undone."""
    return None if b"\x00" in raw else _marked(raw, session)


def unmark(marked: bytes, session: str) -> bytes:
    """The segment as it was."""
    return marked.replace(_OWN, session.encode())


def refer(marked: bytes, reference: Callable[[bytes], str]) -> bytes:
    """The segment with references for its long lines; `reference` names a line that is kept elsewhere, or nothing."""
    lines = marked.split(b"\n")
    last = lines.pop()
    return b"".join(_referred(line + b"\n", reference) for line in lines) + last


def expand(data: bytes, fetch: Callable[[str], bytes]) -> bytes:
    """The segment with the lines themselves."""
    return _REFERENCES.sub(lambda found: fetch(found[1].decode()), data)


def references(data: bytes) -> tuple[str, ...]:
    """The lines that a segment refers to."""
    return tuple(dict.fromkeys(name.decode() for name in _REFERENCES.findall(data)))


def pack(data: bytes) -> bytes:
    """Compress, as well as can be had at fifteen megabytes a second."""
    return lzma.compress(data, check=lzma.CHECK_CRC32, preset=1) if lzma else zlib.compress(data, 9)


def unpack(packed: bytes) -> bytes:
    """Undo it. Raises Damaged."""
    broken = (zlib.error, EOFError, lzma.LZMAError) if lzma else (zlib.error,)
    try:
        unpacking = lzma.LZMADecompressor() if lzma and packed.startswith(_XZ) else zlib.decompressobj()
        found = unpacking.decompress(packed, _LARGEST)
    except broken as error:
        raise Damaged(str(error)) from None
    if not unpacking.eof:
        raise Damaged("it is cut short, or larger than anything that is kept")
    return found


_LARGEST = 1 << 28
"""Bytes of what is unpacked: a few can stand for very many."""


def _marked(raw: bytes, session: str) -> bytes:
    return raw.replace(session.encode(), _OWN) if len(session) >= _SHORTEST_ID else raw


def _referred(line: bytes, reference: Callable[[bytes], str]) -> bytes:
    name = reference(line) if len(line) >= LONG else ""
    return _REFERENCE + name.encode() + b"\n" if name else line
