"""How Claude Code's transcript ends: with the user's interruption, for which no hook is called, or in the middle of a tool call."""

from __future__ import annotations

import os
from datetime import datetime
from typing import Any, NamedTuple

from tapehead.agents.claude.prompts import is_interruption, is_typed
from tapehead.agents.claude.result_copies import bare_entry_of
from tapehead.transcript import jsonl

_LOOKED_AT = 256 * 1024


class Ending(NamedTuple):
    """The last word of a transcript."""

    interrupted_ns: int = 0
    """When the user interrupted the agent; 0 where the last word is another."""
    in_flight: bool = False
    """A tool call has no result yet."""


def ending_of(path: str) -> Ending:
    """What the newest line of the conversation says, but for a prompt: that begins another turn. Raises OSError."""
    size = os.stat(path).st_size
    for line in reversed(jsonl.part(path, max(0, size - _LOOKED_AT), size)[0]):
        entry = bare_entry_of(line)
        if entry.get("isSidechain") is not True and (found := _said(entry)) is not None:
            return found
    return Ending()


def _said(entry: dict[str, Any]) -> Ending | None:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    if entry.get("type") == "assistant":
        return Ending(in_flight=any(block.get("type") == "tool_use" for block in blocks))
    if entry.get("type") != "user":
        return None
    texts = [content] if isinstance(content, str) else [block.get("text") for block in blocks]
    typed = is_typed(entry)
    stopped = any(isinstance(text, str) and is_interruption(text, typed=typed) for text in texts)
    if stopped:
        return Ending(_nanoseconds(entry.get("timestamp")))
    return Ending() if any(block.get("type") == "tool_result" for block in blocks) else None


def _nanoseconds(time: object) -> int:
    try:
        return int(datetime.fromisoformat(str(time)).timestamp() * 1e9)
    except ValueError:
        return 0
