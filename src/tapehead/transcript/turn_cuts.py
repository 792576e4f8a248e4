"""Steps cut into turns: a user's words begin one, unless they were typed while the agent was at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript.turn_builder import Building
from tapehead.transcript.turns import HUMAN, SPEAKERS, Boundary, Said
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.transcript.turns import Step, Turn


class Cutting:
    """Takes what a reader finds, step by step, and hands over each turn when it is over."""

    def __init__(self, subagent: str = "") -> None:
        self.building = Building(subagent)

    def take(self, found: Iterable[Step | Usage], place: tuple[str, str, str, str]) -> Iterator[Turn]:
        """Take the steps of a line and what it cost; yield the turn that they end, if they end one.

        The place is that of the line: its time, the session, the branch, the directory. A speaker that turns do not have is passed
        over.
        """
        for one in found:
            if isinstance(one, Usage):
                self.building.use(one)
                continue
            if isinstance(one, Said):
                if one.who not in SPEAKERS:
                    continue
                if one.who == HUMAN and not one.queued:
                    yield from self.end()
            self.building.stands(*place)
            self.building.add(one._replace(time=place[0]) if isinstance(one, Boundary) else one)

    def end(self) -> Iterator[Turn]:
        """Yield the turn that is being read, where there is one."""
        if self.building.steps:
            yield self.building.turn()
