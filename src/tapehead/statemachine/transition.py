"""The one question that the machine answers."""

from tapehead.statemachine.table import ROWS, Row
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase


def _by_phase_and_event() -> dict[tuple[Phase, Event], tuple[Row, ...]]:
    found: dict[tuple[Phase, Event], tuple[Row, ...]] = {}
    for row in ROWS:
        key = (row.phase, row.event)
        found[key] = (*found.get(key, ()), row)
    return found


_ANSWERS = _by_phase_and_event()


def row_for(phase: Phase, event: Event, ctx: frozenset[Fact]) -> Row:
    """The row that answers: the first of this phase and event whose facts all hold.

    There is always one: tests/proofs.py finds a gap in the table, and a test holds that there is none.
    """
    return next(row for row in _ANSWERS[phase, event] if row.facts <= ctx)


def transition(phase: Phase, event: Event, ctx: frozenset[Fact]) -> tuple[Phase, tuple[Action, ...]]:
    """Where the session stands after the event, and what is to be done. Nothing is done here."""
    row = row_for(phase, event, ctx)
    return row.to, row.do
