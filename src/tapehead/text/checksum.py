"""A short number by which a text is known where it is not kept."""

from __future__ import annotations

from binascii import crc32


def checksum(text: str) -> int:
    """Whatever letters, or halves of them, a transcript or a path holds."""
    return crc32(text.encode("utf-8", "surrogatepass"))
