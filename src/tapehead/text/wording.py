"""How things are said to people: times, ages, short ids."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from tapehead.text.plain import row

if TYPE_CHECKING:
    from collections.abc import Iterable

_STEPS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def ago(then: datetime | None, now: datetime) -> str:
    """How long ago, in the largest unit that fits."""
    told = age(then, now)
    return {"never": told, "now": "just now"}.get(told, f"{told} ago")


def age(then: datetime | None, now: datetime) -> str:
    """The same in the few letters of a column."""
    if then is None:
        return "never"
    seconds = (now - then).total_seconds()
    return "now" if seconds < 5 else lasting(seconds)  # noqa: PLR2004 - nobody cares about less


def lasting(seconds: float) -> str:
    """About how long, in the largest unit that fits."""
    whole = int(seconds)
    return next((f"{whole // size} {unit}" for size, unit in _STEPS if whole >= size), f"{whole} s")


def spell(seconds: float) -> str:
    """A duration, in the largest unit that it is a whole number of."""
    for size, unit in _STEPS:
        if seconds >= size and not seconds % size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:g} s"


def size(number: float) -> str:
    """Bytes, in a unit that a user reads."""
    for unit in ("bytes", "kB", "MB"):
        if number < 1_000:  # noqa: PLR2004 - the next unit
            return f"{number:.0f} {unit}" if unit == "bytes" or number >= 100 else f"{number:.1f} {unit}"  # noqa: PLR2004 - three digits say enough
        number /= 1_000
    return f"{number:.1f} GB"


def when(at: datetime | str | None) -> str:
    """A whole time by the user's own clock, with its zone, so that nobody takes it for another; `detail` reads it back.

    The one door for times that users read. A text that is no time stays as it is.
    """
    found = local(at)
    return found.strftime("%Y-%m-%d %H:%M %z") if found else str(at or "-")


def clock(at: datetime | str) -> str:
    """The time of the day, where the day and the zone stand above it."""
    found = local(at)
    return found.strftime("%H:%M") if found else str(at)


def local(at: datetime | str | None) -> datetime | None:
    """A time of the record by the user's own clock; None where it is none."""
    try:
        return (datetime.fromisoformat(at) if isinstance(at, str) else at).astimezone() if at else None
    except (ValueError, OverflowError, OSError):
        return None


_LISTED = 10


def alike(ids: list[str]) -> str:
    """Ids that begin alike, whole: one of them is meant."""
    more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    return f"use more of the id: {', '.join(ids[:_LISTED])}{more}"


def short_ids(ids: Iterable[str]) -> dict[str, str]:
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


def count(number: int, thing: str, things: str = "") -> str:
    """A number of things."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def quote_words(text: str) -> str:
    """Words of others in a line of ours: in quotes, without anything that a terminal obeys, and not as Python writes them."""
    return f"\u201c{row(text)}\u201d"
