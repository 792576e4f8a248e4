"""What a tool said, Claude Code keeps a second time, for its own screen: half of some files is this, and most of it is not read.

New versions write where the work is behind that copy, and a line may be torn in it. So a line is read without it only if nothing that
matters is gone then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.transcript.entries import entry_of

if TYPE_CHECKING:
    from typing import Any

_COPY = b',"toolUseResult":'
_BEHIND = b',"sourceToolAssistantUUID":"'
_A_TAIL = 1_500
"""Bytes at the end of a line in which what stands behind the copy is looked for."""
_REFUSED = b'"toolDenialKind":"'
_NEEDED = {"type", "message", "uuid", "timestamp", "isSidechain", "cwd"}
"""What a line must still have without it."""
_ONLY_THERE = (
    b'"originalFile":"',
    b'"agentId":"',
    b'"backgroundTaskId":"',
    b'"task":{',
    b'"isAsync":true',
    b'"shell_id":"',
    b'"shellId":"',
    b'"task_id":"',
)
"""What only the copy tells: what a file was before an edit; whose, or which task's the result is."""


def lean_entry_of(line: bytes) -> dict[str, Any]:
    """Read a line's object without the copy, where the copy says nothing more than the result does."""
    at = _copy_in(line)
    says_more = at < 0 or any(line.find(sign, at) > 0 for sign in _ONLY_THERE)
    return entry_of(line) if says_more else _cut(line, at)


def bare_entry_of(line: bytes) -> dict[str, Any]:
    """Read a line's object without the copy, whatever that says."""
    at = _copy_in(line)
    return entry_of(line) if at < 0 else _cut(line, at)


def _copy_in(line: bytes) -> int:
    """Where the copy stands, or -1: for a tool that was refused, what matters stands behind it."""
    return -1 if line.find(_REFUSED) > 0 else line.find(_COPY)


def _cut(line: bytes, at: int) -> dict[str, Any]:
    """Read it without the copy, or whole, where something that matters is gone then; of a broken line, what stands before the copy."""
    entry = entry_of(_without(line, at))
    return entry if entry.keys() >= _NEEDED else entry_of(line) or entry_of(line[:at] + b"}")


def _without(line: bytes, at: int) -> bytes:
    tail = max(at, len(line) - _A_TAIL)
    behind = line.rfind(_BEHIND, tail)
    if behind > 0:
        return line[:at] + line[behind:]
    return line if line.find(b'"isMeta":true', tail) > 0 else line[:at] + b"}"
