"""What Claude Code's own record says that the model got from hooks.

Seen with the real client: text given as `additionalContext` is recorded as an attachment `hook_additional_context` whose content
is a list; plain text as `hook_success` with the text as its content (which is empty where the hook printed JSON).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tapehead.transcript import jsonl

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = ("hook_additional_context", "hook_success")


def received(path: str, offset: int = 0) -> Iterator[str]:
    """The texts, in file order, from a byte on."""
    for _, line in jsonl.lines(path, offset):
        if b'"hook_' not in line:
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        yield from _texts(entry)


def _texts(entry: Any) -> Iterator[str]:
    about = entry.get("attachment") if isinstance(entry, dict) else None
    if not isinstance(about, dict) or about.get("type") not in _KINDS:
        return
    content = about.get("content")
    for text in content if isinstance(content, list) else [content]:
        if isinstance(text, str) and text:
            yield text
