"""Codex's rollouts for the memory: every step with its place, from where the last reading stopped.

What a fork inherited is not told again: it is in the memory of the session that it comes from, which `about` names. Where the user went
back, the turns count on from those of the thread's earlier rollouts, and what they left behind is marked as taken back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.codex.places import meta_of, thread_of
from tapehead.agents.codex.transcript import REPEATED, Earlier, begun, starts
from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, first_word, found_in, within, word
from tapehead.transcript.recorded_steps import Batch, Cursor
from tapehead.transcript.step_recorder import AT_ONCE, Recording, checksum, head_of, resume_cursor
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def follow(path: str, cursor: Cursor = Cursor(), *, final: bool = False, at_once: int = AT_ONCE) -> Iterator[Batch]:  # noqa: B008  a tuple
    """Yield what is new, in batches. `final` says that nobody writes the file any more: a line may then lack its end."""
    head = head_of(path)
    cursor = resume_cursor(path, cursor, head)
    following = _Following(path, cursor, head)
    at = cursor.offset
    for at, line in jsonl.lines(path, cursor.offset, final=final):
        following.hear(line)
        if len(following.recording.steps) >= at_once:
            yield following.batch(at)
    if at != cursor.offset:
        yield following.batch(at)


class _Following:
    """The rollout, told step by step."""

    def __init__(self, path: str, cursor: Cursor, head: str) -> None:
        self.rollout = begun(path, cursor.carry.get("known"), echo=False)
        self.recording = Recording(cursor, head)
        self.recording.subagent = self.rollout.subagent
        self.recording.origin = self.rollout.session
        self.recording.tell(forked_from=word(meta_of(path), "forked_from_id"))
        if "known" not in cursor.carry:
            self._goes_back(path)

    def _goes_back(self, path: str) -> None:
        """Count on from the thread's earlier rollouts, and mark what this one leaves behind."""
        meta = meta_of(path)
        if not within(meta, "history_base"):
            return
        earlier, recording = Earlier(), self.recording
        recording.turn = sum(turn.session == thread_of(path) for turn in earlier.told(path))
        recording.time = recording.time or word(meta, "timestamp")
        recording.take_back(range(max(0, recording.turn - earlier.dropped[0]) + 1, recording.turn + 1))

    def hear(self, line: bytes) -> None:
        """Read one line."""
        if starts(line, REPEATED):
            return
        entry = entry_of(line)
        steps = [step for step in found_in(self.rollout.take(entry)) if not isinstance(step, Usage)]
        self.recording.time = self.rollout.time or self.recording.time
        source = _source(entry, line) if steps else ""
        for number, step in enumerate(steps):
            self.recording.add(f"{source}/{number}", step)

    def batch(self, offset: int) -> Batch:
        """Hand over what was read up to a byte."""
        about = self.rollout
        self.recording.tell(
            session=about.session, cwd=about.cwd, branch=about.branch, model=about.model, version=about.version
        )
        kept = {key: dict(one) if isinstance(one, dict) else one for key, one in about.known.items()}
        return self.recording.batch(offset, {"known": kept})


def _source(entry: dict[str, Any], line: bytes) -> str:
    """Name a line: newer versions bring old files into a new shape, and ids and times are what stays the same."""
    payload: dict[str, Any] = within(entry, "payload") or entry
    ident = first_word(payload, "id", "call_id")
    named = f"{word(entry, 'timestamp')} {word(payload, 'type')} {ident}".encode(errors="replace")
    return checksum(named if ident else line)
