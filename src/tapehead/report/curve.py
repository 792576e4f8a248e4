"""The window over time: how full it was at each answer, and where a compaction emptied it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.report.report_values import Point
from tapehead.report.timeline import moment
from tapehead.transcript.turns import AGENT, SUMMARY, Boundary, Call, Measure, Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tapehead.transcript.turns import Step, Turn

MOST = 1_000
"""Points of a curve: more than a screen has room for."""


def curve(turns: Sequence[Turn]) -> tuple[Point, ...]:
    """The points of the session's own turns, in order. Of many, some are passed over, but none at a compaction."""
    found = [*_points([turn for turn in turns if not turn.subagent])]
    if len(found) <= MOST:
        return tuple(found)
    every = -(-len(found) // MOST)
    kept = {place for place, point in enumerate(found) if place % every == 0 or point.compaction}
    kept |= {place + 1 for place, point in enumerate(found) if point.compaction} | {len(found) - 1}
    return tuple(found[place] for place in sorted(kept) if place < len(found))


def _points(own: Sequence[Turn]) -> Iterator[Point]:
    number, full, time, awaited = 0, 0, "", False
    for turn in own:
        for what in _in_order(turn):
            if isinstance(what, Measure):
                full, time = what.context, what.time or turn.ended
                yield Point(turn.number, moment(time), full)
                continue
            if _drops(what) or (_is_summary(what) and not awaited):
                number += 1
                before = what.tokens if isinstance(what, Boundary) else 0
                yield Point(turn.number, moment(max(time, turn.began)), before or full, number)
            awaited = _drops(what) or (awaited and not (_is_summary(what) or _is_work(what)))


def _in_order(turn: Turn) -> Iterator[Step | Measure]:
    """The turn's steps, with the measures among them; a reader that gives none knows at least how the turn ended."""
    measures = list(turn.measures)
    if not measures and turn.usage.context:
        last = max((place for place, step in enumerate(turn.steps, 1) if _is_work(step)), default=0)
        measures = [Measure(last, turn.ended, turn.usage.context)]
    for place, step in enumerate(turn.steps):
        while measures and measures[0].step <= place:
            yield measures.pop(0)
        yield step
    yield from measures


def _drops(step: Step) -> bool:
    return isinstance(step, Boundary) and not step.partial


def _is_summary(step: Step) -> bool:
    return isinstance(step, Said) and step.who == SUMMARY


def _is_work(step: Step) -> bool:
    return isinstance(step, Call) or (isinstance(step, Said) and step.who == AGENT)
