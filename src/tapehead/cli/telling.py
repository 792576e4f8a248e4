"""How things are said to people: times, ages, short ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

_STEPS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def ago(then: datetime | None, now: datetime) -> str:
    """How long ago, in the largest unit that fits."""
    if then is None:
        return "never"
    seconds = int((now - then).total_seconds())
    for size, unit in _STEPS:
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return "just now" if seconds < 5 else f"{seconds} s ago"  # noqa: PLR2004 - nobody cares about less


def spell(seconds: float) -> str:
    """A duration, in the largest unit that it is a whole number of."""
    for size, unit in _STEPS:
        if seconds >= size and not seconds % size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:g} s"


def size(number: float) -> str:
    """Bytes, in a unit that a person reads."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1_000:  # noqa: PLR2004 - the next unit
            return f"{number:.0f} {unit}" if unit == "bytes" or number >= 100 else f"{number:.1f} {unit}"  # noqa: PLR2004 - three digits say enough
        number /= 1_000
    return f"{number:.1f} GB"


def when(at: datetime | None) -> str:
    """A whole time: nothing that breaks at midnight."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ") if at else "-"


_LISTED = 10


def alike(ids: list[str]) -> str:
    """Ids that begin alike, whole: one of them is meant."""
    more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    return f"say more of it: {', '.join(ids[:_LISTED])}{more}"


def short(ids: Iterable[str]) -> dict[str, str]:
    """How each id begins: eight letters, or as many as tell it from the others."""
    known = sorted(set(ids))
    found = {}
    for before, one, after in zip(["", *known], known, [*known[1:], ""], strict=False):
        same = max(_same(one, before), _same(one, after))
        found[one] = one[: max(_SHORT, same + 1)]
    return found


_SHORT = 8


def _same(one: str, other: str) -> int:
    """Letters with which both begin."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def count(number: int, thing: str) -> str:
    """A number of things."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
