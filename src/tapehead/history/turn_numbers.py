"""One number for a turn, wherever it is told: that of the transcript.

The tape hears a prompt when it is typed. The transcript may put a prompt that was typed while the agent worked into the running turn, and it
may have turns that no hook heard of (hooks that came later, a fork). So what the tape counts is looked up among the prompts of the
history, in order, by their words.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from tapehead.history.database import Database, Unusable
from tapehead.history.recall import Recall
from tapehead.statemachine.vocabulary import Event
from tapehead.store.line import readable
from tapehead.store.sessions import StateStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_KNOWN_BY = 60
"""Letters that two records of a prompt share: the tape leaves the middle of a long one out, the history redacts."""
_BEGINS = Event.TURN_START.value.encode()
_EARLIER = timedelta(minutes=1)
"""How much earlier than the tape heard it a prompt may be dated."""


class Prompt(NamedTuple):
    """A prompt as the history has it."""

    turn: int
    time: str
    words: str


class TurnNumbers:
    """The numbers of one session's turns."""

    def __init__(self, starts: Sequence[Line], prompts: Sequence[Prompt]) -> None:
        self.starts, self.prompts = starts, prompts
        places = _places(starts, prompts)
        self.of_tape = dict(enumerate(_filled(places, starts, prompts), 1))
        """By the number that the tape counts, the number that a turn has in its transcript."""
        self._known = {turn for turn, place in enumerate(places, 1) if place is not None}

    def of(self, turn: int) -> int:
        """The number of a turn that the tape counts as this one."""
        return self.of_tape.get(turn, turn)

    def ended(self, turn: int, line: str) -> int:
        """The number of the turn that a line of the tape ended. The prompt of the next one may have been typed before."""
        number = self.of(turn)
        moment = _moment_of(line)
        if turn not in self._known or moment is None:
            return number
        begun = [prompt.turn for prompt in self.prompts if not _is_after(prompt.time, moment)]
        return min(number, max(begun, default=number))

    def asked(self, number: int) -> str:
        """What began a turn: the history's words, or the tape's where only that has them."""
        words = next((prompt.words for prompt in self.prompts if prompt.turn == number), "")
        heard = (self.starts[turn - 1].text("prompt") for turn, each in self.of_tape.items() if each == number)
        return words or next(heard, "")


def turn_numbers(layout: Layout, session_id: str) -> TurnNumbers:
    """The numbers of a session's turns, by its tape and the history."""
    lines = (raw for raw in StateStore(layout).lines(session_id)[0] if _BEGINS in raw)
    starts = [line for line in readable([*lines]) if line.event is Event.TURN_START]
    return TurnNumbers(starts, _prompts(layout, session_id))


def current_turn(layout: Layout, state: State) -> int:
    """The number of the turn that a session is in, or was in last."""
    numbers = turn_numbers(layout, state.session_id).of_tape
    return max(numbers.values(), default=0) if len(numbers) == state.turn_number else state.turn_number


def _places(starts: Sequence[Line], prompts: Sequence[Prompt]) -> list[int | None]:
    """Where the history has each prompt that the tape heard; None where it has it not, or not yet."""
    found: list[int | None] = []
    at = 0
    for start in starts:
        place = _place(start, prompts, at)
        found.append(place)
        at = at if place is None else place + 1
    return found


def _filled(places: list[int | None], starts: Sequence[Line], prompts: Sequence[Prompt]) -> list[int]:
    """With numbers for those without: before another that has one they are part of the turn before, after the last each is a new one."""
    last = max((n for n, place in enumerate(places) if place is not None), default=-1)
    told: list[int] = []
    before = 0 if last < 0 else max(0, prompts[0].turn - 1)
    for n, place in enumerate(places):
        begins = n > last and not _is_the_hosts(starts[n])
        before = before + begins if place is None else prompts[place].turn
        told.append(before)
    return told


def _place(start: Line, prompts: Sequence[Prompt], since: int) -> int | None:
    words = _beginning(start.text("prompt"))
    same = (n for n in range(since, len(prompts)) if words and _beginning(prompts[n].words) == words)
    return next((n for n in same if not _is_before(prompts[n].time, start.at)), None)


def _is_before(time: str, heard: datetime) -> bool:
    try:
        return datetime.fromisoformat(time) < heard - _EARLIER
    except (ValueError, TypeError):
        return False


def _is_after(time: str, moment: datetime) -> bool:
    try:
        return datetime.fromisoformat(time) > moment
    except (ValueError, TypeError):
        return False


def _moment_of(line: str) -> datetime | None:
    """When a line of the tape was written, to the microsecond: its id begins with it."""
    try:
        return datetime.fromtimestamp(int(line.partition("-")[0], 16) / 1_000_000_000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _is_the_hosts(start: Line) -> bool:
    """What begins no turn of the transcript: a bare command of the agent's own, or what the agent asked itself."""
    words = start.text("prompt").strip()
    return bool(start.text("asked_by")) or (words.startswith("/") and " " not in words)


def _beginning(words: str) -> str:
    return " ".join(words[:_KNOWN_BY].split())


def _prompts(layout: Layout, session_id: str) -> list[Prompt]:
    if not os.path.exists(layout.memory):
        return []
    try:
        with Database(layout.memory) as database:
            return [Prompt(*each) for each in Recall(database).prompts(session_id)]
    except Unusable:
        return []  # doctor says what is the matter with it
