"""Objects from an agent's record, taken apart without trusting any of it: what is not of the expected kind is not there.

This is the one door for a line, and one bad line spoils one line: what is nested too deep or holds too many values is no entry, and
what a reader cannot make sense of it passes over (`found_in`).
"""

from __future__ import annotations

from json import JSONDecoder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar

    T = TypeVar("T")

_scan: Callable[[str, int], tuple[Any, int]] = JSONDecoder().scan_once  # type: ignore[attr-defined]  # what json.loads calls in the end

DEEPEST = 100
"""Objects and lists within each other: whoever writes or walks a deeper value would run out of stack."""
MOST = 100_000
"""Values in a line, and ten times that in a document: each takes up to fifty times the memory that it takes in the file."""
_LONG = 1 << 20
"""Bytes up to which a line cannot hold so many that it matters."""
UNEXPECTED = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError)
"""How reading a value fails that is not of the expected kind."""


def entry_of(line: bytes, most: int = MOST) -> dict[str, Any]:
    """Read a line's object; a line that is none, or one that no agent would write, is an empty one."""
    if len(line) > _LONG and is_crowded(line, most):
        return {}
    text = line.decode(errors="replace")
    try:
        entry, end = _scan(text, len(text) - len(text.lstrip()) if text[:1].isspace() else 0)
    except (ValueError, RecursionError, StopIteration):
        return {}
    if entry.__class__ is not dict or text[end:].strip():
        return {}
    return {} if line.count(b"{") + line.count(b"[") > DEEPEST and _is_deep(entry) else entry


def found_in(steps: Iterable[T]) -> list[T]:
    """Give what a reader finds in an entry, up to where it cannot go on: the next entry is not this one's affair."""
    found: list[T] = []
    try:
        found.extend(steps)
    except UNEXPECTED:
        return found
    return found


def is_crowded(line: bytes, most: int = MOST) -> bool:
    """Whether a line holds more values than any message does, counted by the commas that stand in no text."""
    values = at = 0
    while values <= most:
        begin = line.find(b'"', at)
        values += line.count(b",", at, begin if begin >= 0 else len(line))
        end = line.find(b'"', begin + 1) if begin >= 0 else -1
        while end > 0 and _is_escaped(line, end):
            end = line.find(b'"', end + 1)
        if end < 0:
            break
        at = end + 1
    return values > most


def _is_escaped(line: bytes, quote: int) -> bool:
    at = quote
    while line[at - 1] == _BACKSLASH:
        at -= 1
    return (quote - at) % 2 == 1


_BACKSLASH = ord("\\")


def _is_deep(entry: dict[str, Any]) -> bool:
    """Whether something in it is nested too deep: one layer after another, without a stack."""
    layer: list[Any] = [entry]
    for _ in range(DEEPEST):
        inner = (one.values() if one.__class__ is dict else one for one in layer)
        layer = [value for values in inner for value in values if value.__class__ in _CONTAINERS]
        if not layer:
            return False
    return True


_CONTAINERS = (dict, list)


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


def take_list(entry: Any, key: str) -> list[Any]:
    """Take the list under a key."""
    value = entry.get(key) if isinstance(entry, dict) else None
    return value if isinstance(value, list) else []


def dicts(entry: Any, key: str) -> list[dict[str, Any]]:
    """Take the objects in the list under a key, and nothing else that may stand in it."""
    return [one for one in take_list(entry, key) if isinstance(one, dict)]
