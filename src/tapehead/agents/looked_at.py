"""Up to which byte a host's own record was looked at: each hook looks at what came since the hook before it. Light.

The line on the tape that a hook leaves says how far it looked (`record`).
"""

from __future__ import annotations

import os

_LOOKED_AT = b'"record":'
_DIGITS = 20


def looked_up_to(tape: bytes) -> int | None:
    """What the newest line says; a key cannot stand inside a string: the quotes around it would have a backslash before them."""
    after = tape.rpartition(_LOOKED_AT)
    digits = after[2][:_DIGITS].split(b",")[0].split(b"}")[0]
    return int(digits) if after[1] and digits.isdigit() else None


def size(path: str) -> int:
    """How long a record is; nothing where there is none."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def added(path: str, since: int) -> bytes:
    """The whole lines that came since; nothing where the file cannot be read or is another one now."""
    try:
        with open(path, "rb") as file:
            file.seek(since)
            found = file.read()
    except (OSError, ValueError):
        return b""
    return found[: found.rfind(b"\n") + 1]
