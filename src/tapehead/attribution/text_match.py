"""Lines that say the same: what a commit brought, compared with recorded lines by their digests. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.checkpoints.line_texts import digest, is_telling

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SAME = 40
"""Places of one text that are looked at: a text that is everywhere says nothing."""


class Recorded(NamedTuple):
    """A run of lines of a recorded commit."""

    commit: str
    owner: str
    digests: list[str]
    is_sure: bool
    """Something else says already that the lines come from there: then each counts, also one that anybody could have written."""


class Found(NamedTuple):
    """A line, and the run that has it."""

    line: int
    source: Recorded


def matches(lines: Sequence[tuple[int, bytes]], runs: Iterable[Recorded]) -> list[Found]:
    """The lines that are in recorded runs: whole stretches of neighbours first, of which one line at least tells, or whose run is sure."""
    places: dict[str, list[tuple[Recorded, int]]] = {}
    for run in runs:
        for at, each in enumerate(run.digests):
            places.setdefault(each, []).append((run, at))
    found: list[Found] = []
    digests = [digest(text) for _, text in lines]
    at = 0
    while at < len(lines):
        best, length = _longest(lines, digests, at, places)
        if best and (best.is_sure or any(is_telling(text) for _, text in lines[at : at + length])):
            found += [Found(number, best) for number, _ in lines[at : at + length]]
            at += length
        else:
            at += 1
    return found


def _longest(
    lines: Sequence[tuple[int, bytes]], digests: list[str], at: int, places: dict[str, list[tuple[Recorded, int]]]
) -> tuple[Recorded | None, int]:
    """The run that goes on for longest from a line on."""
    best, most = None, 0
    for run, start in places.get(digests[at], ())[:_SAME]:
        length = 1
        while (
            at + length < len(lines)
            and start + length < len(run.digests)
            and lines[at + length][0] == lines[at][0] + length
            and digests[at + length] == run.digests[start + length]
        ):
            length += 1
        if (length, run.is_sure) > (most, bool(best and best.is_sure)):
            best, most = run, length
    return best, most
