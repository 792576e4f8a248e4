"""A turn in the making: what a reader of any agent's lines fills, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript.turns import Measure, Turn
from tapehead.transcript.usage import NOTHING_USED, Usage

if TYPE_CHECKING:
    from tapehead.transcript.turns import Step


class Building:
    """Collects steps until the turn is over; then begins the next one."""

    def __init__(self, subagent: str = "") -> None:
        self.subagent = subagent
        self.number = 0
        self.steps: list[Step] = []
        self.usage = NOTHING_USED
        self.goes_on = False
        self.began = self.ended = self.session = self.branch = self.cwd = ""
        self.drops, self.drops_since = 0, ""
        self.measures: list[Measure] = []

    def add(self, step: Step) -> None:
        """Put the next step."""
        self.steps.append(step)

    def use(self, usage: Usage) -> None:
        """Count what a message cost."""
        self.usage = self.usage.plus(usage)
        if usage.context and (not self.measures or self.measures[-1].context != usage.context):
            self.measures.append(Measure(len(self.steps), self.ended, usage.context))

    def stands(self, time: str, session: str, branch: str, cwd: str) -> None:
        """Note when and where; what a line does not say stays as it was."""
        self.began = self.began or time
        self.ended = time or self.ended
        self.session = session or self.session
        self.branch = branch or self.branch
        self.cwd = cwd or self.cwd

    def turn(self) -> Turn:
        """Hand over the turn, or what is left of it, and begin the next one in the same place."""
        turn = self.part()
        self.number += 1
        self.goes_on = False
        self.began = ""
        return turn

    def part(self) -> Turn:
        """Hand over what there is of the turn, which goes on."""
        turn = Turn(
            self.number,
            tuple(self.steps),
            self.began,
            self.ended,
            self.session,
            self.subagent,
            self.usage,
            self.branch,
            self.cwd,
            self.goes_on,
            self.drops,
            self.drops_since,
            tuple(self.measures),
        )
        self.drops, self.drops_since = 0, ""
        self.steps = []
        self.measures = []
        self.usage = NOTHING_USED
        self.goes_on = True
        return turn
