"""What the next context is told, from a capture: an account of facts, never an order. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapehead.brief.capture_file import Description, Section

_BY_SOURCE = {
    "startup": ("CRITICAL", "HIGH"),
    "full": ("CRITICAL", "HIGH", "MEDIUM", "LOW", "ARCHIVE"),
}
_OTHERWISE = ("CRITICAL", "HIGH", "MEDIUM")
_ORDER = ("CRITICAL", "HIGH", "MEDIUM", "LOW", "ARCHIVE")
_ROOM_TO_SAY = 200


def whole(description: Description, source: str, opening: str, limit: int) -> str:
    """The brief: the sections that this kind of start is given, most important first, whole ones only."""
    wanted = _BY_SOURCE.get(source, _OTHERWISE)
    parts = [f"{opening}\n"]
    left = limit - len(parts[0])
    left_out = []
    for section in sorted(description.sections, key=_rank):
        text = f"\n## {section.title}\n{section.body}\n"
        if section.priority in wanted and len(text) <= left - _ROOM_TO_SAY:
            parts.append(text)
            left -= len(text)
        elif section.body:
            left_out.append(section.title)
    if left_out:
        parts.append(
            f"\nNot repeated here: {', '.join(left_out)} (`tapehead brief --full` shows them).\n"[: max(0, left)]
        )
    return "".join(parts)


def _rank(section: Section) -> int:
    """A priority of a version to come goes last."""
    return _ORDER.index(section.priority) if section.priority in _ORDER else len(_ORDER)
