"""How full the window was after each turn: from the agent's own counts, or where it has none, from what was said. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.tokens.estimate import estimated_all
from tapehead.transcript.turns import AGENT, Boundary, Call, Result, Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tapehead.transcript.turns import Step, Turn


def contexts(turns: Sequence[Turn]) -> tuple[list[int], bool]:
    """What the agent counted after each of the session's own turns since the last compaction, and whether there was one."""
    found: list[int] = []
    dropped = False
    for turn in turns:
        if turn.subagent:
            continue
        if Boundary in map(type, turn.steps) and any(map(_drops, turn.steps)):
            found, dropped = [], True
            if not any(map(_is_work, _since_drop(turn.steps))):
                continue  # what its last answer found was before the compaction
        if turn.usage.context:
            found.append(turn.usage.context)
    return found, dropped


def estimate(turns: Sequence[Turn]) -> int:
    """About what the session's own turns take since the last compaction, for agents that count nothing."""
    steps: list[Step] = []
    for turn in turns:
        if not turn.subagent:
            steps = [*_since_drop(turn.steps)] if any(map(_drops, turn.steps)) else [*steps, *turn.steps]
    return estimated_all((text for step in steps for text in _texts(step)), sum(isinstance(one, Call) for one in steps))


def _since_drop(steps: Sequence[Step]) -> Sequence[Step]:
    last = max((n for n, step in enumerate(steps) if _drops(step)), default=-1)
    return steps[last + 1 :]


def _drops(step: Step) -> bool:
    return isinstance(step, Boundary) and not step.partial


def _is_work(step: Step) -> bool:
    return isinstance(step, Call) or (isinstance(step, Said) and step.who == AGENT)


def _texts(step: Step) -> Iterator[str]:
    if isinstance(step, (Said, Result)):
        yield step.text
    elif isinstance(step, Call):
        yield step.path
        yield step.text
        for old, new in step.pairs:
            yield old
            yield new
