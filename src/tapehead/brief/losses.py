"""What a compaction lost: each item of the work before it, and where it still stands. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from tapehead.text.fence import clean, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tapehead.transcript.compactions import Compaction
    from tapehead.work_record.facts import WorkRecord

SUMMARY = "summary"
"""The agent's own summary says it."""
HANDED = "handed"
"""The summary lost it, and it was handed back."""
ARCHIVE = "archive"
"""Only the transcript still has it."""
UNKNOWN = "unknown"
"""The summary lost it, and nobody knows what was handed back."""

_ENOUGH = 40
"""So many characters of a sentence, found again, count as the sentence."""


_OURS = "tapehead: "


@attrs.frozen
class Item:
    """One thing that was known before the compaction."""

    kind: str
    text: str
    turn: int
    where: str


def handed_in(received: Iterable[str]) -> list[str]:
    """Of the texts that a model got from hooks, those that we handed back after a compaction."""
    return [text for text in received if text.startswith(_OURS) and "compacted" in text[:200]]


def handed_at(compaction: Compaction, total: int, handed: list[str]) -> str:
    """The text that belongs to a compaction, counted from the end: the earliest may be from before tapehead came."""
    place = len(handed) - 1 - (total - compaction.number)
    return handed[place] if place >= 0 else ""


def items(record: WorkRecord, summary: str, handed: str | None) -> tuple[Item, ...]:
    """Everything that the work consisted of, with where it stands after the compaction. `handed` is None where nobody knows what was handed back."""
    there, back = _flat(summary), _flat(handed or "")
    else_there = UNKNOWN if handed is None else ARCHIVE
    found = []
    for kind, text, turn, holds in _known(record):
        where = SUMMARY if holds(text, there) else HANDED if holds(text, back) else else_there
        found.append(Item(kind, clean(quote(text, 300)), turn, where))
    return tuple(found)


def _known(record: WorkRecord) -> Iterator[tuple[str, str, int, Callable[[str, str], bool]]]:
    for fact in record.asks:
        yield "ask", fact.text, fact.turn, _sentence
    for fact in (fact for fact in record.rules if fact.holds):
        yield "rule", fact.text, fact.turn, _sentence
    for fact in (fact for fact in record.todos if fact.holds):
        yield "open item", fact.text, fact.turn, _sentence
    for fact in record.decisions:
        yield "decision", fact.text, fact.turn, _sentence
    for file in record.files:
        yield "file", file.path, file.turn, _path
    for ran in record.commands:
        yield "command", ran.text, ran.turn, _word_for_word
    for fact in (fact for fact in record.errors if fact.holds):
        yield "error", fact.text, fact.turn, _sentence


def _sentence(text: str, within: str) -> bool:
    return _flat(text)[:_ENOUGH] in within


def _path(text: str, within: str) -> bool:
    """A file counts as named by its last two parts: a summary seldom spells out the whole path."""
    return "/".join(_flat(text).split("/")[-2:]) in within


def _word_for_word(text: str, within: str) -> bool:
    return _flat(text) in within


def _flat(text: str) -> str:
    return " ".join(text.split()).lower()
