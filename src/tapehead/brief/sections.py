"""The sections of a brief, in the order in which they are read, with what each is worth."""

from __future__ import annotations

from enum import IntEnum

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import NamedTuple

    from tapehead.work_record.facts import Digest
else:
    from tapehead.startup.named_tuple import NamedTuple


class Priority(IntEnum):
    """Which sections a start is given: the smaller, the sooner."""

    CRITICAL = 0
    HIGH = 1
    MEDIUM = 2
    LOW = 3
    ARCHIVE = 4


TITLES: dict[str, tuple[str, Priority]] = {
    "rules": ("Rules and choices of the user (newest first)", Priority.HIGH),
    "now": ("Now", Priority.CRITICAL),
    "open": ("Open", Priority.HIGH),
    "plan": ("From the plan, as given", Priority.HIGH),
    "before": ("Sessions before this one", Priority.HIGH),
    "asked": (
        "How the work went (oldest first; the user's words in “ ”, → the agent's, ⇢ a subagent's)",
        Priority.HIGH,
    ),
    "decided": ("Decided", Priority.HIGH),
    "errors": ("What failed, and what worked instead (newest first)", Priority.MEDIUM),
    "files": ("Last change of each file (newest first)", Priority.MEDIUM),
    "views": ("Where things are: names in play by file (last seen first)", Priority.MEDIUM),
    "commands": ("Commands and their last outcome (newest first)", Priority.MEDIUM),
    "earlier": ("Earlier, from the agent's own summary", Priority.MEDIUM),
    "refs": ("Refs", Priority.LOW),
    "project": ("Project", Priority.LOW),
    "archive": ("Archive", Priority.ARCHIVE),
}

WITHIN = {"answers": "asked"}
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


ALWAYS = 1e6
"""Worth more than any room: it is dropped only where it does not fit at all."""
A_SENTENCE, WHOLE = 300, 2_400
OF_THE_USER, PER_CHARACTER = 0.08, 0.04
"""What a character is worth beside what the text names: of the user's newest words, and of the best of everything else."""


def freshness_of(digest: Digest, at: int) -> float:
    """How new a step is, from 1 for the newest on."""
    return 1 / (1 + (digest.steps - at) / 30)
