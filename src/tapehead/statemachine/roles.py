"""Which hooks speak, and which leave work behind: what follows from the rows for an event, whatever the phase. Light."""

from tapehead.statemachine.table import ROWS
from tapehead.statemachine.vocabulary import Action, Event, Phase


def _speaking() -> frozenset[Event]:
    """The events that may have words in every phase: somebody waits for them. Those of some phases only ride on the next event."""
    phases: dict[Event, set[Phase]] = {}
    for row in ROWS:
        if Action.RESTORE in row.do or Action.STEER in row.do:
            phases.setdefault(row.event, set()).add(row.phase)
    return frozenset(event for event, some in phases.items() if len(some) == len(Phase))


SPEAKING = _speaking()
"""Someone waits for what these have to say: their hook settles at once."""
WORKING = frozenset(row.event for row in ROWS if Action.TEND in row.do)
"""After these there is work that nobody waits for: a worker does it."""
