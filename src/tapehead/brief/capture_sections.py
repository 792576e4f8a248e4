"""A work record as the sections of a capture: everything that a brief could choose from, each with its priority. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.brief.capture_file import Section
from tapehead.brief.items import items
from tapehead.brief.sections import TITLES, WITHIN
from tapehead.brief.selection import choose
from tapehead.text.fence import clean

if TYPE_CHECKING:
    from tapehead.brief.inputs import Extras
    from tapehead.work_record.facts import WorkRecord

ROOM = 40_000
"""Characters of a capture: all of a usual session, the most telling of a long one."""


def sections_of(record: WorkRecord, extras: Extras | None) -> tuple[Section, ...]:
    """One section for every title that has something to say."""
    found: dict[str, list[tuple[float, str]]] = {}
    for item in choose(items(record, ROOM, extras), record.weights, ROOM):
        found.setdefault(WITHIN.get(item.section, item.section), []).append((item.order, item.text))
    return tuple(
        Section(priority.name, title, clean("\n".join(text for _, text in sorted(found[key]))))
        for key, (title, priority) in TITLES.items()
        if key in found
    )
