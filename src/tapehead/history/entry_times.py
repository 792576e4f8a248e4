"""Times and the ids that are made of them: an id counts in 128 milliseconds, so that the newest entries have the highest. Pure, and light."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

UNIT = 7
"""An id counts in 128 milliseconds: the closer ids stand, the smaller an index of them is."""
ROOM = 4
"""Bits below that: sessions that are at work at the same time have places of their own, each with one before it for a turn's line."""
_LAST_MOMENT = 1 << 42
"""In the year 2109: ids have room for no more, and an agent that writes such times has lost its clock."""


def moment(time: str) -> int:
    """Milliseconds since 1970; 0 where a text is no time that an id has room for."""
    try:
        found = int(datetime.fromisoformat(time).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return 0
    return found if 0 < found < _LAST_MOMENT else 0


def id_at(moment: int) -> int:
    """The lowest id of a moment."""
    return moment >> UNIT << ROOM


def moment_of(ident: int) -> int:
    """About when an entry was made."""
    return ident >> ROOM << UNIT


def first_id_of(day: date) -> int:
    """The lowest id of a day, by the user's own clock."""
    at = datetime(day.year, day.month, day.day).astimezone()
    return id_at(max(0, int(at.timestamp() * 1000)))
