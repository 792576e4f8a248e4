"""What a user means by a time or a turn: `14:23`, `14:23-14:30`, `2026-11-15T14:23:05Z`, `turn 12`, `turns 3-5`. Pure.

A time without a zone is the user's own; one without a day is the newest such time in the session, so that midnight breaks nothing.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple

_TURNS = re.compile(r"turns?\s*(\d+)(?:\s*(?:-|\.\.|to)\s*(\d+))?", re.IGNORECASE)
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
_RANGE = re.compile(r"\s*(?:\.\.|/|\s-\s|\sto\s)\s*|(?<=:\d\d)-(?=\d)")
_OFFSET = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?-(?:0\d|1[0-2]):?(?:00|30)")
"""A whole time with a zone west of Greenwich, which looks like a range. One without seconds is a range: people type those."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ZONE = re.compile(r"(?<=:\d\d)\s+([+-]\d\d:?\d\d)(?!\S)")
"""A zone apart from its time, as our own commands print it."""
FIRST = datetime.min.replace(tzinfo=UTC)
LAST = datetime.max.replace(tzinfo=UTC)


class Turns(NamedTuple):
    """Turns by number, both included."""

    first: int
    last: int


class Clock(NamedTuple):
    """Times of a day that is not said."""

    start: tuple[int, int, int]
    end: tuple[int, int, int]


class Span(NamedTuple):
    """From one moment to another, in UTC; the second is not included."""

    start: datetime
    end: datetime


class NotUnderstood(ValueError):
    """It is none of these."""


def moment(text: str, zone: tzinfo | None) -> Turns | Clock | Span:
    """Read it."""
    try:
        return _moment(_ZONE.sub(r"\1", text.strip()), zone)
    except OverflowError:  # a time of the day at the very end of time
        raise NotUnderstood(text) from None


def _moment(text: str, zone: tzinfo | None) -> Turns | Clock | Span:
    if match := _TURNS.fullmatch(text):
        first = int(match[1])
        return Turns(first, int(match[2] or first))
    parts = _parts(text)
    if len(parts) > 2:  # noqa: PLR2004 - from and to
        raise NotUnderstood(text)
    start, end = parts[0], parts[-1]
    if _CLOCK.fullmatch(start) and _CLOCK.fullmatch(end):
        return Clock(_clock(start), _end_of(end))
    begin = _instant(start, zone)
    if _CLOCK.fullmatch(end):
        local = begin.astimezone(zone)
        return Span(
            begin, on_day(Clock((local.hour, local.minute, local.second), _end_of(end)), local.date(), zone).end
        )
    return Span(begin, _after(end, zone))


def is_range(text: str) -> bool:
    """Whether it is from one time to another."""
    return len(_parts(text.strip())) > 1


def _parts(text: str) -> list[str]:
    return [text] if _OFFSET.fullmatch(text) else _RANGE.split(text)


def on_day(clock: Clock, day: date, zone: tzinfo | None) -> Span:
    """A clock time on a day; from before midnight to after it, it ends on the next."""
    start, end = (_local(day, time, zone) for time in (clock.start, clock.end))
    if end <= start:
        end = _local(_next(day), clock.end, zone)
    return Span(start, end)


def _local(day: date, clock: tuple[int, int, int], zone: tzinfo | None) -> datetime:
    hour, minute, second = clock
    at = _later(datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone), timedelta(seconds=second))
    return _utc(at)


def _utc(at: datetime) -> datetime:
    """Without a zone, Python takes the machine's own. Before the first year there is nothing, nor after the last."""
    try:
        return at.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        return FIRST if at.year == FIRST.year else LAST


def _later(at: datetime, by: timedelta) -> datetime:
    try:
        return at + by
    except OverflowError:
        return datetime.max.replace(tzinfo=at.tzinfo)


def _next(day: date) -> date:
    return day if day == date.max else day + timedelta(days=1)


def _clock(text: str) -> tuple[int, int, int]:
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise NotUnderstood(text)
    return int(match[1]), int(match[2]), int(match[3] or 0)


def _end_of(text: str) -> tuple[int, int, int]:
    """The end of a minute that was named, or of a second."""
    hour, minute, second = _clock(text)
    return hour, minute, second + 1 if text.count(":") > 1 else 60


def _instant(text: str, zone: tzinfo | None) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise NotUnderstood(text) from None
    return _utc(found.replace(tzinfo=zone) if found.tzinfo is None and zone else found)


def _after(text: str, zone: tzinfo | None) -> datetime:
    """The end of a day, a minute or a second that was named."""
    start = _instant(text, zone)
    if _DAY.fullmatch(text):
        day = date.fromisoformat(text)
        return LAST if day == date.max else _local(_next(day), (0, 0, 0), zone)
    clock = text.partition("T")[2] or text.partition(" ")[2]
    bare = re.split(r"[Zz+-]", clock)[0]
    return _later(start, timedelta(minutes=1) if bare.count(":") < 2 else timedelta(seconds=1))  # noqa: PLR2004 - hh:mm:ss has two
