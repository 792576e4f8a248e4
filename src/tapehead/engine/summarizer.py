"""The user's own summarizer, where one is set: a command that turns a turn into its line. Only ever run by the worker.

Whatever it does (fails, hangs, says nothing, says too much), the line that was made without it stays.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead import user_command
from tapehead.history import layers, turn_lines
from tapehead.history.database import Database
from tapehead.history.recall import Recall
from tapehead.text.redaction import redact
from tapehead.user_command import Failed

if TYPE_CHECKING:
    from tapehead.settings.loading import Settings
    from tapehead.store.paths import Layout

__all__ = ("AT_ONCE", "Failed", "ask", "summarize")

AT_ONCE = 3
"""Turns that one run of the worker has summarized, the newest first: each may take as long as the setting allows."""
_LONGEST = 160
"""Characters of a line that are kept."""
_GIVEN = 24_000
"""Characters of a turn that the command is given."""


def summarize(layout: Layout, settings: Settings, session: str, *, until: int) -> int:
    """Have the turns before `until` summarized that were not yet; how many lines that gave."""
    command = settings.text("summarizer.command")
    if not command or not os.path.exists(layout.memory):
        return 0
    with Database(layout.memory) as database:
        waiting = turn_lines.without_command(database, session)
        told = {turn: _told(Recall(database), session, turn) for turn in waiting if turn < until}
    count = 0
    for turn in sorted(told, reverse=True)[:AT_ONCE]:
        line = ask(command, told[turn], settings.seconds("summarizer.timeout"))
        with Database(layout.memory) as database, database.writing():
            turn_lines.by_command(database, session, turn, line)
        count += 1
    return count


def ask(command: str, text: str, timeout: float) -> str:
    """Run the command with a turn on its stdin; the first line that it prints."""
    said = user_command.ask(command, text, timeout, "the summarizer")
    return redact(next(line.strip() for line in said.splitlines() if line.strip()))[:_LONGEST]


def _told(recall: Recall, session: str, turn: int) -> str:
    """A turn for the command: what was asked, which files and tools, what was answered."""
    entries = recall.turn(session, turn)
    said = [f"{_WHO[entry.kind]}:\n{entry.body}" for entry in entries if entry.kind in _WHO]
    tools = sorted({" ".join(filter(None, (entry.name, entry.file))) for entry in entries if entry.kind == layers.CALL})
    return "\n\n".join((*said, *(("Tools used:\n" + "\n".join(tools),) if tools else ())))[:_GIVEN]


_WHO = {layers.PROMPT: "The user", layers.REPLY: "The agent"}
