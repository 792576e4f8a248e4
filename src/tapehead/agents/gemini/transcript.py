"""Gemini's session files as turns: what was rewound is gone, and what was written again counts as it was written last."""

from __future__ import annotations

from tapehead.agents.gemini.messages import steps
from tapehead.agents.gemini.places import project_of, whose
from tapehead.agents.gemini.prompts import workspace
from tapehead.agents.gemini.session import Session, entries, is_document
from tapehead.transcript import jsonl, turns
from tapehead.transcript.cutting import Cutting
from tapehead.transcript.entries import found_in, word
from tapehead.transcript.recorded import SYSTEM
from tapehead.transcript.usage import Usage

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_TAIL = 512 * 1024


def read(path: str, offset: int = 0) -> turns.Reading:
    """Read everything from a byte on: `.turns`, and `.offset`, the byte after the last whole line, or a document's size."""
    told = Told(path, from_start=offset <= 0 or is_document(path))
    at = max(0, offset)
    for at, entry in entries(path, offset):  # noqa: B007  where it stopped is part of the answer
        told.take(entry)
    return turns.Reading(tuple(told.turns()), at)


def skim(path: str, offset: int = 0) -> Iterator[turns.Turn]:
    """Yield the turns of a file for a digest, one at a time; thinking is left out."""
    for turn in read(path, offset).turns:
        yield turn._replace(steps=tuple(step for step in turn.steps if not _is_thought(step)))


def newest(path: str, length: int = _TAIL) -> turns.Reading:
    """Read only the end of a file: the last prompts and the last reply, at the same cost whatever its size."""
    return read(path, 0 if is_document(path) else jsonl.tail(path, length))


def _is_thought(step: turns.Step) -> bool:
    return isinstance(step, turns.Said) and step.who == turns.THINKING


class Told:
    """The messages of a file as they stand after its last line."""

    def __init__(self, path: str, *, from_start: bool) -> None:
        self.session = Session(from_start=from_start)
        self.messages: dict[str, dict[str, Any]] = {}
        self.ident, self.subagent = whose(path)
        self.cwd = project_of(path)

    def take(self, entry: dict[str, Any]) -> None:
        """Take one line in."""
        if isinstance(entry.get("$rewindTo"), str):
            self._rewind(entry["$rewindTo"])
        for message in found_in(self.session.take(entry)):
            self.messages[word(message, "id") or f"#{len(self.messages)}"] = message

    def _rewind(self, ident: str) -> None:
        """The person went back to before a message; one that is unknown means to the beginning, as the host has it."""
        if ident not in self.messages:
            self.messages.clear()
        while self.messages and self.messages.popitem()[0] != ident:
            pass

    def turns(self) -> Iterator[turns.Turn]:
        """Tell the story."""
        ident = self.ident or word(self.session.about, "sessionId")
        cutting = Cutting(self.subagent)
        telling = Telling(self.cwd)
        for message in self.messages.values():
            found = [step for _, step in found_in(telling.steps(message))]
            yield from cutting.take(found, (word(message, "timestamp"), ident, "", telling.cwd))
        yield from cutting.end()


class Telling:
    """Messages one after another: a call and its answer stand in several, and count once."""

    def __init__(self, cwd: str = "") -> None:
        self.cwd = cwd
        self.context = 0
        self.told: set[str] = set()

    def steps(self, message: dict[str, Any]) -> Iterator[tuple[str, turns.Step | Usage]]:
        """Give what is new in a message, each step with its name."""
        for name, step in steps(message):
            if isinstance(step, turns.Call | turns.Result):
                if name in self.told:
                    continue
                self.told.add(name)
            yield name, self._placed(step)

    def _placed(self, step: turns.Step | Usage) -> turns.Step | Usage:
        if isinstance(step, Usage):
            self.context = step.context
        elif isinstance(step, turns.Boundary):
            return turns.Boundary(step.trigger, self.context)
        elif isinstance(step, turns.Said) and step.who == SYSTEM:
            self.cwd = self.cwd or workspace(step.text)
        return step
