"""A pointer: the short name of a turn, `3f2a91bc/12`, which means the same tomorrow and in every project. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

SHORT = 8
"""Characters of a session's id that are shown, where they tell it from all others."""
_TIMED = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-")
"""An id that begins with the time of its session, as Codex makes them: those of one minute have the same first eight characters."""
_TIME = 13
"""Characters of such an id that hold the whole time: no later session can have them too."""
_POINTER = re.compile(r"([\w.-]+)/(\d{1,9})")


class Pointer(NamedTuple):
    """A session, by its id or how that begins, and a turn."""

    session: str
    turn: int

    def __str__(self) -> str:
        return f"{self.session}/{self.turn}"


def parse_pointer(text: str) -> Pointer | None:
    """Read a pointer; None where a text is none."""
    match = _POINTER.fullmatch(text.strip())
    return Pointer(match[1], int(match[2])) if match else None


def shorten_ids(chosen: list[str], others: list[str]) -> dict[str, str]:
    """Each chosen id as short as it can be told from all others, and no shorter than usual."""
    begins = {one[:SHORT] for one in chosen}
    alike = [other for other in others if other[:SHORT] in begins]  # of ten thousand hardly any
    alike.sort()
    return {one: _shortest(one, alike) for one in chosen}


def _shortest(one: str, others: list[str]) -> str:
    """Whatever begins most like it stands beside it in the order of the alphabet."""
    place = bisect_left(others, one)
    beside = [*others[max(0, place - 1) : place], *(other for other in others[place : place + 2] if other != one)]
    length = _TIME if _TIMED.match(one) else SHORT
    while length < len(one) and any(other.startswith(one[:length]) for other in beside):
        length += 1
    return one[:length]
