"""`logs/2026/11/2026-11-18.md`: a line for each turn of a day, over all sessions, for people. Where the setting `log.daily` asks for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.documents import hand_edited, outline

if TYPE_CHECKING:
    from datetime import datetime

    from tapehead.store.paths import Layout

_LONGEST = 200


def path(layout: Layout, at: datetime) -> str:
    """Where the log of a day is; the day is the user's."""
    day = at.astimezone()
    return os.path.join(layout.root, "logs", day.strftime("%Y"), day.strftime("%m"), day.strftime("%Y-%m-%d.md"))


def note(layout: Layout, at: datetime, session_id: str, turn: int, words: str) -> bool:
    """One line about a turn, written once: False where the day has it already."""
    file = path(layout, at)
    with hand_edited.editing(layout):
        before = hand_edited.text_of(file)
        mark = f" {session_id} turn {turn}: "
        if any(mark in line for line in before.splitlines()):
            return False
        text = outline.one_line(words)
        cut = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
        title = "" if before else f"# {at.astimezone():%Y-%m-%d}\n\n"
        hand_edited.put(file, f"{before}{title}- {at.astimezone():%H:%M}{mark}{cut}\n")
    return True


def days_of(layout: Layout, session_id: str) -> list[str]:
    """The logs that have a line about a session."""
    found = []
    for folder, _, names in os.walk(os.path.join(layout.root, "logs")):
        files = (os.path.join(folder, name) for name in sorted(names) if name.endswith(".md"))
        found += [file for file in files if f" {session_id} turn " in hand_edited.text_of(file)]
    return found


def forget(layout: Layout, session_id: str) -> None:
    """Takes the lines about a session out of every day."""
    with hand_edited.editing(layout):
        for file in days_of(layout, session_id):
            kept = [line for line in hand_edited.text_of(file).splitlines() if f" {session_id} turn " not in line]
            hand_edited.put(file, "".join(f"{line}\n" for line in kept))
