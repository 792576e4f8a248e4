"""The newest bytes of a kept transcript, which are too few for a segment: appended turn by turn, each with its length and checksum.

The index says how much of the file counts. What a killed writer left behind that is cut off by the next one.
"""

from __future__ import annotations

import os
import struct
import zlib

from tapehead import system
from tapehead.archive import segments
from tapehead.archive.segments import Damaged
from tapehead.store import atomic
from tapehead.store.paths import open_own

_HEAD = struct.Struct(">II")


def append(path: str, length: int, raw: bytes) -> int:
    """Add bytes behind the first `length` of the file; its new length. It is on the disk when this returns."""
    packed = zlib.compress(raw, 6)
    frame = _HEAD.pack(len(packed), zlib.crc32(packed)) + packed
    descriptor = open_own(path, os.O_WRONLY | os.O_CREAT)
    try:
        os.ftruncate(descriptor, length)
        rest, at = memoryview(frame), length
        while rest:
            written = system.write_at(descriptor, rest, at)
            rest, at = rest[written:], at + written
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return length + len(frame)


def read(path: str, length: int) -> bytes:
    """All that counts. Raises Damaged, OSError."""
    data = atomic.read(path)[:length]
    at, found = 0, []
    while at < length:
        try:
            size, checksum = _HEAD.unpack_from(data, at)
            packed = data[at + _HEAD.size : at + _HEAD.size + size]
            if len(packed) != size or zlib.crc32(packed) != checksum:
                raise Damaged(f"{path} is torn at byte {at}")
            found.append(segments.unpack(packed))
        except struct.error as error:
            raise Damaged(f"{path}: {error}") from None
        at += _HEAD.size + size
    return b"".join(found)
