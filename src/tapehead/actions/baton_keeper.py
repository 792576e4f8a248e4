"""The batons' side of the actions: which place, which session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapehead.actions.inheritance import BY_BATON
from tapehead.store import batons, captures
from tapehead.store.paths import place_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import State


class BatonKeeper:
    """The batons of one store."""

    def __init__(self, layout: Layout, hands_over: Callable[[], bool]) -> None:
        self.layout = layout
        self.hands_over = hands_over
        """Whether a session is offered that nobody named: a setting, looked up when it matters."""

    def offer(self, state: State, line: Line) -> dict[str, Any] | None:
        """Only a session with something to say is worth inheriting."""
        if not state.turn_number or not self.hands_over():
            return None
        place = place_name(state.worktree_id)
        batons.offer(self.layout, place, state.session_id, line.at.isoformat())
        return {"place": place}

    def lease(self, state: State, line: Line) -> dict[str, Any] | None:
        """The start that found the baton holds it already: here it is only said again, and recorded.

        A start that inherits by another rule leaves the baton alone, even if it was offered in between: it has not got
        that story to hand back.
        """
        if line.number("rule") != BY_BATON:
            return None
        place = place_name(state.worktree_id)
        process = {"pid": state.host_pid, "pid_started": state.host_started}
        baton = batons.lease(self.layout, place, state.session_id, process)
        if not baton:
            return None
        if memo := str(baton.get("memo") or ""):
            captures.keep_memo(self.layout, state.session_id, memo)  # the baton may be used up before the story is told
        return {"place": place}

    def take(self, state: State, line: Line) -> dict[str, Any] | None:  # noqa: ARG002 - one shape for all ports
        """Whoever gets a prompt has really started."""
        place = place_name(state.worktree_id)
        return {"place": place} if batons.take(self.layout, place, state.session_id) else None
