"""What Codex's own record says that the model got from hooks: messages to the developer, each with what it is beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tapehead.transcript import jsonl
from tapehead.transcript.entries import dicts, entry_of, within, word

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROLE = b'"developer"'
_KIND = "hooks.additional_context"


def received(path: str, offset: int = 0) -> Iterator[str]:
    """The texts, in file order, from a byte on."""
    for _, line in jsonl.lines(path, offset):
        if _ROLE in line:
            yield from _texts(within(entry_of(line), "payload"))


def _texts(payload: dict[str, Any]) -> Iterator[str]:
    """Older versions do not say what a text is: then it may be a hook's."""
    if word(payload, "type") != "message" or word(payload, "role") != "developer":
        return
    kinds = within(payload, "internal_chat_message_metadata_passthrough").get("content_item_kinds")
    if isinstance(kinds, list) and _KIND not in kinds:
        return
    for part in dicts(payload, "content"):
        if text := word(part, "text"):
            yield text
