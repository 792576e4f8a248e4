"""Which ids new entries get: their time, so that the newest have the highest, and then their order in the file. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.history.entry_times import ROOM, UNIT
from tapehead.history.index_words import session_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from tapehead.history.ready_entries import Ready

    Values = tuple[Any, ...]

_PLACE = 2
"""From one place to the next, with that for a line between them."""
_HOUR = 3_600_000 >> UNIT


class Plan:
    """The rows of some batches, each with its id."""

    def __init__(self, number_of: Callable[[str], int], is_taken: Callable[[int], bool] | None = None) -> None:
        self._number_of = number_of
        self._is_taken = is_taken
        self.entries: dict[int, Values] = {}
        """Rows of the table, by id."""
        self.words: dict[int, tuple[str, str, str]] = {}
        """The role, words and tags of an entry, by id."""
        self.first: dict[tuple[int, int], int] = {}
        """The first new entry of a session's turn, in the order of the file."""
        self._highest: dict[tuple[int, int], int] = {}
        self._sources: dict[int, dict[str, int]] = {}
        """By session, the ids of what is planned or known, by its source."""
        self.again: set[tuple[int, int]] = set()
        """Turns of which some entry was there already, or stands before one that came earlier in the file."""

    def add(self, session: int, rows: list[Ready], last: int, known: Mapping[str, int]) -> int:
        """Plan the rows of a session that are not known; the id of the last of all.

        Where another session has an entry of the very same moment, this one stands a hair behind it.
        """
        entries, words, tag = self.entries, self.words, session_tag(session)
        here = self._sources.setdefault(session, {})  # a session may lie there twice, as a copy or packed
        here.update(known)
        origins = {"": session}
        for row in rows:
            source, place, origin = row[0], (session, row[1]), row[10]
            if source in here:
                last = here[source]
                self.again.add(place)
                continue
            last = after(last, row[11], session)
            if self._is_full(last):
                last = self._free_after(last)
            here[source] = last
            if last < self._highest.get(place, 0):
                self.again.add(place)
            self._highest[place] = last
            self.first.setdefault(place, last)
            if origin not in origins:
                origins[origin] = self._number_of(origin)
            entries[last] = (last, session, origins[origin], *row[:10])
            words[last] = row[3], row[12], f"{row[13]} {tag}"
        return last

    def _is_full(self, place: int) -> bool:
        return place in self.entries or (self._is_taken is not None and self._is_taken(place))

    def _free_after(self, place: int) -> int:
        """Find a free place behind a taken one: in a few looks, however many stand there side by side.

        The place before it stays free too, for a turn's line.
        """
        taken, free = 0, _PLACE
        while self._is_full(place + free):
            taken, free = free, 2 * free
        while free - taken > _PLACE:
            between = (taken + free) // (2 * _PLACE) * _PLACE
            taken, free = (between, free) if self._is_full(place + between) else (taken, between)
        return place + free


def after(last: int, moment: int, session: int = 0) -> int:
    """The id of the entry after the last one.

    A line whose time lies a little before the one above it stays below it: agents write some lines late.
    """
    before, now = last >> ROOM, moment >> UNIT
    if moment and not before >= now > before - _HOUR:
        return now << ROOM | session % (1 << ROOM - 1) << 1
    return last + (1 << ROOM) & -_PLACE
