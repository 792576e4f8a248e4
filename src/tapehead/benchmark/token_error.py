"""How far an estimate of tokens is from what Claude Code counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from tapehead.agents.claude.context_growth import Growth, growth
from tapehead.tokens.estimate import estimated_all

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST = 100
"""Tokens. Of a smaller step most is what the agent added unseen."""


@attrs.frozen
class Measured:
    """One step, or a whole context: what was counted, and what each way of estimating says."""

    counted: int
    said: dict[str, float]


ESTIMATES: dict[str, Callable[[Growth], float]] = {
    "estimate": lambda step: estimated_all(step.texts, step.calls),
    "characters / 4": lambda step: sum(map(len, step.texts)) / 4,
}


def measure(path: str) -> tuple[list[Measured], list[Measured]]:
    """The steps of a transcript that are large enough, and its contexts. Raises OSError."""
    runs: dict[int, list[Measured]] = {}
    for step in growth(path):
        said = {name: way(step) for name, way in ESTIMATES.items()}
        runs.setdefault(step.run, []).append(Measured(step.tokens, said))
    return [one for run in runs.values() for one in run if one.counted >= LEAST], [*map(_together, runs.values())]


def _together(run: list[Measured]) -> Measured:
    return Measured(sum(one.counted for one in run), {name: sum(one.said[name] for one in run) for name in ESTIMATES})


def summarize(measured: list[Measured]) -> dict[str, dict[str, float]]:
    """For each way of estimating: the usual error, a large one, and how much of the total it says."""
    found: dict[str, dict[str, float]] = {}
    for name in ESTIMATES:
        off = sorted(abs(one.said[name] - one.counted) / one.counted for one in measured)
        total = sum(one.said[name] for one in measured) / sum(one.counted for one in measured)
        found[name] = {"median": _at(off, 0.5), "95th": _at(off, 0.95), "of the total": round(total, 3)}
    return found


def _at(ordered: list[float], share: float) -> float:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)
