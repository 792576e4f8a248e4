"""What an agent said of a session outside its hooks: the model, the size of its window, how full it is, what it cost. Light.

A small file beside the state, replaced whole and only when there is news worth it. It is no part of the tape: nothing the machine
does depends on it, and without it only less is known.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.store.atomic import SCRATCH, remove

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_SECONDS = 3
"""Small changes are written no more often than this."""
_MUCH = 100
"""A change of the use by more than the hundredth part of the window is written at once."""
_LARGEST = 65_536


def look(layout: Layout, session_id: str) -> dict[str, object]:
    """What was said last: `model`, `window`, `used`, `cost`, `at` (seconds since 1970), as far as known."""
    try:
        found = json.loads(door.read(layout.seen(session_id), _LARGEST, follow=False))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def number(said: dict[str, object], name: str) -> int | None:
    """A whole number among what was said."""
    value = said.get(name)
    return value if type(value) is int and value >= 0 else None


def cost(said: dict[str, object]) -> float | None:
    """Dollars."""
    value = said.get("cost")
    return float(value) if isinstance(value, (int, float)) and type(value) is not bool and value >= 0 else None


def keep(layout: Layout, session_id: str, said: dict[str, object], now: float) -> bool:
    """Writes it down if it is worth it. Not flushed to the disk: after a power cut the agent says it again."""
    former = look(layout, session_id)
    if not _is_news(former, said, now):
        return False
    path = layout.seen(session_id)
    scratch = f"{path}.{os.getpid()}{SCRATCH}"
    try:
        descriptor = door.open_file(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, follow=False)
        try:
            os.write(descriptor, json.dumps({**said, "at": int(now)}).encode() + b"\n")
        finally:
            os.close(descriptor)
        os.replace(scratch, path)
    except OSError:
        remove(scratch)
        return False
    return True


def _is_news(former: dict[str, object], said: dict[str, object], now: float) -> bool:
    if {**former, "at": None} == {**said, "at": None}:
        return False
    if any(former.get(name) != said.get(name) for name in ("model", "window")):
        return True
    grown = abs((number(said, "used") or 0) - (number(former, "used") or 0))
    return grown * _MUCH > (number(said, "window") or 0) or abs(now - (number(former, "at") or 0)) >= _SECONDS
