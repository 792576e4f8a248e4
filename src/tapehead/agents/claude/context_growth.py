"""How a context grew, message by message: what the agent counted, and the text that was added. What an estimate is held against.

Between two answers of the model its context grows by the first answer and by whatever came before the second one. The agent records how
full it was at each; the transcript has the words. What the agent adds without writing it down (reminders, diagnostics) is in the count and
not in the words: no estimate from a transcript can see it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tapehead.agents.claude.blocks import IMAGE, Blocks
from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNTED = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


class Growth(NamedTuple):
    """One step of a context."""

    tokens: int
    """By the agent's own count."""
    texts: tuple[str, ...]
    calls: int
    run: int
    """Which context it belongs to: a compaction begins another."""


def growth(path: str) -> Iterator[Growth]:
    """Every step in which the session's own context grew; those with images are left out, since nobody counts an image's letters."""
    growing = _Growing()
    for _, line in jsonl.lines(path):
        entry = entry_of(line)
        if not entry.get("isSidechain"):
            yield from growing.take(entry)


class _Growing:
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.calls = self.context = self.run = 0
        self.message = ""

    def take(self, entry: dict[str, Any]) -> Iterator[Growth]:
        kind = entry.get("type")
        if entry.get("isCompactSummary") or "compact" in str(entry.get("subtype")):
            self.context, self.run = 0, self.run + 1
        elif kind == "user":
            text, results = Blocks().told(entry)
            self.texts += [text, *(result.text for result in results)]
        elif kind == "assistant" and isinstance(message := entry.get("message"), dict):
            yield from self._answer(message)

    def _answer(self, message: dict[str, Any]) -> Iterator[Growth]:
        if message.get("model") == "<synthetic>":
            return
        if message.get("id") != self.message:
            yield from self._step(_context(message.get("usage")))
            self.message = str(message.get("id"))
        blocks = message.get("content")
        for block in blocks if isinstance(blocks, list) else []:
            self._add(block if isinstance(block, dict) else {})

    def _step(self, context: int) -> Iterator[Growth]:
        if not context:
            return
        if self.context and context > self.context and not any(IMAGE in text for text in self.texts):
            yield Growth(context - self.context, tuple(filter(None, self.texts)), self.calls, self.run)
        self.context, self.texts, self.calls = context, [], 0

    def _add(self, block: dict[str, Any]) -> None:
        kind = str(block.get("type"))
        if kind == "tool_use":
            self.calls += 1
            self.texts.append(f"{block.get('name')} {json.dumps(block.get('input'), ensure_ascii=False)}")
        elif isinstance(text := block.get(kind), str):
            self.texts.append(text)


def _context(usage: Any) -> int:
    counts = usage if isinstance(usage, dict) else {}
    return sum(count for key in _COUNTED if isinstance(count := counts.get(key), int))
