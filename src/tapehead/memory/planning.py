"""Which ids new entries get: their time, so that the newest have the highest, and then their order in the file. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapehead.memory.wording import session_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.memory.preparing import Ready

Values = tuple[Any, ...]
_HOUR = 3_600_000
_STEP = 1 << 10
"""Between two entries of one moment: room for those of other sessions, and for the line of a turn before its first entry."""


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
        self.again: set[tuple[int, int]] = set()
        """Turns of which some entry was there already, or stands before one that came earlier in the file."""

    def add(self, session: int, rows: list[Ready], last: int, known: Mapping[str, int]) -> int:
        """Plan the rows of a session that are not known; the id of the last of all.

        Where another session has an entry of the very same moment, this one stands a hair behind it.
        """
        entries, words, tag = self.entries, self.words, session_tag(session)
        known = dict(known)
        number_of, is_taken = self._number_of, self._is_taken
        for row in rows:
            source, turn, origin, at = row[0], row[1], row[10], row[11]
            if source in known:
                last = known[source]
                self.again.add((session, turn))
                continue
            last = after(last, at)
            while last in entries or (is_taken and is_taken(last)):
                last += 1
            known[source] = last
            if last < self._highest.get((session, turn), 0):
                self.again.add((session, turn))
            self._highest[session, turn] = last
            self.first.setdefault((session, turn), last)
            entries[last] = (last, session, number_of(origin) if origin else session, *row[:10])
            words[last] = row[3], row[12], f"{row[13]} {tag}"
        return last


def after(last: int, moment: int) -> int:
    """The id of the entry after the last one.

    A line whose time lies a little before the one above it stays below it: hosts write some lines late.
    """
    before = last >> 20
    if not moment or before >= moment > before - _HOUR:
        return last + _STEP
    return moment << 20
