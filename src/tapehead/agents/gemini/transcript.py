"""Gemini's session files as turns: what was written again counts as it was written last.

The turn after others that the user took back says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.gemini.living import Living
from tapehead.agents.gemini.messages import steps
from tapehead.agents.gemini.places import project_of, whose
from tapehead.agents.gemini.prompts import workspace
from tapehead.agents.gemini.session import Session, entries, is_document
from tapehead.transcript import jsonl, turns
from tapehead.transcript.entries import found_in, within, word
from tapehead.transcript.recorded_steps import SYSTEM
from tapehead.transcript.turn_cuts import Cutting
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_TAIL = 512 * 1024


def read(path: str, offset: int = 0) -> turns.Reading:
    """Read everything from a byte on: `.turns`, and `.offset`, the byte after the last whole line, or a document's size."""
    reading, goes_back = _read(path, offset)
    if not goes_back or offset <= 0:
        return reading
    told = Told(path, from_start=True)  # what is left behind stands before the part that was asked for
    for at, entry in entries(path):
        told.take(entry, at)
        if at >= reading.offset:
            break
    return turns.Reading(tuple(told.turns(offset)), reading.offset)


def _read(path: str, offset: int) -> tuple[turns.Reading, bool]:
    """Read from a byte on; and whether something in it may reach back behind that byte."""
    told = Told(path, from_start=offset <= 0 or is_document(path))
    at = max(0, offset)
    for at, entry in entries(path, offset):
        told.take(entry, at)
    return turns.Reading(tuple(told.turns()), at), told.goes_back and not is_document(path)


def skim(path: str, offset: int = 0) -> Iterator[turns.Turn]:
    """Yield the turns of a file for a work record, one at a time; thinking is left out."""
    for turn in read(path, offset).turns:
        yield turn._replace(steps=tuple(step for step in turn.steps if not _is_thought(step)))


def newest(path: str, length: int = _TAIL) -> turns.Reading:
    """Read only the end of a file: the last prompts and the last reply, at the same cost whatever its size."""
    return _read(path, 0 if is_document(path) else jsonl.tail(path, length))[0]


def _is_thought(step: turns.Step) -> bool:
    return isinstance(step, turns.Said) and step.who == turns.THINKING


class Told:
    """The messages of a file as they stand after its last line."""

    def __init__(self, path: str, *, from_start: bool) -> None:
        self.session = Session(from_start=from_start)
        self.messages: dict[str, dict[str, Any]] = {}
        self.written: dict[str, int] = {}
        """The byte after the line that a message was last written in."""
        self.living = Living()
        self.gone: set[str] = set()
        """The prompts that the user took back."""
        self.goes_back = False
        self.ident, self.subagent = whose(path)
        self.cwd = project_of(path)

    def take(self, entry: dict[str, Any], at: int) -> None:
        """Take one line in, with the byte after it."""
        self.goes_back = self.goes_back or "$rewindTo" in entry or bool(within(entry, "$set").get("messages"))
        self.gone.update(ident for ident, _ in self.living.leave(entry))
        for message in found_in(self.session.take(entry)):
            ident = word(message, "id") or f"#{len(self.messages)}"
            self.messages[ident] = message
            self.written[ident] = at
            self.living.hear(message)

    def turns(self, since: int = 0) -> Iterator[turns.Turn]:
        """Tell the conversation, or what was written after a byte of it."""
        ident = self.ident or word(self.session.about, "sessionId")
        cutting = Cutting(self.subagent)
        telling = Telling(self.cwd)
        left: list[str] = []
        for name, message in self.messages.items():
            found = [step for _, step in found_in(telling.steps(message))]
            time, asks = (
                word(message, "timestamp"),
                any(isinstance(one, turns.Said) and one.who == turns.HUMAN for one in found),
            )
            is_new = self.written[name] > since
            if is_new:
                yield from cutting.take(found, (time, ident, "", telling.cwd))
            if asks and name in self.gone:
                left.append(time)
            elif asks and left:
                if is_new:
                    cutting.building.drops, cutting.building.drops_since = len(left), left[0]
                left = []
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
