"""The second reader: the same rows in a `transitions` machine, which decides by itself which of them answers.

It shares nothing with `transition` but the rows, so a mistake would have to be made twice to go unseen. It also follows
one session and draws it with its phase highlighted. The drawing is ours: the Mermaid of `GraphMachine` puts all rows of an edge
in one line and leaves the actions out, and with 78 rows nobody can read that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transitions import Machine

from tapehead.diagrams import mermaid
from tapehead.statemachine.table import ROWS
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from transitions import EventData

    from tapehead.statemachine.table import Row

    Condition = Callable[[EventData], bool]


class SecondReader:
    """A session as `transitions` sees it: it stands in `phase`, and `last` is the row that brought it there."""

    def __init__(self, phase: Phase = Phase.IDLE, rows: tuple[Row, ...] = ROWS) -> None:
        self.rows = rows
        self.last: Row | None = None
        self.done: tuple[Action, ...] = ()
        self._machine = Machine(
            self,
            states=Phase,
            initial=phase,
            auto_transitions=False,
            send_event=True,
            ignore_invalid_triggers=True,
            model_attribute="phase",
        )
        for row in rows:
            self._add(row)

    phase: Phase

    def read(self, event: Event, ctx: frozenset[Fact]) -> tuple[Phase, tuple[Action, ...]]:
        """Take one event, and say where the session stands now and what is to be done."""
        if not self._machine.events[event.value].trigger(self, ctx=ctx):
            raise LookupError(f"no row of {self.phase.name} answers {event.name}")
        return self.phase, self.done

    def stand(self, phase: Phase) -> None:
        """Go on from another phase, as if nothing had happened."""
        self._machine.set_state(phase)
        self.last, self.done = None, ()

    def drawing(self, *, full: bool = False) -> str:
        """The machine with this session in it: its phase highlighted, its last move told."""
        draw = mermaid.full if full else mermaid.summary
        return draw(self.rows, here=self.phase, last=self.last)

    def _add(self, row: Row) -> None:
        self._machine.add_transition(
            row.event.value, row.phase, row.to, conditions=[_holds(fact) for fact in row.facts], after=self._keeps(row)
        )

    def _keeps(self, row: Row) -> Callable[[EventData], None]:
        def keep(_: EventData) -> None:
            self.last, self.done = row, row.do

        return keep


def _holds(fact: Fact) -> Condition:
    def holds(moment: EventData) -> bool:
        return fact in moment.kwargs["ctx"]

    return holds
