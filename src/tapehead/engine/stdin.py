"""One JSON value from stdin. It is read until it is whole, because on some systems stdin never closes. Light."""

import json
import os

from tapehead import system

_MOST = 512 * 1024 * 1024
_SILENCE = 5.0
"""Seconds without a byte after which nothing more will come."""


_PAUSE = 0.2
"""Seconds without a byte after which what came may be all of it, although it looked so before and was not."""


READ: list[int] = []
"""The descriptors that were read: whoever fails before that has lost nothing."""


class Unusable(Exception):
    """What came is no JSON value. `raw` is what it was."""

    def __init__(self, reason: str, raw: bytes) -> None:
        super().__init__(reason)
        self.raw = raw


def read_value(descriptor: int) -> tuple[object, bytes]:
    """The value and its bytes. Raises Unusable."""
    READ.append(descriptor)
    chunks: list[bytes] = []
    size = tried = 0
    while size <= _MOST:
        chunk = os.read(descriptor, 1 << 20) if system.is_readable(descriptor, _SILENCE) else b""
        if not chunk:
            break
        chunks.append(chunk)
        size += len(chunk)
        pause = 0 if size >= 2 * tried else _PAUSE  # tries that cost more each time must not come with every chunk
        if chunk.rstrip()[-1:] == b"}" and not system.is_readable(descriptor, pause):
            tried = size
            try:
                raw = b"".join(chunks)
                return json.loads(raw), raw
            except (ValueError, RecursionError):
                continue  # a brace in the middle of it: the rest is still to come
    return parse_value(b"".join(chunks))


def parse_value(raw: bytes) -> tuple[object, bytes]:
    """The value in these bytes, and the bytes. Raises Unusable."""
    if not raw.strip():
        raise Unusable("nothing came", raw)
    try:
        return json.loads(raw), raw
    except (ValueError, RecursionError) as error:
        raise Unusable(f"not JSON: {str(error)[:100]}", raw) from None
