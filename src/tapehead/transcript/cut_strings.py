"""A line of JSON of which the long texts are kept by their ends: read piece by piece, so that the line is never there whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript.entries import MOST

if TYPE_CHECKING:
    from collections.abc import Iterable

KEPT = 1 << 16
"""Bytes of a text that are kept at either end."""
_GAP = " … ".encode()
_AN_ESCAPE = 6


def cut(pieces: Iterable[bytes]) -> bytes:
    """Put the pieces of a line together, without the middle of long texts. One with more texts than any message has is nothing."""
    text, found, ends = _Text(), bytearray(), 0
    inside = False
    for piece in pieces:
        if ends > 2 * MOST:
            return b""
        at = 0
        while at < len(piece):
            end = text.end(piece, at) if inside else piece.find(b'"', at)
            part = piece[at : end if end >= 0 else len(piece)]
            if inside:
                text.add(part)
            else:
                found += part
            at += len(part)
            if end >= 0:
                found += text.taken() + b'"' if inside else b'"'
                ends += inside
                inside = not inside
                at += 1
    return bytes(found + text.taken())


class _Text:
    """What is kept of the text that is being read."""

    def __init__(self) -> None:
        self.head, self.tail, self.left_out, self.escapes = b"", b"", 0, False

    def end(self, piece: bytes, at: int) -> int:
        """Where the text ends in a piece; -1 where it goes on. A quote behind a backslash does not end it."""
        end = piece.find(b'"', at)
        while end >= 0 and self._escaped(piece, at, end):
            end = piece.find(b'"', end + 1)
        self.escapes = end < 0 and self._escaped(piece, at, len(piece))
        return end

    def _escaped(self, piece: bytes, at: int, end: int) -> bool:
        slashes = end - at - len(piece[at:end].rstrip(b"\\"))
        return bool(slashes % 2) ^ (self.escapes and slashes == end - at)

    def add(self, part: bytes) -> None:
        """Take more of the text: as its beginning, until that is full, and then as what may be its end."""
        room = KEPT - len(self.head)
        self.head += part[:room]
        ending = self.tail + part[room:]
        self.left_out += max(0, len(ending) - KEPT)
        self.tail = ending[-KEPT:]

    def taken(self) -> bytes:
        """Give what was kept, and begin anew."""
        kept = _seam(self.head, self.tail) if self.left_out else self.head + self.tail
        self.__init__()  # type: ignore[misc]  # the next text begins with nothing
        return kept


def _seam(head: bytes, tail: bytes) -> bytes:
    """Put a beginning and an end together so that no escape is torn: one begins with a backslash, and a blank is in none."""
    slash = head.rfind(b"\\", len(head) - _AN_ESCAPE)
    head = head[:slash].rstrip(b"\\") if slash >= 0 else head
    blank = tail.find(b" ")
    torn = b"\\" in tail or b'"' in tail  # a quote within a text lost its backslash to the cut
    whole = tail[blank:] if blank >= 0 else b"" if torn else tail
    return head + _GAP + whole
