"""A compaction that was interrupted: Claude Code calls no hook then, but its transcript goes on without a summary."""

from __future__ import annotations

from datetime import datetime

from tapehead.agents.claude.result_copies import bare_entry_of
from tapehead.transcript import jsonl


def broke_off(path: str, offset: int, since: datetime) -> bool:
    """Whether somebody spoke after a compaction began at `since`, and no boundary of one stands from this byte on.

    While the summary is made nothing of the conversation is written. After Escape the client notes the interruption, or the command.
    """
    spoke = False
    for _, line in jsonl.lines(path, offset):
        entry = bare_entry_of(line)
        if entry.get("isCompactSummary") or "compact" in str(entry.get("subtype", "")):
            return False
        spoke = spoke or (entry.get("type") == "user" and _is_after(entry.get("timestamp"), since))
    return spoke


def _is_after(time: object, since: datetime) -> bool:
    try:
        return isinstance(time, str) and datetime.fromisoformat(time) > since
    except (ValueError, TypeError):
        return False
