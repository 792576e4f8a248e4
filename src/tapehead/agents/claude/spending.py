"""What Claude Code's record says of each message's cost. One message is several lines, which repeat its counts as they grow."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tapehead.transcript import jsonl
from tapehead.transcript.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Iterator


def spent(path: str) -> Iterator[Spending]:
    """One for each line that counts; lines of the same message have the same id. Raises OSError."""
    with jsonl.open_jsonl(path) as file:
        for raw in file:
            if b'"usage"' in raw and (found := _spending(raw)):
                yield found


def _spending(raw: bytes) -> Spending | None:
    try:
        entry = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    message = entry.get("message") if isinstance(entry, dict) and entry.get("type") == "assistant" else None
    usage = message.get("usage") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(usage, dict):
        return None
    made = usage.get("cache_creation")
    said = entry.get("costUSD")
    return Spending(
        id=_word(message, "id") or _word(entry, "uuid"),
        time=_word(entry, "timestamp"),
        model=_word(message, "model"),
        project=_word(entry, "cwd"),
        input=_number(usage, "input_tokens"),
        output=_number(usage, "output_tokens"),
        cache_read=_number(usage, "cache_read_input_tokens"),
        cache_written=_number(usage, "cache_creation_input_tokens"),
        cache_written_long=_number(made, "ephemeral_1h_input_tokens") if isinstance(made, dict) else 0,
        dollars=float(said) if isinstance(said, (int, float)) and type(said) is not bool and said >= 0 else None,
    )


def _word(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _number(found: dict[str, Any], name: str) -> int:
    value = found.get(name)
    return value if type(value) is int and value > 0 else 0
