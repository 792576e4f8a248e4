"""Which rows are drawn together, so that a user can read the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.statemachine.vocabulary import Event, Phase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.statemachine.table import Row

    Edge = tuple[Phase, Phase]

EVERYDAY = (
    (Phase.IDLE, Event.TURN_START),
    (Phase.ACTIVE, Event.COMPACTION),
    (Phase.RESTORED, Event.TURN_START),
)
"""Moves that a reader looks for first. They get an arrow of their own even where the same event leads there from anywhere."""


def edges(rows: Iterable[Row]) -> dict[Edge, list[Row]]:
    """The rows between each two phases, in the order of the table. What stays in its phase goes from it to itself.

    The order of the edges is the vocabulary's, not the table's: Mermaid then sets the phases one below the other.
    """
    places = {phase: place for place, phase in enumerate(Phase)}
    found: dict[Edge, list[Row]] = {}
    for row in rows:
        found.setdefault((row.phase, row.to), []).append(row)
    return dict(sorted(found.items(), key=lambda item: (places[item[0][0]], places[item[0][1]])))


def moves(rows: Iterable[Row]) -> dict[Edge, list[Row]]:
    """The edges that lead to another phase."""
    return {edge: group for edge, group in edges(rows).items() if edge[0] is not edge[1]}


def stays(rows: Iterable[Row]) -> dict[Phase, list[Row]]:
    """What happens in each phase without leaving it. In UML these are internal transitions, written inside the box."""
    found = edges(rows)
    return {phase: found.get((phase, phase), []) for phase in Phase}


def from_anywhere(rows: Iterable[Row]) -> dict[Event, Phase]:
    """The events that lead to one and the same phase wherever the session stands, whatever the facts."""
    targets: dict[Event, set[Phase]] = {}
    sources: dict[Event, set[Phase]] = {}
    for row in rows:
        targets.setdefault(row.event, set()).add(row.to)
        sources.setdefault(row.event, set()).add(row.phase)
    return {event: min(to, key=str) for event, to in targets.items() if len(to) == 1 and sources[event] == set(Phase)}
