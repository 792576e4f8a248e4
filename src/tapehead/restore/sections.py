"""The sections of a brief, in the order in which they are read, with what each is worth."""

from __future__ import annotations

from enum import IntEnum

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from tapehead.transcript.named import NamedTuple


class Priority(IntEnum):
    """Which sections a start is given: the smaller, the sooner."""

    CRITICAL = 0
    HIGH = 1
    MEDIUM = 2
    LOW = 3
    ARCHIVE = 4


TITLES: dict[str, tuple[str, Priority]] = {
    "now": ("Now", Priority.CRITICAL),
    "open": ("Open", Priority.HIGH),
    "rules": ("The person's rules", Priority.HIGH),
    "plan": ("From the plan, as given", Priority.HIGH),
    "asked": ("Asked before", Priority.HIGH),
    "before": ("Sessions before this one", Priority.HIGH),
    "decided": ("Decided and found", Priority.HIGH),
    "made": ("Last calls, as made", Priority.MEDIUM),
    "files": ("Files in play", Priority.MEDIUM),
    "commands": ("Commands", Priority.MEDIUM),
    "errors": ("Errors", Priority.MEDIUM),
    "earlier": ("Earlier, by the host's summary", Priority.MEDIUM),
    "refs": ("Refs", Priority.LOW),
    "project": ("Project", Priority.LOW),
    "archive": ("Archive", Priority.ARCHIVE),
}

WITHIN = {"lines": "files", "answers": "asked"}
"""Lines that stand under another line of a section."""

REACH: dict[str, Priority] = {
    "startup": Priority.HIGH,
    "compact": Priority.MEDIUM,
    "resume": Priority.MEDIUM,
    "clear": Priority.MEDIUM,
    "full": Priority.ARCHIVE,
}


class Item(NamedTuple):
    """One line that may be handed back, whole or not at all."""

    section: str
    text: str
    worth: float
    """What it is worth by itself; what it names comes on top."""
    order: float = 0.0
    """Where it stands in its section: the smaller, the earlier."""
    under: str = ""
    """The line that must stand above it (a file, for a line of that file)."""
