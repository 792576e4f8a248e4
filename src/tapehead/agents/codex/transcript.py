"""Codex's rollouts as turns.

What a rollout goes on from is read in other ones: the thread that a fork copied, or the same thread before the user went back in it.
What they took back stays in the conversation, and the turn that came instead says so.
"""

from __future__ import annotations

import os.path
import sys
from typing import TYPE_CHECKING

from tapehead.agents.codex.places import ident_of, meta_of, rollout_of, rollouts_of, thread_of
from tapehead.agents.codex.rollout import Rollout
from tapehead.transcript import jsonl, turns
from tapehead.transcript.entries import count, entry_of, found_in, within, word
from tapehead.transcript.turn_cuts import Cutting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LATELY = 400_000
"""How many of the newest bytes are read whole by `skim`: more than any window of a turn needs."""
_LONG = 3_000
"""A tool's output beyond this is left out by `skim` where it is old."""
_TAIL = 512 * 1024
_BEGINNING = 300
"""Bytes at the beginning of a line in which what kind of line it is stands."""
REPEATED = (
    b'"type":"world_state"',
    b'"type":"agent_message"',
    b'"type":"user_message"',
    b'"type":"token_usage_record"',
)
_THOUGHT = (b'"type":"reasoning"', b'"type":"agent_reasoning"')
_OUTPUT = (b'_call_output"',)
_WENT_WELL = (b"Process exited with code 0\\n", b"Exit code: 0\\n", b"Script completed\\n")
_FORKS = 20
"""Forks of forks that are followed back: a chain that is longer is a circle."""


def version(path: str) -> str:
    """Tell the client's version, as the rollout's first line says."""
    return word(meta_of(path), "cli_version")


def read(path: str, offset: int = 0) -> turns.Reading:
    """Read everything from a byte on: `.turns`, and `.offset`, the byte after the last whole line."""
    return _between(path, offset, sys.maxsize)


def between(path: str, offset: int, until: int, wants: Callable[[turns.Call], bool]) -> turns.Reading:  # noqa: ARG001  one shape for all
    """Read the part between two bytes once more."""
    return _between(path, offset, until)


def _between(path: str, offset: int, until: int) -> turns.Reading:
    conversation, earlier = _Conversation(path), Earlier()
    at = max(0, offset)
    told = [] if offset > 0 else [*earlier.told(path)]
    conversation.goes_on_after(earlier)
    for end, line in jsonl.lines(path, offset, final=True):
        if end > until:
            break
        at = end
        told += conversation.take(line)
    return turns.Reading((*told, *conversation.end()), at)


def skim(path: str, offset: int = 0) -> Iterator[turns.Turn]:
    """Yield the turns of a file for a work record, one at a time; thinking and the text of old long outputs are left out."""
    conversation, earlier = _Conversation(path), Earlier()
    old = jsonl.size(path) - LATELY
    if offset <= 0:
        yield from earlier.told(path)
    conversation.goes_on_after(earlier)
    for at, line in jsonl.lines(path, offset, final=True):
        if not starts(line, _THOUGHT):
            yield from conversation.take(line, old=at < old)
    yield from conversation.end()


def newest(path: str, length: int = _TAIL) -> turns.Reading:
    """Read only the end of a file: the last prompts and the last reply, at the same cost whatever its size."""
    return read(path, jsonl.tail(path, length))


