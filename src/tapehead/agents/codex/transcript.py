"""Codex's rollouts as turns. A fork goes on from another rollout, and what it inherited is read there."""

from __future__ import annotations

import os.path
import sys

from tapehead.agents.codex.places import meta_of, rollout_of, thread_of
from tapehead.agents.codex.rollout import Rollout
from tapehead.transcript import jsonl, turns
from tapehead.transcript.cutting import Cutting
from tapehead.transcript.entries import count, entry_of, found_in, within, word

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
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


def read(path: str, offset: int = 0) -> turns.Reading:
    """Read everything from a byte on: `.turns`, and `.offset`, the byte after the last whole line."""
    return _between(path, offset, sys.maxsize)


def between(path: str, offset: int, until: int, wants: Callable[[turns.Call], bool]) -> turns.Reading:  # noqa: ARG001  one shape for all
    """Read the part between two bytes once more."""
    return _between(path, offset, until)


def _between(path: str, offset: int, until: int) -> turns.Reading:
    story = _Story(path)
    at = max(0, offset)
    told = [] if offset > 0 else list(_inherited(path))
    story.goes_on_after(len(told))
    for end, line in jsonl.lines(path, offset, final=True):
        if end > until:
            break
        at = end
        told += story.take(line)
    return turns.Reading((*told, *story.end()), at)


def skim(path: str, offset: int = 0) -> Iterator[turns.Turn]:
    """Yield the turns of a file for a digest, one at a time; thinking and the text of old long outputs are left out."""
    story = _Story(path)
    old = jsonl.size(path) - LATELY
    for number, turn in enumerate(() if offset > 0 else _inherited(path)):
        story.goes_on_after(number + 1)
        yield turn
    for at, line in jsonl.lines(path, offset, final=True):
        if not starts(line, _THOUGHT):
            yield from story.take(line, old=at < old)
    yield from story.end()


def newest(path: str, length: int = _TAIL) -> turns.Reading:
    """Read only the end of a file: the last prompts and the last reply, at the same cost whatever its size."""
    return read(path, jsonl.tail(path, length))


class _Story:
    """The turn that is being read, and where it is worked on."""

    def __init__(self, path: str) -> None:
        self.rollout = begun(path)
        self.cutting = Cutting(self.rollout.subagent)
        self.end = self.cutting.end

    def goes_on_after(self, number: int) -> None:
        """Count on from turns that were told before."""
        self.cutting.building.number = number

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


def _inherited(path: str, depth: int = 0) -> Iterator[turns.Turn]:
    """Yield what a fork took over: the first lines of another rollout, which may be a fork itself."""
    base = within(meta_of(path), "history_base")
    parent = rollout_of(word(base, "thread_id"), path) if depth < _FORKS else ""
    if not parent or os.path.samefile(parent, path):
        return
    story = _Story(parent)
    for number, turn in enumerate(_inherited(parent, depth + 1)):
        story.goes_on_after(number + 1)
        yield turn
    for at, line in jsonl.lines(parent):
        if at > (count(base, "end_byte_offset") or at):
            break
        yield from story.take(line)
    yield from story.end()
