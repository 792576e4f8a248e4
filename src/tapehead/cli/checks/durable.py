"""The durable memory: an index that is out of step or too long, memories that contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.cli.checks.finding import NOTE, WARNING, Finding
from tapehead.memories import memory_list
from tapehead.memories.memory_files import Shelf, contradictions

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.cli.here import Here


def durable(at: Here) -> list[Finding]:
    """What is wrong with what is remembered across sessions."""
    shelf = Shelf(at.engine.layout, at.engine.settings.text("remember.directory"))
    memories, text = shelf.memories(), shelf.index_text()
    found = [
        Finding("memories", NOTE, f"{one.name} and {other.name} contradict each other", "`tapehead forget` one of them")
        for one, other in contradictions(memories)
    ]
    if sorted(memory_list.list_linked(text)) != sorted(memory.file for memory in memories):
        what = f"{shelf.index} does not match the memory files next to it"
        found.append(
            Finding(
                "memories",
                WARNING,
                what,
                "`tapehead doctor --fix` or `tapehead memories` corrects it",
                mend=_aligned(shelf),
            )
        )
    if (length := len(text.splitlines())) > memory_list.LONGEST:
        what = f"the index of the memories has {length} lines; agents read only {memory_list.LONGEST}"
        found.append(Finding("memories", WARNING, what, "`tapehead forget NAME` removes a memory"))
    return found


def _aligned(shelf: Shelf) -> Callable[[], None]:
    def mend() -> None:
        shelf.align()

    return mend
