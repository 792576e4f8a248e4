"""The sections of a brief, in the order in which they are read, with what each is worth."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tapehead.work_record.facts import WorkRecord


class Priority(IntEnum):
    """Which sections a start is given: the smaller, the sooner."""

    CRITICAL = 0
    HIGH = 1
    MEDIUM = 2
    LOW = 3
    ARCHIVE = 4


TITLES: dict[str, tuple[str, Priority]] = {
    "rules": ("Rules and choices of the user", Priority.HIGH),
    "now": ("Now", Priority.CRITICAL),
    "open": ("Open", Priority.HIGH),
    "plan": ("From the plan, as given (the course may have left it)", Priority.HIGH),
    "before": ("Sessions before this one", Priority.HIGH),
    "asked": ("Course (“user”, → agent, ⇢ subagent)", Priority.HIGH),
    "decided": ("Decided", Priority.HIGH),
    "errors": ("Failed, and what worked instead", Priority.MEDIUM),
    "files": ("Last changes", Priority.MEDIUM),
    "views": ("Files in view (:line)", Priority.MEDIUM),
    "commands": ("Commands and their last outcome", Priority.MEDIUM),
    "earlier": ("From the agent's earlier summary", Priority.MEDIUM),
    "refs": ("Refs", Priority.LOW),
    "project": ("Project", Priority.LOW),
    "archive": ("Archive", Priority.ARCHIVE),
}
LEGEND = "(t5: turn 5. The course is told oldest first, later lines overrule earlier ones; lists newest first.)"
SHORT_LEGEND = "(t5: turn 5; lists newest first)"
"""Said once, under the head: how all sections are to be read."""

WITHIN = {"answers": "asked", "written": "decided"}
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
EVERYTHING = 100_000
"""Characters from which on a text is asked for with all that there is: then no list says how many more there are."""
OF_THE_USER, PER_CHARACTER = 0.08, 0.04
"""What a character is worth beside what the text names: of the user's newest words, and of the best of everything else."""


def freshness_of(record: WorkRecord, at: int) -> float:
    """How new a step is, from 1 for the newest on."""
    return 1 / (1 + (record.steps - at) / 30)
