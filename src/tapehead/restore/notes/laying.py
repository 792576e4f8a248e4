"""The turns that are new, laid out for the notes: like the digest's own story, without what the notes never look at.

Keeping notes must cost less than reading the transcript. So a message is taken apart only if it may hold a decision, or is the last of
its turn; results are taken as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.transcript.decisions import may_decide
from tapehead.transcript.sentences import flat, sentences, tells
from tapehead.transcript.story import Act, Place, Story

if TYPE_CHECKING:
    from collections.abc import Sequence


class Laid(Story):
    """What `decisions`, `rules` and the like look at, of these turns alone."""

    def __init__(self, own: Sequence[tuple[int, turns.Turn]]) -> None:
        self.human, self.agent, self.acts = [], [], []
        self.cwd = self.branch = self.ended = ""
        self.at = self.compactions = 0
        self.summary = ""
        self._open = {}
        last: dict[int, int] = {}
        for number, turn in own:
            self.branch, self.cwd = turn.branch or self.branch, turn.cwd or self.cwd
            self.ended = turn.ended or self.ended
            self._steps(turn, number)
            if self.agent:
                last[self.agent[-1][0].turn] = len(self.agent) - 1
        self.turns = own[-1][0]
        ends = set(last.values())
        self.sentences = [
            (place, [flat(one) for one in sentences(text) if tells(one)])
            for n, (place, text) in enumerate(self.agent)
            if n in ends or may_decide(text)
        ]

    def _steps(self, turn: turns.Turn, number: int) -> None:
        for step in turn.steps:
            self.at += 1
            kind = type(step)
            if kind is turns.Call:
                act = Act(step, Place(self.at, number, turn.began))  # type: ignore[arg-type]  # its class was just looked at
                self.acts.append(act)
                self._open[act.call.id] = act
            elif kind is turns.Result:
                if (answered := self._open.get(step.id)) is not None:  # type: ignore[union-attr]  # as above
                    answered.result = step  # type: ignore[assignment]  # as above
                    answered.results += 1
            elif kind is turns.Said:
                self._said(step, Place(self.at, number, turn.began))  # type: ignore[arg-type]  # as above
