"""How much has come in since notes were last written, in a few numbers: whether they are due again is known without anything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.text.checksum import checksum
from tapehead.transcript.turns import Call
from tapehead.transcript.window_use import contexts, estimate

if TYPE_CHECKING:
    from tapehead.settings.loading import Settings
    from tapehead.statemachine.vocabulary import Phase
    from tapehead.transcript.turns import Reading

_NEVER = -1


class Counted(NamedTuple):
    """Numbers only, so that they fit where they can be changed alone."""

    file: int = 0
    """A checksum of the transcript's path."""
    known: int = 0
    """The byte up to which the notes know it."""
    offset: int = 0
    """The byte up to which it is counted here."""
    context: int = 0
    """How full the window was after the last turn."""
    tokens: int = 0
    calls: int = 0
    tokens_then: int = _NEVER
    """As many as there were when the notes were last written."""
    calls_then: int = 0

    def grown(self, reading: Reading) -> Counted:
        """What has come in with these turns: by the agent's own counts, or where it has none, by estimate."""
        counted, dropped = contexts(reading.turns)
        before = 0 if dropped else self.context
        tokens = sum(max(0, b - a) for a, b in zip((before, *counted), counted, strict=False))
        if not counted and not any(turn.usage.messages for turn in reading.turns):
            tokens = estimate(reading.turns)
        calls = sum([*map(type, turn.steps)].count(Call) for turn in reading.turns if not turn.subagent)
        context = counted[-1] if counted else before
        return Counted(
            self.file,
            self.known,
            reading.offset,
            context,
            self.tokens + tokens,
            self.calls + calls,
            self.tokens_then,
            self.calls_then,
        )

    def is_due(self, phase: Phase, settings: Settings) -> bool:
        """Whether enough has come: tokens, and then either calls or a pause. What is over is written down to its end."""
        if self.tokens_then == _NEVER:
            return self.tokens >= settings.number("notes.first")
        if phase.is_closed and self.tokens > self.tokens_then:
            return True
        enough = self.tokens - self.tokens_then >= settings.number("notes.step")
        return enough and (not phase.is_working or self.calls - self.calls_then >= settings.number("notes.calls"))

    def may_be_due(self, used: int, settings: Settings) -> bool:
        """The same by how full the window is, of which the state knows without anything being read."""
        come = used - (self.context if used >= self.context else 0)
        needed = "notes.first" if self.tokens_then == _NEVER else "notes.step"
        return self.tokens + come - max(0, self.tokens_then) >= settings.number(needed)

    def written(self) -> Counted:
        """The numbers after the notes were written."""
        return self._replace(tokens_then=self.tokens, calls_then=self.calls)


def read_counts(numbers: object, path: str) -> Counted:
    """What was counted of this transcript; of another one, nothing is known, but what came in before stays counted."""
    if not isinstance(numbers, list) or len(numbers) != len(Counted._fields) or {*map(type, numbers)} != {int}:
        return Counted(checksum(path))
    found, file = Counted(*numbers), checksum(path)
    return found if found.file == file else found._replace(file=file, known=0, offset=0)
