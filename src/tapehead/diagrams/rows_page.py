"""The rows as a Markdown table, with a legend of every word in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.diagrams import labels
from tapehead.diagrams.meaning import meanings
from tapehead.statemachine.table import ROWS
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from enum import Enum

    from tapehead.statemachine.table import Row

INTRODUCTION = """\
# The table

In a phase, when an event comes, the first row whose facts all hold is the answer: where the session stands then, and what
is done, in that order. `=` is the same phase; an empty cell asks for nothing, or does nothing.
"""

LEGEND = (("Phases", Phase), ("Events", Event), ("Facts", Fact), ("Actions", Action))


def table(rows: tuple[Row, ...] = ROWS) -> str:
    """The whole page: the rows, then the legend."""
    legend = (f"## {title}\n\n{_grid(('word', 'means'), _explained(words))}" for title, words in LEGEND)
    return "\n".join([INTRODUCTION, _grid(("phase", "event", "facts", "to", "do"), map(_cells, rows)), *legend])


def _cells(row: Row) -> tuple[str, ...]:
    to = "=" if row.to is row.phase else row.to.name
    return row.phase.name, row.event.name, ", ".join(labels.facts(row)), to, labels.actions(row)


def _explained(words: type[Enum]) -> Iterator[tuple[str, str]]:
    known = meanings(words)
    return ((word.name, known[word.name]) for word in words)


def _grid(head: tuple[str, ...], body: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *body]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
