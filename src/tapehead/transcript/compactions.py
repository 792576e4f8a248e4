"""The turns of a session cut at its compactions: what was known before each. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.transcript.turns import SUMMARY, Boundary, Said, Step, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable


class Compaction(NamedTuple):
    """One compaction: the turns before it (the last one cut in mid-turn, if need be) and what the host wrote."""

    number: int
    at: str
    before: tuple[Turn, ...]
    summary: str


def compactions(turns: Iterable[Turn]) -> tuple[Compaction, ...]:
    """Every compaction that the turns hold, oldest first. Subagents compact too: theirs are not the session's."""
    own: list[Turn] = []
    found: list[Compaction] = []
    for turn in turns:
        if not turn.subagent:
            for place, step in enumerate(turn.steps):
                if _begins(step, turn.steps[:place]):
                    cut = turn._replace(steps=turn.steps[:place])
                    found.append(Compaction(len(found) + 1, turn.ended, (*own, cut), _summary(turn.steps[place:])))
        own.append(turn)
    return tuple(found)


def _begins(step: Step, before: tuple[Step, ...]) -> bool:
    """A boundary, or in old versions a summary alone. A summary right after its boundary is the same compaction."""
    if isinstance(step, Boundary):
        return not step.partial
    return _is_summary(step) and not (before and isinstance(before[-1], Boundary))


def _is_summary(step: Step) -> bool:
    return isinstance(step, Said) and step.who == SUMMARY


def _summary(steps: tuple[Step, ...]) -> str:
    return next((step.text for step in steps if isinstance(step, Said) and step.who == SUMMARY), "")
