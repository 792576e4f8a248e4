"""What came compressed from elsewhere, unpacked within limits: a few bytes can claim to be gigabytes."""

from __future__ import annotations

import zlib

_MOST = 128 * 1024 * 1024
"""Bytes of one file."""
_ALTOGETHER = 256 * 1024 * 1024


class TooMuch(Exception):
    """A handoff unpacks to more than anybody would send."""


class Unpacker:
    """Unpacks the files of one handoff."""

    def __init__(self, altogether: int = _ALTOGETHER, most: int = _MOST) -> None:
        self.left = altogether
        self.most = most

    def __call__(self, raw: bytes) -> bytes:
        """What `gzip` packed; nothing where it is damaged. Raises TooMuch."""
        reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
        room = min(self.most, self.left)
        try:
            found = reader.decompress(raw, room + 1)
        except zlib.error:
            return b""
        if len(found) > room:
            raise TooMuch(f"it unpacks to more than {room >> 20} MB")
        self.left -= len(found)
        return found if reader.eof else b""
