"""Draws the plugin's icon: a tape of cells, some of them written, and the head above the one it reads.

It is drawn once and committed; the bytes depend on the zlib at hand, so no test compares them.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

SIZE = 512
TARGET = Path(__file__).resolve().parent.parent / "plugin" / ".claude-plugin" / "icon.png"

NIGHT, PAPER, INK, SIGNAL = (23, 32, 51), (242, 238, 226), (58, 72, 102), (255, 138, 76)
CELL, TOP, BOTTOM, GAP = 128, 262, 390, 8
HEAD_TOP, HEAD_END, TIP, HALF = 96, 176, 240, 64
MARK = 22
WRITTEN = (True, False, True, True, False)
"""Whether each cell holds a mark, from the left; the head stands over the middle one."""


def colour(x: int, y: int) -> tuple[int, int, int]:
    """The colour of a pixel."""
    if _in_head(x, y):
        return SIGNAL
    if TOP <= y < BOTTOM:
        return _on_tape(x, y)
    return PAPER if TOP - 14 <= y < TOP - 6 or BOTTOM + 6 <= y < BOTTOM + 14 else NIGHT


def _in_head(x: int, y: int) -> bool:
    """A box with a tip that points at the cell below."""
    off = abs(x - SIZE // 2)
    return (HEAD_TOP <= y < HEAD_END and off < HALF) or (HEAD_END <= y < TIP and off < TIP - y)


def _on_tape(x: int, y: int) -> tuple[int, int, int]:
    number, within = divmod(x + CELL // 2, CELL)
    if within < GAP or within >= CELL - GAP:
        return NIGHT
    square = abs(within - CELL // 2) < MARK and abs(y - (TOP + BOTTOM) // 2) < MARK
    current = number == len(WRITTEN) // 2
    return (SIGNAL if current else INK) if square and WRITTEN[number] else PAPER


def png() -> bytes:
    """The picture as a file."""
    rows = b"".join(b"\0" + bytes(c for x in range(SIZE) for c in colour(x, y)) for y in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


if __name__ == "__main__":
    TARGET.write_bytes(png())
    print(TARGET)
