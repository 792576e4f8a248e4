"""Objects from a host's record, taken apart without trusting any of it: what is not of the expected kind is not there."""

from __future__ import annotations

import json

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import Any


def entry_of(line: bytes) -> dict[str, Any]:
    """Read a line's object; a line that is none is an empty one."""
    try:
        entry = json.loads(line.decode(errors="replace"))
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def word(entry: Any, key: str) -> str:
    """Take the words under a key."""
    value = entry.get(key) if isinstance(entry, dict) else None
    return value if isinstance(value, str) else ""


def first_word(entry: Any, *keys: str) -> str:
    """Take the first of the keys that holds words."""
    return next((value for key in keys if (value := word(entry, key))), "")


def count(entry: Any, key: str) -> int:
    """Take the count under a key."""
    value = entry.get(key) if isinstance(entry, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def within(entry: Any, key: str) -> dict[str, Any]:
    """Take the object under a key."""
    value = entry.get(key) if isinstance(entry, dict) else None
    return value if isinstance(value, dict) else {}


def listed(entry: Any, key: str) -> list[Any]:
    """Take the list under a key."""
    value = entry.get(key) if isinstance(entry, dict) else None
    return value if isinstance(value, list) else []


def dicts(entry: Any, key: str) -> list[dict[str, Any]]:
    """Take the objects in the list under a key, and nothing else that may stand in it."""
    return [one for one in listed(entry, key) if isinstance(one, dict)]
