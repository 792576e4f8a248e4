"""The few words around a hit, on one line. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.memory.wording import spelt

if TYPE_CHECKING:
    from tapehead.memory.wording import Query

AROUND = 60
"""Characters on either side."""


def snippet(text: str, asked: Query) -> str:
    """Where the phrase stands, or else the first of the words; the beginning where neither is to be seen."""
    lowered = spelt(text.lower())
    at, length = -1, 0
    for looked_for in (*asked.phrases, *(term.lower() for term in asked.terms)):
        at, length = lowered.find(looked_for), len(looked_for)
        if at >= 0:
            break
    at = max(at, 0)
    start, end = max(0, at - AROUND), min(len(text), at + length + 2 * AROUND)
    said = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{said}{'…' if end < len(text) else ''}"