class _Conversation:
    """The turn that is being read, and where it is worked on."""

    def __init__(self, path: str) -> None:
        self.rollout = begun(path)
        self.cutting = Cutting(self.rollout.subagent)
        self.end = self.cutting.end

    def goes_on_after(self, earlier: Earlier) -> None:
        """Count on from turns that were told before; the next one takes back what is not part of the conversation any more."""
        building = self.cutting.building
        building.number = len(earlier.began)
        building.drops, building.drops_since = earlier.dropped

    @property
    def begun(self) -> int:
        """How many turns were begun, those before this file included."""
        return self.cutting.building.number + bool(self.cutting.building.steps)

    def take(self, line: bytes, *, old: bool = False) -> Iterator[turns.Turn]:
        """Read one line; yield the turn that it ends, if it ends one."""
        if starts(line, REPEATED):
            return
        if old and len(line) > _LONG and (result := self._left_out(line)):
            self.cutting.building.add(result)
            return
        # Where it is worked on may be said in this very line, so the place is asked for after it was read.
        found = found_in(self.rollout.take(entry_of(line)))
        about = self.rollout
        yield from self.cutting.take(found, (about.time, about.session, about.branch, about.cwd))

    def _left_out(self, line: bytes) -> turns.Result | None:
        """Tell an old long output by its id alone, without parsing it: an unescaped key cannot stand inside a string."""
        if not starts(line, _OUTPUT) or not any(mark in line[: 2 * _BEGINNING] for mark in _WENT_WELL):
            return None
        at = line.find(b'"call_id":"') + len(b'"call_id":"')
        ident = line[at : line.find(b'"', at)].decode(errors="replace")
        return None if self.rollout.doing.expects(ident) else turns.Result(ident, "", left_out=len(line))


def begun(path: str, known: dict[str, Any] | None = None, *, echo: bool = True) -> Rollout:
    """Give a reader that knows whose file it is, wherever in it the reading begins."""
    rollout = Rollout(known, echo=echo)
    found_in(rollout.meta(meta_of(path)))  # no step is in it
    rollout.session = rollout.session or thread_of(path)
    return rollout


def starts(line: bytes, marks: tuple[bytes, ...]) -> bool:
    """Whether one of the marks stands at the beginning of a line, where what kind of line it is stands."""
    return any(line.find(mark, 0, _BEGINNING) >= 0 for mark in marks)


class Earlier:
    """What a rollout goes on from, told from other ones."""

    def __init__(self) -> None:
        self.began: list[str] = []
        """When each turn began that was told so far."""
        self.dropped = (0, "")
        """How many of the last of them the next rollout leaves behind, and when the first of those began."""
        self._begun: dict[str, list[tuple[int, int]]] = {}
        """For each rollout that was read: up to which byte how many turns were begun."""

    def told(self, path: str, depth: int = 0) -> Iterator[turns.Turn]:
        """Yield the turns before a rollout: those of its thread so far, which may be a fork, and of the thread that this copied."""
        base = within(meta_of(path), "history_base")
        if not base or depth >= _FORKS:
            return
        parent = rollout_of(word(base, "thread_id"), path)
        if not parent or os.path.samefile(parent, path):
            return
        end = count(base, "end_byte_offset") or sys.maxsize
        if thread_of(parent) != thread_of(path):
            yield from self.told(parent, depth + 1)
            yield from self._read(parent, end)
            return
        for each in self._before(path):
            if not self._begun:
                yield from self.told(each, depth + 1)  # the thread itself may be a fork
            else:
                self._go_back(within(meta_of(each), "history_base"))
            yield from self._read(each, sys.maxsize)
        self._go_back(base)

    @staticmethod
    def _before(path: str) -> list[str]:
        """The rollouts of the same thread that were begun before this one."""
        every = rollouts_of(thread_of(path), path)
        return every[: next((n for n, each in enumerate(every) if os.path.samefile(each, path)), 0)]

    def _go_back(self, base: dict[str, Any]) -> None:
        """Note what is left behind by a rollout that goes on from a byte of another one."""
        begun, end = self._begun.get(word(base, "thread_id"), []), count(base, "end_byte_offset")
        kept = max(number for at, number in begun if at <= end) if begun and end else len(self.began)
        self.dropped = (len(self.began) - kept, self.began[kept]) if kept < len(self.began) else (0, "")

    def _read(self, path: str, until: int) -> Iterator[turns.Turn]:
        conversation = _Conversation(path)
        conversation.goes_on_after(self)
        self.dropped = (0, "")
        begun = self._begun[ident_of(path)] = [(0, conversation.begun)]
        for at, line in jsonl.lines(path):
            if at > until:
                break
            yield from self._noted(conversation.take(line))
            if conversation.begun > begun[-1][1]:
                begun.append((at, conversation.begun))
        yield from self._noted(conversation.end())

    def _noted(self, told: Iterator[turns.Turn]) -> Iterator[turns.Turn]:
        for turn in told:
            self.began.append(turn.began)
            yield turn
