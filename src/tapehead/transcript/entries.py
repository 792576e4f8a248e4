"""Objects from a host's record, taken apart without trusting any of it: what is not of the expected kind is not there."""

from __future__ import annotations

from json import JSONDecoder

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_scan: Callable[[str, int], tuple[Any, int]] = JSONDecoder().scan_once  # type: ignore[attr-defined]  # what json.loads calls in the end


def entry_of(line: bytes) -> dict[str, Any]:
    """Read a line's object; a line that is none is an empty one."""
    text = line.decode(errors="replace")
    try:
        entry, end = _scan(text, len(text) - len(text.lstrip()) if text[:1].isspace() else 0)
    except (ValueError, RecursionError, StopIteration):
        return {}
    return entry if entry.__class__ is dict and not text[end:].strip() else {}


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
