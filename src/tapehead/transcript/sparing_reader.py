"""The lines of a file for a reader that must hold little of it: long ones are read in one go, or not at all.

A buffered reader collects a long line in pieces and then joins them, so that it is there twice; and of a line of megabytes
(a picture, a log that was pasted) nobody who only skims wants more than the ends of its texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead import door
from tapehead.transcript import jsonl
from tapehead.transcript.cut_strings import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

_PIECE = 1 << 14
HUGE = 1 << 20
"""Bytes from which on a line is given with its long texts cut."""


def lines(path: str, offset: int, unwanted: Callable[[bytes], bool]) -> Iterator[tuple[int, bytes]]:
    """Yield what `jsonl.lines` does, without the long lines whose beginning says that they are not wanted."""
    if jsonl.is_packed(path):
        yield from jsonl.lines(path, offset)
        return
    with door.open_reader(path, 0) as file:
        at = offset if 0 <= offset <= jsonl.size(path) else 0
        while piece := _read(file, at, _PIECE):
            if end := piece.rfind(b"\n") + 1:
                yield from _short(piece, at, end)
            elif end := _length(file):
                end += len(piece)
                if not unwanted(piece):
                    yield at + end, _long(file, at, end)
            else:
                return  # a torn line is left for later
            at += end


def _short(piece: bytes, at: int, end: int) -> Iterator[tuple[int, bytes]]:
    begin = 0
    while begin < end:
        stop = piece.find(b"\n", begin) + 1
        yield at + stop, piece[begin:stop]
        begin = stop


def _long(file: BinaryIO, at: int, length: int) -> bytes:
    if length < HUGE:
        return _read(file, at, length)
    file.seek(at)
    return cut(_pieces(file, length))


def _pieces(file: BinaryIO, length: int) -> Iterator[bytes]:
    while length > 0 and (piece := file.read(min(_PIECE, length))):
        length -= len(piece)
        yield piece


def _read(file: BinaryIO, at: int, length: int) -> bytes:
    file.seek(at)
    return file.read(length)


def _length(file: BinaryIO) -> int:
    """How many bytes follow to the end of the line; 0 where it does not end."""
    length = 0
    while piece := file.read(_PIECE):
        if end := piece.find(b"\n") + 1:
            return length + end
        length += len(piece)
    return 0
