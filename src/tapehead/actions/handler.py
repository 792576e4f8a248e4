"""ActionHandler: carries out what the machine asks for, one function per action, one dict."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.actions import bookkeeping, effects
from tapehead.statemachine.vocabulary import Action

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import Any

    from tapehead.actions.ports import Ports, Remembered
    from tapehead.store.line import Line
    from tapehead.store.state import State

    Trying = Callable[[str, str, str], AbstractContextManager[None]]

BOOKKEEPING: dict[Action, Callable[[State, Line], State]] = {
    Action.TOUCH: bookkeeping.touch,
    Action.REOPEN: bookkeeping.reopen,
    Action.CLOSE: bookkeeping.close,
    Action.RESTORE: bookkeeping.restore,
    Action.STEER: bookkeeping.steer,
    Action.WARN_STALE: bookkeeping.warn_stale,
    Action.WARN_BLOCKED: bookkeeping.warn_blocked,
}
"""Done by a live fold and by a replay alike: they follow from the line and the state."""

EFFECTS: dict[Action, Callable[[State, Line, Ports], Remembered]] = {
    Action.SNAPSHOT: effects.snapshot,
    Action.INGEST: effects.ingest,
    Action.CAPTURE: effects.capture,
    Action.JOURNAL: effects.journal,
    Action.KEEP_SUMMARY: effects.keep_summary,
    Action.OFFER_BATON: effects.offer_baton,
    Action.LEASE_BATON: effects.lease_baton,
    Action.TAKE_BATON: effects.take_baton,
    Action.MARK_LINES: effects.mark_lines,
    Action.CONDENSE: effects.condense,
    Action.CONDENSE_IF_TOUCHED: effects.condense_if_touched,
    Action.RETIRE_IF_UNTOUCHED: effects.retire_if_untouched,
}
"""Done by a live fold alone. What came of them stands on the tape as a note, which a replay reads like any other line."""

ERRANDS = frozenset({Action.TEND})
"""Done by the worker, after the fold and without the session's lock (engine/worker.py). Each knows by itself how far it has come."""
_REASON = 300


class Note(NamedTuple):
    """What the tape is to remember of an action."""

    kind: str
    of: str
    data: dict[str, Any]


class ActionHandler:
    """Without ports it only keeps the books, which is what a replay wants."""

    def __init__(self, ports: Ports | None, trying: Trying | None = None) -> None:
        self.ports = ports
        self.trying = trying
        """Around each effect: it raises where one is not to be tried now."""

    def run(
        self, actions: tuple[Action, ...], state: State, line: Line, done: frozenset[tuple[str, str]]
    ) -> tuple[State, list[Note]]:
        """The state after the bookkeeping, and notes of what was done.

        `done` names what an earlier run has already put on the tape, before it died: that is not done again.
        """
        notes: list[Note] = []
        for action in actions:
            if action in BOOKKEEPING:
                state = BOOKKEEPING[action](state, line)
            elif action in EFFECTS and self.ports is not None and (line.id, action.value) not in done:
                notes += self._reach_out(action, state, line, self.ports)
        return state, notes

    def _reach_out(self, action: Action, state: State, line: Line, ports: Ports) -> list[Note]:
        try:
            remembered = self._done(action, state, line, ports)
        except Exception as error:  # noqa: BLE001 - one action's failure must not take the others along; it is recorded
            reason = f"{type(error).__name__}: {error}"[:_REASON]
            return [Note("failed", line.id, {"action": action.value, "reason": reason})]
        return [] if remembered is None else [Note(action.value, line.id, remembered)]

    def _done(self, action: Action, state: State, line: Line, ports: Ports) -> Remembered:
        if self.trying is None:
            return EFFECTS[action](state, line, ports)
        with self.trying(state.session_id, action.value, line.text("commit")):
            return EFFECTS[action](state, line, ports)


def already_done(lines: list[Line]) -> frozenset[tuple[str, str]]:
    """The actions, by the line that asked for them, that these lines say were carried out (or failed)."""
    return frozenset((line.of, line.text("action") or line.note) for line in lines if line.of)
