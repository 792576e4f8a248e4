"""How much of what was needed a context holds, for one case and over many. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from tapehead.benchmark.held import PROBES, Held
from tapehead.tokens.estimate import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.benchmark.needed import Needed

COLUMNS = ("score", "gap", *PROBES, "tokens")


@attrs.frozen
class Score:
    """One context in one case. A probe that the case does not ask is not there; `gap` is None where the summary lost nothing."""

    recall: dict[str, float]
    gap: float | None
    tokens: int

    @property
    def score(self) -> float:
        """The mean over the probes that were asked: each counts the same, however many items it has."""
        return mean(self.recall.values()) or 0.0

    def value(self, column: str) -> float | None:
        """A number by the name of its column."""
        own = {"score": self.score, "gap": self.gap, "tokens": float(self.tokens)}
        return own[column] if column in own else self.recall.get(column)


def score(text: str, needed: Needed, summary: Held) -> Score:
    """How much of what was needed a text holds; `gap` asks only for what the agent's summary lost."""
    context = Held(text)
    recall, gaps = {}, []
    for probe, items in needed.items.items():
        held = {item for item in items if context.holds(probe, item)}
        lost = {item for item in items if not summary.holds(probe, item)}
        recall[probe] = len(held) / len(items)
        if lost:
            gaps.append(len(held & lost) / len(lost))
    return Score(recall, mean(gaps), tokens(text))


def table(scores: Iterable[Score]) -> dict[str, float | None]:
    """The mean of every column over the cases that have it."""
    every = list(scores)
    found = {column: [one.value(column) for one in every] for column in COLUMNS}
    return {column: mean(value for value in values if value is not None) for column, values in found.items()}


def mean(values: Iterable[float]) -> float | None:
    """The arithmetic mean; None of nothing."""
    every = list(values)
    return sum(every) / len(every) if every else None
