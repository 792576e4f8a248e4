"""The turns that are new, laid out for the notes: like the work record's own conversation, without what the notes never look at.

Keeping notes must cost less than reading the transcript. So a message is taken apart only if it may hold a decision, or is the last of
its turn, and then no further than needed; results are taken as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.decisions import deciding
from tapehead.work_record.sentences import first_that_tells
from tapehead.work_record.step_row import Act, Conversation, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_LAST = 4


class Laid(Conversation):
    """What `decisions`, `rules` and the like look at, of these turns alone."""

    def __init__(self, own: Sequence[tuple[int, turns.Turn]]) -> None:
        self.human, self.agent, self.acts = [], [], []
        self.cwd = self.branch = self.ended = ""
        self.at = 0
        self._open = {}
        for number, turn in own:
            self.branch, self.cwd = turn.branch or self.branch, turn.cwd or self.cwd
            self.ended = turn.ended or self.ended
            self._steps(turn, number)
        self.turns = own[-1][0]
        decided = deciding([text for _, text in self.agent])
        self.sentences = [(place, told) for (place, _), told in zip(self.agent, decided, strict=True) if told]
        self.came = self._came()
        """What came of each turn: the first sentence that tells something, of its last messages that has one."""

    def _came(self) -> dict[int, str]:
        looked_at: dict[int, int] = {}
        found: dict[int, str] = {}
        for place, text in reversed(self.agent):
            if place.turn not in found and looked_at.setdefault(place.turn, 0) < _LAST:
                looked_at[place.turn] += 1
                if told := first_that_tells(text):
                    found[place.turn] = told
        for place, decided in reversed(self.sentences):
            found.setdefault(place.turn, decided[0])
        return found

    def _steps(self, turn: turns.Turn, number: int) -> None:
        began = turn.began
        for at, step in enumerate(turn.steps, self.at + 1):
            kind = type(step)
            if kind is turns.Call:
                act = Act(step, Place(at, number, began))  # type: ignore[arg-type]  # its class was just looked at
                self.acts.append(act)
                self._open[step.id] = act  # type: ignore[union-attr]  # as above
            elif kind is turns.Result:
                if (answered := self._open.get(step.id)) is not None:  # type: ignore[union-attr]  # as above
                    answered.result = step  # type: ignore[assignment]  # as above
                    answered.results += 1
            elif kind is turns.Said and (hear := _HEAR.get(step.who)) is not None:  # type: ignore[union-attr]  # as above
                hear(self, Place(at, number, began), step)
        self.at += len(turn.steps)


_HEAR: dict[str, Callable[[Laid, Place, Any], None]] = {
    turns.AGENT: lambda laid, place, said: laid.agent.append((place, said.text)),
    turns.HUMAN: lambda laid, place, said: laid.human.append((place, said)),
}
"""Whose words are laid out: neither what was thought nor what an agent summed up."""
