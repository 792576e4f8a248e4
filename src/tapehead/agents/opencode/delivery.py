"""What the record says that the model got from us: parts behind a prompt, and in mid-turn what our plugin put into the system prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.opencode.transcript import OURS
from tapehead.transcript import jsonl
from tapehead.transcript.entries import dicts, entry_of, word

if TYPE_CHECKING:
    from collections.abc import Iterator


def received(path: str, offset: int = 0) -> Iterator[str]:
    """The texts, in file order, from a byte on."""
    for _, line in jsonl.lines(path, offset):
        entry = entry_of(line) if OURS.encode() in line else {}
        said = [entry] if word(entry, "type") == "told" else dicts(entry, "parts")
        for part in said:
            if (part is entry or part.get("synthetic") is True) and word(part, "text").startswith(OURS):
                yield word(part, "text")
