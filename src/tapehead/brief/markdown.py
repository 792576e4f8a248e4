"""A brief as text: sections in their order, and the command that brings the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.brief.sections import TITLES, WITHIN
from tapehead.text.fence import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.brief.sections import Item


def markdown(head: str, chosen: Iterable[Item], more: str) -> str:
    """Write the sections that have something; the last line says how to see the rest."""
    by_section: dict[str, list[Item]] = {}
    for item in chosen:
        by_section.setdefault(WITHIN.get(item.section, item.section), []).append(item)
    parts = [clean(head)]
    for key, (title, _) in TITLES.items():
        if found := by_section.get(key):
            parts.append(f"## {title}")
            parts += [clean(item.text) for item in sorted(found, key=lambda item: item.order)]
    return "\n".join((*parts, more) if more else parts) + "\n"
