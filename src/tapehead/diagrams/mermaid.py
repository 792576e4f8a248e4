"""The rows as a `stateDiagram-v2`: one to read at a glance, one with everything that the table says.

Events that leave a phase as it is are written inside its box; arrows are kept for what moves. The summary has one arrow
between two phases, and draws an event that leads to the same phase from anywhere from one box instead of from six.
Plain syntax only: what a code agent renders is an older Mermaid than the newest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.diagrams import labels
from tapehead.diagrams.grouping import EVERYDAY, from_anywhere, moves, stays
from tapehead.statemachine.table import ROWS
from tapehead.statemachine.vocabulary import Phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.statemachine.table import Row

ANYWHERE = "ANYWHERE"
"""The box that stands for every phase that has no arrow of its own for an event. No phase is called so."""
BREAK = "<br/>"
STYLES = (
    "classDef here fill:#ffd54f,stroke:#b26a00,stroke-width:3px,color:#000000",
    "classDef before fill:#fff3cd,stroke:#b26a00,color:#000000",
)


def summary(rows: tuple[Row, ...] = ROWS, *, here: Phase | None = None, last: Row | None = None) -> str:
    """The picture to read first: phases and events. `here` is highlighted, `last` is told as the move that led there."""
    boxes = {phase: labels.in_pairs(labels.events(group)) for phase, group in stays(rows).items()}
    return _drawing([*_boxes(boxes), *_from_anywhere(rows), *_summary_arrows(rows), *_session(here, last)])


def full(rows: tuple[Row, ...] = ROWS, *, here: Phase | None = None, last: Row | None = None) -> str:
    """Every row with its guard and its actions, as `event [guard] / actions`."""
    boxes = {phase: [labels.sentence(row, rows) for row in group] for phase, group in stays(rows).items()}
    arrows = (
        _arrow(start.name, end.name, _apart(labels.stanza(row, rows) for row in group))
        for (start, end), group in moves(rows).items()
    )
    return _drawing([*_boxes(boxes), *arrows, *_session(here, last)])


def _drawing(lines: Iterable[str]) -> str:
    return "\n".join(["stateDiagram-v2", *(f"    {line}" for line in ("direction TB", *lines))]) + "\n"


def _boxes(texts: dict[Phase, list[str]]) -> Iterator[str]:
    for phase, lines in texts.items():
        yield f'state "{phase.name}" as {phase.name}'
        yield from (f"{phase.name} : {line}" for line in lines)
    yield f"[*] --> {Phase.IDLE.name}"


def _apart(stanzas: Iterable[list[str]]) -> list[str]:
    """All lines, with an empty one where a new row begins."""
    return [line for stanza in stanzas for line in ("", *stanza)][1:]


def _arrow(start: str, end: str, lines: list[str]) -> str:
    return f"{start} --> {end} : {BREAK.join(lines)}"


def _from_anywhere(rows: tuple[Row, ...]) -> Iterator[str]:
    shared = from_anywhere(rows)
    if shared:
        yield f'state "any other phase" as {ANYWHERE}'
    yield from (_arrow(ANYWHERE, phase.name, [event.name]) for event, phase in shared.items())


def _summary_arrows(rows: tuple[Row, ...]) -> Iterator[str]:
    shared = from_anywhere(rows)
    own = tuple(row for row in rows if row.event not in shared or (row.phase, row.event) in EVERYDAY)
    for (start, end), group in moves(own).items():
        yield _arrow(start.name, end.name, labels.events(group))


def _session(here: Phase | None, last: Row | None) -> Iterator[str]:
    if here is None:
        return
    yield from STYLES
    if last is not None:
        if last.phase is not here:
            yield f"class {last.phase.name} before"
        yield from (f"note right of {here.name}", *(f"    {line}" for line in _told(last)), "end note")
    yield f"class {here.name} here"


def _told(last: Row) -> Iterator[str]:
    yield f"last: {last.event.name} in {last.phase.name}"
    if last.do:
        yield labels.actions(last)
