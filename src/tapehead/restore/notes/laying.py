"""The turns that are new, laid out for the notes: like the digest's own story, without what the notes never look at.

Keeping notes must cost less than reading the transcript. So a message is taken apart only if it may hold a decision, or is the last of
its turn, and then no further than needed; results are taken as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.decisions import deciding, may_decide
from tapehead.transcript.sentences import first_that_tells
from tapehead.transcript.story import Act, Place, Story

if TYPE_CHECKING:
    from collections.abc import Sequence


class Laid(Story):
    """What `decisions`, `rules` and the like look at, of these turns alone."""

    def __init__(self, own: Sequence[tuple[int, turns.Turn]]) -> None:
        self.human, self.agent, self.acts = [], [], []
        self.cwd = self.branch = self.ended = ""
        self.at = 0
        self._open = {}
        last: dict[int, int] = {}
        for number, turn in own:
            self.branch, self.cwd = turn.branch or self.branch, turn.cwd or self.cwd
            self.ended = turn.ended or self.ended
            self._steps(turn, number)
            if self.agent:
                last[self.agent[-1][0].turn] = len(self.agent) - 1
        self.turns = own[-1][0]
        may = [n for n, (_, text) in enumerate(self.agent) if may_decide(text)]
        self.sentences = [(place, deciding(text)) for place, text in map(self.agent.__getitem__, may)]
        self.came = self._came({*may, *last.values()})
        """What came of each turn: the first sentence that tells something, of its last message that has one."""

    def _came(self, of: set[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        for n in sorted(of, reverse=True):
            place, text = self.agent[n]
            if place.turn not in found and (told := first_that_tells(text)):
                found[place.turn] = told
        return found

    def _steps(self, turn: turns.Turn, number: int) -> None:
        at, began = self.at, turn.began
        for at, step in enumerate(turn.steps, at + 1):
            kind = type(step)
            if kind is turns.Call:
                act = Act(step, Place(at, number, began))  # type: ignore[arg-type]  # its class was just looked at
                self.acts.append(act)
                self._open[act.call.id] = act
            elif kind is turns.Result:
                if (answered := self._open.get(step.id)) is not None:  # type: ignore[union-attr]  # as above
                    answered.result = step  # type: ignore[assignment]  # as above
                    answered.results += 1
            elif kind is turns.Said:
                self._said(step, Place(at, number, began))  # type: ignore[arg-type]  # as above
        self.at = at

    def _said(self, said: turns.Said, place: Place) -> None:
        if said.who == turns.AGENT:
            self.agent.append((place, said.text))
        elif said.who == turns.HUMAN:
            self.human.append((place, said))
