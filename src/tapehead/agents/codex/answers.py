"""Whether Codex's user has answered what it asked. Codex says so only by what comes next: the tool's output, or the end of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.commands_run import runs_below
from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of

if TYPE_CHECKING:
    from typing import Any

_LOOKED_AT = 256 * 1024
_TIME = len("2026-01-01T00:00:00.000")
_NEXT = ("function_call_output", "custom_tool_call_output", "turn_aborted", "task_complete")


def is_answered(path: str, asked: dict[str, Any], pid: int | None) -> bool:
    """Whether the rollout has what comes after an answer, or the command runs by now."""
    since = str(asked.get("since") or "")[:_TIME]
    try:
        entries = [entry_of(line) for _, line in jsonl.lines(path, jsonl.tail(path, _LOOKED_AT))]
    except OSError:
        entries = []
    return any(_comes_after(entry, since) for entry in entries) or runs_below(pid, str(asked.get("detail") or ""))


def _comes_after(entry: dict[str, Any], since: str) -> bool:
    payload = entry.get("payload")
    kind = payload.get("type") if isinstance(payload, dict) else None
    return kind in _NEXT and str(entry.get("timestamp") or "")[:_TIME] > since
