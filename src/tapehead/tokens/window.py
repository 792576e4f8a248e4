"""How full a model's window is, and how far it is to the next compaction. Pure, and light: the status line loads it.

A window is what the agent says it is, and is never guessed. From its size follow, for any setting, five marks in this order:

    warning ≤ error ≤ auto-compaction ≤ blocking ≤ usable ≤ window

The usable part leaves room for the answer; the agent compacts a little below its end and, where it may not, takes no more
prompts shortly before it. Warning and error are due so and so far below the usable part. For a window of 200,000 tokens: warning and
error at 160,000, auto-compaction at 167,000, blocking at 177,000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FINE = "fine"
WARNING = "warning"
ERROR = "error"
COMPACTS = "compacts"
BLOCKED = "blocked"
LEVELS = (FINE, WARNING, ERROR, COMPACTS, BLOCKED)
"""From the emptiest to the fullest."""

PACE = 5
"""Turns that a forecast looks back on."""


class Margins:
    """How far below what each mark is. Settings; the defaults are what Claude Code does."""

    __slots__ = ("auto_compact", "blocking", "compacts", "error", "reserve", "warning")

    def __init__(  # noqa: PLR0913 - one for each setting
        self,
        *,
        reserve: int = 20_000,
        warning: int = 20_000,
        error: int = 20_000,
        auto_compact: int = 13_000,
        blocking: int = 3_000,
        compacts: bool = True,
    ) -> None:
        self.reserve = reserve
        """Of the window, for the answer."""
        self.warning = warning
        """Below the usable window."""
        self.error = error
        """Below the usable window."""
        self.auto_compact = auto_compact
        """Below the usable window."""
        self.blocking = blocking
        """Below the usable window, too."""
        self.compacts = compacts
        """Whether the agent compacts by itself. Where it does not, the way ends where it takes no more prompts."""


class Thresholds:
    """The marks of one window, in tokens."""

    __slots__ = ("auto_compact", "blocking", "error", "usable", "warning", "window")

    def __init__(self, window: int, margins: Margins) -> None:
        self.window = max(0, window)
        self.usable = _below(self.window, margins.reserve)
        self.blocking = _below(self.usable, margins.blocking)
        compacts_at = _below(self.usable, margins.auto_compact) if margins.compacts else self.blocking
        self.auto_compact = min(compacts_at, self.blocking)
        self.error = min(_below(self.usable, margins.error), self.auto_compact)
        self.warning = min(_below(self.usable, margins.warning), self.error)

    @property
    def marks(self) -> tuple[int, int, int, int]:
        """Where each level after the first begins."""
        return self.warning, self.error, self.auto_compact, self.blocking

    def level(self, used: int) -> str:
        """The level that a use has reached."""
        return LEVELS[sum(used >= mark for mark in self.marks)]

    def percent_left(self, used: int) -> int:
        """What is left of the way to the automatic compaction, from 100 down to 0."""
        used = max(0, used)
        return 0 if used >= self.auto_compact else 100 * (self.auto_compact - used) // self.auto_compact

    def turns_left(self, contexts: Sequence[int]) -> int | None:
        """How many turns fit before the compaction, at the pace of the last ones; None where that cannot be told.

        `contexts` is how full the window was after each turn, oldest first. What was before a compaction says nothing of
        the pace: the newest rise alone counts.
        """
        rise = _newest_rise(contexts[-PACE:])
        if len(rise) < 2 or rise[-1] <= rise[0]:  # noqa: PLR2004 - two points make a line
            return None
        room = max(0, self.auto_compact - rise[-1])
        return -(-room * (len(rise) - 1) // (rise[-1] - rise[0]))


def _below(mark: int, margin: int) -> int:
    return max(0, mark - max(0, margin))


def _newest_rise(contexts: Sequence[int]) -> Sequence[int]:
    start = len(contexts) - 1
    while start > 0 and contexts[start - 1] <= contexts[start]:
        start -= 1
    return contexts[max(0, start) :]
