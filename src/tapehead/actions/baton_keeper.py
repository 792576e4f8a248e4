"""The batons' side of the actions: which place, which session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.actions.predecessor import BATON
from tapehead.store import batons, captures
from tapehead.store.paths import place_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import State


def memo_for(layout: Layout, state: State) -> str:
    """The memo that a start got with its baton. A hook whose time is up speaks before the lease is recorded: then only the baton has it."""
    if (memo := captures.memo(layout, state.session_id)) or state.predecessor_rule != BATON:
        return memo
    found = batons.held(layout, place_name(state.worktree_id), state.session_id)
    return str(found[1].get("memo") or "") if found and found[1]["session"] == state.predecessor else ""


class BatonKeeper:
    """The batons of one store."""

    def __init__(self, layout: Layout, hands_over: Callable[[], bool], keeps: Callable[[], float]) -> None:
        self.layout = layout
        self.hands_over = hands_over
        """Whether a session is offered that nobody named: a setting, looked up when it matters."""
        self.keeps = keeps
        """For how many seconds a baton is good: a setting too."""

    def offer(self, state: State, line: Line) -> dict[str, Any] | None:
        """Only a session with something to say is worth inheriting."""
        if not state.turn_number or not self.hands_over():
            return None
        place, process = place_name(state.worktree_id), {"pid": state.host_pid, "pid_started": state.host_started}
        at, keeps = line.at.isoformat(), self.keeps()
        name = batons.offer_cleared(self.layout, place, state.session_id, at, process, host=state.agent, keeps=keeps)
        return {"place": name}

    def lease(self, state: State, line: Line) -> dict[str, Any] | None:
        """The start that found the baton holds it already: here it is only said again, and recorded.

        A start that inherits by another rule leaves the baton alone, even if it was offered in between: it has not got
        that story to hand back.
        """
        if line.number("rule") != BATON:
            return None
        found = batons.held(self.layout, place_name(state.worktree_id), state.session_id)
        if found is None or found[1]["session"] != line.text("predecessor"):
            return None
        name, baton = found
        if memo := str(baton.get("memo") or ""):
            captures.keep_memo(self.layout, state.session_id, memo)  # the baton may be used up before the brief is told
        return {"place": name}

    def take(self, state: State, line: Line) -> dict[str, Any] | None:  # noqa: ARG002 - one shape for all ports
        """Whoever gets a prompt has really started."""
        taken = batons.take(self.layout, place_name(state.worktree_id), state.session_id)
        return {"place": taken} if taken else None
