"""How text is stored: as it is, or packed where it is big; and never what a database does not take."""

from __future__ import annotations

import zlib

BIG = 32_768
"""Characters above which a body is stored packed."""


_LARGEST = 1 << 28
"""Characters of a body: a few bytes can stand for very many."""


def pack_body(body: str, raw: bytes) -> str | bytes:
    """A big body takes less room packed; its bytes are at hand where this is asked."""
    return zlib.compress(raw, 1) if len(body) > BIG else body


def unpack_body(body: object) -> str:
    """What `packed` was given."""
    return zlib.decompressobj().decompress(body, _LARGEST).decode() if isinstance(body, bytes) else str(body)


def storable(text: str) -> str:
    """A text without half characters and without NUL: a database takes neither."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-8", "replace").decode()
    return text.replace("\0", "") if "\0" in text else text
