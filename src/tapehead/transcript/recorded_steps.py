"""A transcript as the memory takes it in: step by step, each with where it stands, and from where the last reading stopped.

Turns (turns.py) are for those who want the brief. Here nothing is left out, nothing is held until a turn is over, and every step has
an id that is the same whenever its line is read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

    from tapehead.transcript.turns import Step

SYSTEM = "system"
"""Words of the host: notices, reminders, local commands, errors. A `Said` of a speaker that turns do not have."""
HOOK = "hook"
"""Words that a hook put into the conversation, or said beside it."""
IMAGE = "image"
"""A note that there was an image."""
TAKEN_BACK = "taken back"
"""A mark on a turn, made by a reader: the user took the turn back."""


class Recorded(NamedTuple):
    """A step, and its place in the agent's record."""

    source: str
    """The agent's id of the line and the number of the step in it. Where a line has no id, a checksum of it."""
    turn: int
    """Counted over the whole session: 1 is the first prompt, 0 is what came before it."""
    time: str
    """As the agent wrote it; the last one known where a line has none; empty at the very worst."""
    step: Step
    origin: str = ""
    """The session that the line names. A resumed session's file may begin with lines of the one it goes on from."""
    subagent: str = ""


class Cursor(NamedTuple):
    """Where a reading stopped, with what the next one must know. All of it can be written as JSON."""

    offset: int = 0
    turn: int = 0
    about: dict[str, Any] = {}  # noqa: RUF012  never changed: the same empty one serves all
    """What the file says of its session: `cwd` (the first: an agent walks), and the newest `branch`, `model`, `version`, `title`, `session`."""
    carry: dict[str, Any] = {}  # noqa: RUF012
    """The reader's own memory from line to line; nobody else looks into it."""


class Batch(NamedTuple):
    """Some steps, and the cursor after them: whoever keeps both in one stroke reads nothing twice and loses nothing."""

    steps: list[Recorded]
    cursor: Cursor
