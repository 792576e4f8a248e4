"""What the next context is told, from a standard description: an account of facts, never an order. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapehead.restore.description import Description

_BY_SOURCE = {
    "startup": ("CRITICAL", "HIGH"),
    "full": ("CRITICAL", "HIGH", "MEDIUM", "LOW", "ARCHIVE"),
}
_OTHERWISE = ("CRITICAL", "HIGH", "MEDIUM")
POINTER = 1_200
"""Characters of a mere pointer: about 300 tokens."""
_FOCUS = 700


def harmless(text: str) -> str:
    """Quoted text that can neither close the host's tags nor move the terminal."""
    kept = "".join(letter for letter in text if letter in "\n\t" or letter.isprintable())
    return kept.replace("<", "\u2039")


def whole(description: Description, source: str, opening: str, limit: int) -> str:
    """The story: the sections that this kind of start is given, most important first, whole ones only."""
    wanted = _BY_SOURCE.get(source, _OTHERWISE)
    parts = [f"{opening}\n"]
    left = limit - len(parts[0])
    left_out = []
    for section in sorted(description.sections, key=lambda part: _ORDER.index(part.priority)):
        text = f"\n## {section.title}\n{section.body}\n"
        if section.priority in wanted and len(text) <= left - _ROOM_TO_SAY:
            parts.append(text)
            left -= len(text)
        elif section.body:
            left_out.append(section.title)
    if left_out:
        parts.append(f"\nNot repeated here: {', '.join(left_out)} (`tapehead brief --full` shows them).\n")
    return "".join(parts)


def pointer(description: Description, opening: str) -> str:
    """What it was, how it ended, and where the rest is."""
    focus = next((part.body for part in description.sections if part.priority == "CRITICAL"), "")
    session = description.matter.get("session_id", "")
    rest = f"\nThe rest of it: `tapehead brief --session {session}`\n"
    return f"{opening}\n{focus[:_FOCUS]}{rest}"[:POINTER]


_ORDER = ("CRITICAL", "HIGH", "MEDIUM", "LOW", "ARCHIVE")
_ROOM_TO_SAY = 200
