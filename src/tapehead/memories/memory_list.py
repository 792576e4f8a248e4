"""MEMORY.md: a line for each memory, brought in step with the files. Pure.

The files are what is true. A user may edit the index: their words, their order and their descriptions stay, as long as the file
that a line points to is there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapehead.memories.memory import Memory

FILE = "MEMORY.md"
TITLE = "# Memory"
LONGEST = 200
"""Lines. Agents read no more than that of such an index."""
_LINK = re.compile(r"^\s*[-*+]\s+\[[^\]]*\]\(([^)\s]+\.md)\)")


def line_of(memory: Memory) -> str:
    """How a memory stands in the index."""
    return f"- [{memory.name}]({memory.file}) — {memory.description} ({memory.kind})"


def list_linked(text: str) -> list[str]:
    """The files that an index points to, in its order."""
    return [match[1] for line in text.split("\n") if (match := _LINK.match(line))]


def in_step(text: str, memories: Sequence[Memory]) -> str:
    """The index without lines that point to nothing, and with a line for every file that had none."""
    there = {memory.file: memory for memory in memories}
    kept, seen = [], set()
    for line in text.split("\n"):
        match = _LINK.match(line)
        if match and "/" not in match[1]:
            if match[1] not in there or match[1] in seen:
                continue
            seen.add(match[1])
        kept.append(line)
    body = "\n".join(kept).rstrip("\n")
    missing = [line_of(memory) for memory in memories if memory.file not in seen]
    head = body if body.strip() else TITLE
    gap = [] if not missing or _LINK.match(head.rpartition("\n")[2]) else [""]
    return "\n".join([head, *gap, *missing]) + "\n"


def refresh_index(text: str, memory: Memory) -> str:
    """The index in which a memory that has changed stands with its new description."""
    lines = text.split("\n")
    return "\n".join(
        line_of(memory) if (match := _LINK.match(line)) and match[1] == memory.file else line for line in lines
    )
