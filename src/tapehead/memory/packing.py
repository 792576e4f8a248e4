"""How a body is stored: as it is, or packed where it is big."""

from __future__ import annotations

import zlib

BIG = 4_096
"""Characters above which a body is stored packed."""


def packed(body: str) -> str | bytes:
    """A big body takes less room packed."""
    return zlib.compress(body.encode(), 1) if len(body) > BIG else body


def unpacked(body: object) -> str:
    """What `packed` was given."""
    return zlib.decompress(body).decode() if isinstance(body, bytes) else str(body)
