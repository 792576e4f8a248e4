"""Records that are lines, each an entry by itself: read as turns, and followed for the memory. What an entry says is the agent's own affair.

Several agents write such records. Each gives a Telling, and gets from here what agents/readers.py asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript import jsonl, turns
from tapehead.transcript.entries import entry_of, found_in
from tapehead.transcript.recorded_steps import Batch, Cursor
from tapehead.transcript.step_recorder import AT_ONCE, Recording, checksum, head_of, resume_cursor
from tapehead.transcript.turn_cuts import Cutting
from tapehead.transcript.turns import Call, Result
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Entry = dict[str, Any]
    Named = Iterator[tuple[str, turns.Step | Usage]]

_TAIL = 512 * 1024


class Telling:
    """What the entries said so far of the session, and what the next one says. An agent's own derives from this."""

    def __init__(self, session: str = "", known: dict[str, Any] | None = None) -> None:
        self.session = session
        self.known = {} if known is None else known
        """What must be remembered from entry to entry: JSON can hold it."""
        self.subagent = ""
        self.time = self.cwd = self.branch = self.model = self.title = ""

    def meet(self, entry: Entry) -> None:
        """Learn from the first entry whose record it is, wherever in it the reading begins."""

    def ident(self, entry: Entry) -> str:
        """Give the agent's own name for an entry; nothing where it has none."""
        raise NotImplementedError

    def steps(self, entry: Entry) -> Named:
        """Give what was said and done, each step with a name that is its own within the entry."""
        raise NotImplementedError


class Lines:
    """The functions that agents/readers.py wants of an agent, for one whose record is lines."""

    def __init__(self, telling: Callable[[str, dict[str, Any]], Telling]) -> None:
        self.telling = telling

    def read(self, path: str, offset: int = 0) -> turns.Reading:
        """Read everything from a byte on: `.turns`, and `.offset`, the byte after the last whole line."""
        conversation = _Conversation(self._begun(path, {}))
        at = max(0, offset)
        told: list[turns.Turn] = []
        for at, line in jsonl.lines(path, offset, final=True):  # noqa: B007  where it stopped is part of the answer
            told += conversation.take(line)
        return turns.Reading((*told, *conversation.end()), at)

    def skim(self, path: str, offset: int = 0) -> Iterator[turns.Turn]:
        """Yield the turns for a work record, one at a time; thinking is left out."""
        conversation = _Conversation(self._begun(path, {}))
        for _, line in jsonl.lines(path, offset, final=True):
            yield from map(_without_thoughts, conversation.take(line))
        yield from map(_without_thoughts, conversation.end())

    def newest(self, path: str, length: int = _TAIL) -> turns.Reading:
        """Read only the end: the last prompts and the last reply, at the same cost whatever the size."""
        return self.read(path, jsonl.tail(path, length))

    def follow(
        self,
        path: str,
        cursor: Cursor = Cursor(),  # noqa: B008  a tuple
        *,
        final: bool = False,
        at_once: int = AT_ONCE,
    ) -> Iterator[Batch]:
        """Yield what is new, in batches. With `final`, the last line may lack its end."""
        head = head_of(path)
        cursor = resume_cursor(path, cursor, head)
        following = _Following(self._begun(path, dict(cursor.carry.get("known", {}))), Recording(cursor, head))
        since = at = cursor.offset
        for at, line in jsonl.lines(path, since, final=final):
            following.hear(line)
            if len(following.recording.steps) >= at_once:
                yield following.batch(at)
        if at != since:
            yield following.batch(at)

    def _begun(self, path: str, known: dict[str, Any]) -> Telling:
        telling = self.telling(path, known)
        telling.meet(next((entry_of(line) for _, line in jsonl.lines(path, final=True)), {}))
        return telling


class _Conversation:
    """The turn that is being read."""

    def __init__(self, telling: Telling) -> None:
        self.telling = telling
        self.cutting = Cutting(telling.subagent)
        self.end = self.cutting.end

    def take(self, line: bytes) -> Iterator[turns.Turn]:
        about = self.telling
        found = [step for _, step in found_in(about.steps(entry_of(line)))]
        yield from self.cutting.take(found, (about.time, about.session, about.branch, about.cwd))


class _Following:
    """The session, told step by step."""

    def __init__(self, telling: Telling, recording: Recording) -> None:
        self.telling, self.recording = telling, recording
        self.recording.origin, self.recording.subagent = telling.session, telling.subagent

    def hear(self, line: bytes) -> None:
        entry = entry_of(line)
        ident = self.telling.ident(entry) or checksum(line)
        for name, step in found_in(self.telling.steps(entry)):
            self.recording.time = self.telling.time or self.recording.time
            if not isinstance(step, Usage):
                self.recording.add(name if isinstance(step, Call | Result) else f"{ident}/{name}", step)

    def batch(self, offset: int) -> Batch:
        about = self.telling
        self.recording.tell(
            session=about.session, cwd=about.cwd, branch=about.branch, model=about.model, title=about.title
        )
        return self.recording.batch(offset, {"known": about.known})


def _without_thoughts(turn: turns.Turn) -> turns.Turn:
    kept = (step for step in turn.steps if not (isinstance(step, turns.Said) and step.who == turns.THINKING))
    return turn._replace(steps=tuple(kept))
