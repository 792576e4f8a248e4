"""Gemini's session files for the memory: every step with its place, from where the last reading stopped.

A message may be written again with more in it, and a document always is: steps are named after what they are, so that what is told
twice is known. What the user took back was said all the same: it stays, and is marked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.gemini.living import Living
from tapehead.agents.gemini.messages import text_of
from tapehead.agents.gemini.places import project_of, whose
from tapehead.agents.gemini.session import Session, entries, is_document
from tapehead.agents.gemini.transcript import Telling
from tapehead.transcript.entries import found_in, word
from tapehead.transcript.recorded_steps import Batch, Cursor
from tapehead.transcript.step_recorder import AT_ONCE, Recording, checksum, head_of, resume_cursor
from tapehead.transcript.turns import Call, Result
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tapehead.transcript.turns import Step

_PROMPTS = 1_000
"""Prompts that can be taken back."""
_REMEMBERED = 100
"""Steps of which it is known that they were told: the agent writes its newest message again, not an old one."""


def follow(path: str, cursor: Cursor = Cursor(), *, final: bool = False, at_once: int = AT_ONCE) -> Iterator[Batch]:  # noqa: B008  a tuple
    """Yield what is new, in batches; of a document that has changed, all. With `final`, the last line may lack its end."""
    head = head_of(path)
    cursor = resume_cursor(path, cursor, head)
    since = at = cursor.offset
    following = _Following(path, Cursor() if is_document(path) else cursor, head)
    for at, entry in entries(path, since, final=final):
        following.hear(entry)
        if len(following.recording.steps) >= at_once and not is_document(path):
            yield following.batch(at)
    if at != since:
        yield following.batch(at)


class _Following:
    """The session, told step by step."""

    def __init__(self, path: str, cursor: Cursor, head: str) -> None:
        self.session = Session(from_start=cursor.offset == 0)
        self.telling = Telling(project_of(path) or cursor.about.get("cwd", ""))
        self.telling.context = cursor.carry.get("context", 0)
        self.recording = Recording(cursor, head)
        self.recording.origin, self.recording.subagent = whose(path)
        self.told: list[str] = list(cursor.carry.get("told", ()))
        asked, unanswered, cancelled = cursor.carry.get("living", ([], "", False))
        self.living = Living([list(one) for one in asked], unanswered=unanswered, cancelled=cancelled)

    def hear(self, entry: dict[str, Any]) -> None:
        """Read one line, or a whole document."""
        self.recording.take_back([turn for _, turn in self.living.leave(entry)])
        for message in found_in(self.session.take(entry)):
            self.recording.time = word(message, "timestamp") or self.recording.time
            self.recording.tell(model=word(message, "model"))
            ident = word(message, "id") or _named(message)
            for name, step in found_in(self.telling.steps(message)):
                if not isinstance(step, Usage):
                    self._add(name if isinstance(step, Call | Result) else f"{ident}/{name}", step)
            self.living.hear(message, self.recording.turn)

    def _add(self, source: str, step: Step) -> None:
        """Note a step, unless it was told a moment ago: a prompt that is written again begins no turn."""
        if source not in self.told:
            self.told = [*self.told[1 - _REMEMBERED :], source]
            self.recording.add(source, step)

    def batch(self, offset: int) -> Batch:
        """Hand over what was read up to a byte."""
        about = self.session.about
        session = self.recording.origin or word(about, "sessionId")
        self.recording.tell(session=session, cwd=self.telling.cwd, title=word(about, "summary"))
        living = [[list(one) for one in self.living.prompts[-_PROMPTS:]], self.living.unanswered, self.living.cancelled]
        return self.recording.batch(offset, {"told": self.told, "context": self.telling.context, "living": living})


def _named(message: dict[str, Any]) -> str:
    """Name a message that has no name."""
    return checksum(f"{word(message, 'timestamp')} {text_of(message.get('content'))}".encode(errors="replace"))
