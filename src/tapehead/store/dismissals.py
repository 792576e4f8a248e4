"""`dismissed.json`: the findings of doctor that the user has seen and wants to hear no more of, by their marks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.store import atomic
from tapehead.store.paths import make_private

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.store.paths import Layout

_LARGEST = 1 << 20
_MOST = 10_000
"""Marks that are kept: the newest."""


def read_dismissed(layout: Layout) -> tuple[str, ...]:
    """The marks, oldest first; none where the file cannot be read, so that more is told and not less."""
    try:
        found = json.loads(door.read(layout.dismissed, _LARGEST, follow=False))
    except (OSError, ValueError, RecursionError):
        return ()
    return tuple(mark for mark in found if isinstance(mark, str)) if isinstance(found, list) else ()


def dismiss(layout: Layout, marks: Iterable[str]) -> None:
    """Adds marks. Raises OSError."""
    known = dict.fromkeys((*read_dismissed(layout), *marks))
    make_private(layout.root)
    atomic.write(layout.dismissed, json.dumps([*known][-_MOST:]).encode() + b"\n")
