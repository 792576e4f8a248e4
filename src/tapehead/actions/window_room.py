"""How much room a session has left before its agent compacts: from what the agent counted and said, never from a guessed window."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.store import agent_figures
from tapehead.tokens.window import Margins, Thresholds

if TYPE_CHECKING:
    from typing import Any

    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout
    from tapehead.store.state import State


class Room(NamedTuple):
    """What is known of a window; None for what is not."""

    used: int
    estimated: bool = False
    """Nobody counted: it was worked out from the text."""
    window: int | None = None
    compacts_at: int | None = None
    level: str = ""
    percent_left: int | None = None
    turns_left: int | None = None

    @property
    def told(self) -> str:
        """In a few words."""
        about = "about " if self.estimated else ""
        if self.compacts_at is None:
            return f"{about}{self.used:,} tokens used"
        turns = (
            "" if self.turns_left is None else f", about {self.turns_left} turn{'' if self.turns_left == 1 else 's'}"
        )
        return f"{about}{self.used:,} of {self.compacts_at:,} tokens used, {self.percent_left}% left{turns}"

    @property
    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        return self._asdict()


def room_of(layout: Layout, settings: Settings, state: State) -> Room | None:
    """The room of a session; None before its first answer, and after a compaction until the next one."""
    said = agent_figures.look(layout, state.session_id)
    used = _used(state, said)
    estimated = used is None
    used = used or state.context_estimate
    if not used:
        return None
    window = agent_figures.number(said, "window") or state.context_window
    if not window:
        return Room(used, estimated)
    margins = {name: settings.number(f"window.{name}") for name in Margins.__slots__ if name != "compacts"}
    marks = Thresholds(window, Margins(**margins, compacts=settings.flag("window.compacts")))
    left = marks.turns_left(state.contexts)
    return Room(used, estimated, window, marks.auto_compact, marks.level(used), marks.percent_left(used), left)


def _used(state: State, said: dict[str, object]) -> int | None:
    """The newer of what the transcript counted at the last turn's end, and what the agent said since."""
    return said_since(state, said) or state.context_tokens


def said_since(state: State, said: dict[str, object]) -> int | None:
    """What the agent itself said was used, if that was after the last turn and the last compaction; else it is of the past."""
    at = agent_figures.number(said, "at") or 0
    heard = max((time.timestamp() for time in (state.last_interaction_at, state.compacted_at) if time), default=0.0)
    return agent_figures.number(said, "used") if at >= heard else None
