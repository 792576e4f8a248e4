"""What a start is told of the durable memory: the index, the most useful first, and never more than its share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.tokens.estimate import room

if TYPE_CHECKING:
    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

TOKENS = 300
_HEAD = "## Remembered across sessions"
_LINE = 200


def is_there(layout: Layout, settings: Settings) -> bool:
    """Whether anything is remembered that a start is to be told of: a look at one name."""
    if not settings.flag("restore.memories"):
        return False
    directory = os.path.expanduser(settings.text("remember.directory")) or os.path.join(layout.root, "memories")
    return os.path.exists(os.path.join(directory, "MEMORY.md"))


def make_index(layout: Layout, settings: Settings, state: State) -> str:
    """The index for a model; empty where there is none. What the agent's own memory says is left out: it tells that itself."""
    if not is_there(layout, settings):
        return ""
    from tapehead.memories import likeness  # noqa: PLC0415 - as above
    from tapehead.memories.instructions import host_memories  # noqa: PLC0415 - only where something is remembered
    from tapehead.memories.memory_files import Shelf  # noqa: PLC0415 - as above
    from tapehead.text.fence import clean, quote  # noqa: PLC0415 - as above

    shelf = Shelf(layout, settings.text("remember.directory"))
    known = host_memories(state)
    found = [each for each in shelf.ordered() if not likeness.said_already(each.text, known)]
    found.sort(key=lambda memory: _FIRST.index(memory.kind))
    lines = [clean(f"- {quote(each.description, _LINE)} ({each.kind}: {each.name})") for each in found]
    return _within(lines, room(TOKENS))


_FIRST = ("feedback", "user", "project", "reference")
"""How the work is to be done is needed before anything else is known of it."""


def _within(lines: list[str], free: int) -> str:
    """As many whole lines as fit, and how many are left."""
    kept = [_HEAD]
    for n, line in enumerate(lines):
        rest = f"- and {len(lines) - n} more: `tapehead memories`"
        if sum(map(len, kept)) + len(kept) + len(line) + len(rest) + 2 > free:
            return "\n".join([*kept, rest, ""])
        kept.append(line)
    how = "`tapehead memories show NAME` gives one whole."
    kept += [how] if sum(map(len, kept)) + len(kept) + len(how) + 1 <= free else []
    return "\n".join([*kept, ""]) if lines else ""
