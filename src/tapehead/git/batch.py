"""What `git cat-file --batch` prints: for each object `NAME KIND SIZE`, the bytes, a newline; or that it is missing."""

from __future__ import annotations


def blobs(raw: bytes) -> list[bytes | None]:
    """The files that were asked for, in order; None for what is missing, or no file."""
    found: list[bytes | None] = []
    at = 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        words = raw[at:end].rsplit(b" ", 2)
        at = end + 1
        is_there = len(words) == 3 and words[2].isdigit()  # noqa: PLR2004 - as above
        size = int(words[2]) if is_there else -1
        found.append(raw[at : at + size] if is_there and words[1] == b"blob" else None)
        at += size + 1
    return found
