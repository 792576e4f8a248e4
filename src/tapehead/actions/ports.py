"""What the actions need done, by whoever can: the engine plugs these in, tests plug in others, a replay plugs in none.

Each answers with what the tape is to remember of it, or None where there was nothing to do. A port that is None belongs to a
part that is not there: the action is then a word on the tape and nothing more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any, Protocol

    from tapehead.store.line import Line
    from tapehead.store.state import State

    Remembered = dict[str, Any] | None
else:
    Protocol = object  # making the classes below into real Protocols costs a hook 4 ms, and only mypy looks at them


class Briefs(Protocol):
    """The capture, and the agent's own summary."""

    def capture(self, state: State, line: Line) -> Remembered: ...

    def journal(self, state: State, line: Line) -> Remembered: ...

    def keep_summary(self, state: State, line: Line) -> Remembered: ...


class Transcripts(Protocol):
    """What was said and done, from where reading last stopped."""

    def ingest(self, state: State, line: Line) -> Remembered: ...


class Batons(Protocol):
    """Who the next start in a place inherits from."""

    def offer(self, state: State, line: Line) -> Remembered: ...

    def lease(self, state: State, line: Line) -> Remembered: ...

    def take(self, state: State, line: Line) -> Remembered: ...


class Checkpoints(Protocol):
    """The session in git."""

    def mark_lines(self, state: State, line: Line) -> Remembered: ...

    def snapshot(self, state: State, line: Line) -> Remembered: ...

    def condense(self, state: State, line: Line) -> Remembered: ...

    def retire(self, state: State, line: Line) -> Remembered: ...


class Ports(NamedTuple):
    """All of them."""

    briefs: Briefs | None = None
    transcripts: Transcripts | None = None
    batons: Batons | None = None
    checkpoints: Checkpoints | None = None
