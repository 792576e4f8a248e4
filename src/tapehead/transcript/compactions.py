"""The turns of a session cut at its compactions: what was known before each, and what came after it. Pure."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tapehead.transcript.turns import AGENT, SUMMARY, Boundary, Call, Said, Step, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable


class Compaction(NamedTuple):
    """One compaction: the turns before it (the last one cut in mid-turn, if need be) and what the agent wrote."""

    number: int
    at: str
    before: tuple[Turn, ...]
    summary: str
    after: tuple[Turn, ...] = ()
    """The turns from there to the next compaction; the first one is what is left of the turn that was cut."""


def compactions(turns: Iterable[Turn]) -> tuple[Compaction, ...]:
    """Every compaction that the turns hold, oldest first. Subagents compact too: theirs are not the session's."""
    own = [turn for turn in turns if not turn.subagent]
    cuts = pairwise((*_cuts(own), (len(own), 0)))
    return tuple(_compaction(n, own, cut, end) for n, (cut, end) in enumerate(cuts, 1))


def _cuts(own: list[Turn]) -> list[tuple[int, int]]:
    """Where the compactions begin, as (turn, step): at a boundary, or in old versions at a summary alone.

    A boundary and the summary that follows it are one compaction, whatever the agent or the user put in between; only work
    of the agent tells two apart.
    """
    found: list[tuple[int, int]] = []
    awaited = False
    for n, turn in enumerate(own):
        for place, step in enumerate(turn.steps):
            if _drops(step) or (_is_summary(step) and not awaited):
                found.append((n, place))
            awaited = _drops(step) or (awaited and not (_is_summary(step) or _is_work(step)))
    return found


def _compaction(number: int, own: list[Turn], cut: tuple[int, int], end: tuple[int, int]) -> Compaction:
    (n, place), (last, until) = cut, end
    turn = own[n]
    head, rest = turn._replace(steps=turn.steps[:place]), turn._replace(steps=turn.steps[place:])
    after = [rest, *own[n + 1 : last]]
    if last == n:
        after = [turn._replace(steps=turn.steps[place:until])]
    elif until:
        after.append(own[last]._replace(steps=own[last].steps[:until]))
    first = turn.steps[place]
    at = first.time if isinstance(first, Boundary) and first.time else turn.ended
    return Compaction(number, at, (*own[:n], head), _summary(after), tuple(after))


def _drops(step: Step) -> bool:
    return isinstance(step, Boundary) and not step.partial


def _is_summary(step: Step) -> bool:
    return isinstance(step, Said) and step.who == SUMMARY


def _is_work(step: Step) -> bool:
    return isinstance(step, Call) or (isinstance(step, Said) and step.who == AGENT)


def _summary(after: list[Turn]) -> str:
    return next((text for turn in after for text in turn.words(SUMMARY)), "")
