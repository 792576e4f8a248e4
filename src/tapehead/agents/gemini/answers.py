"""Whether Gemini's user has answered what it asked: while it asks, it writes nothing into its session file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.commands_run import runs_below
from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of

if TYPE_CHECKING:
    from typing import Any

_LOOKED_AT = 256 * 1024
_TIME = len("2026-01-01T00:00:00.000")


def is_answered(path: str, asked: dict[str, Any], pid: int | None) -> bool:
    """Whether the file has something newer, or the command runs by now."""
    since = str(asked.get("since") or "")[:_TIME]
    try:
        entries = [entry_of(line) for _, line in jsonl.lines(path, jsonl.tail(path, _LOOKED_AT))]
    except OSError:
        entries = []
    return any(_time(entry) > since for entry in entries) or runs_below(pid, str(asked.get("detail") or ""))


def _time(entry: dict[str, Any]) -> str:
    patch = entry.get("$set")
    found = patch.get("lastUpdated") if isinstance(patch, dict) else entry.get("timestamp")
    return found[:_TIME] if isinstance(found, str) else ""
