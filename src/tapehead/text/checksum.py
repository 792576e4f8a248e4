"""Sums by which a text is known: a short one where the text is not kept, and SHA-256."""

from __future__ import annotations

import sys
from binascii import crc32


def checksum(text: str) -> int:
    """Whatever letters, or halves of them, a transcript or a path holds."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def sha256(content: bytes) -> str:
    """In hexadecimal digits; from Python's own code where it can be had: hashlib loads OpenSSL for it, a quarter of what starting Python costs."""
    try:
        made = __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256").sha256
    except ImportError:
        from hashlib import sha256 as made  # noqa: PLC0415 - see above
    return str(made(content).hexdigest())
