"""An entry that was found, read: where the words of the question stand closest together, and what is shown of it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.history.index_words import UNSPACED, spelt
from tapehead.history.stemming import stem, surely

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.history.question import Question

AROUND = 60
"""Characters shown before the first word; twice as many after it."""
_CLOSE = 300
"""Characters within which words belong together."""
_MOST_READ = 30_000
"""Characters of an entry that are looked at."""
_SCATTERED = 0.75
"""What an entry counts whose words stand far apart; the rest is for those that stand together."""
_LITERAL = 1.15
"""What it counts more where a name stands as it was typed."""
_SAME = 400
"""Characters by which two texts are the same."""
_FEW_PLACES = 40
"""Places of a word that are looked at."""


class Reading(NamedTuple):
    """What was seen."""

    worth: float
    """By how much its score counts."""
    snippet: str
    matched: tuple[str, ...]
    """The words of the snippet that were looked for."""
    same: str
    """What it has in common with a text that says the same."""


def read(text: str, question: Question, rarity: list[float]) -> Reading:
    """Read an entry."""
    found = _found(text[:_MOST_READ], question)
    at, close, whole = _closest(found, rarity)
    worth = _SCATTERED + (1 - _SCATTERED) * (close / whole) if whole else 1.0
    lowered = spelt(text[:_MOST_READ].lower()) if question.literals or question.phrases else ""
    if any(literal in lowered for literal in question.literals):
        worth *= _LITERAL
    phrase = next((lowered.find(phrase) for phrase in question.phrases if phrase in lowered), -1)
    snippet = _snippet(text, phrase if phrase >= 0 else at)
    marks = {text[start:end] for start, end, _ in found} | _as_said(question.phrases, snippet)
    matched = tuple(sorted((mark for mark in marks if mark in snippet), key=lambda mark: (-len(mark), mark)))
    return Reading(worth, snippet, matched, " ".join(text[: 2 * _SAME].lower().split())[:_SAME])


def _found(text: str, question: Question) -> list[tuple[int, int, int]]:
    """Where words of the question stand: from, to, and which. Names that are written as one are looked into."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter that has no small one of its own
        lowered = text
    found: set[tuple[int, int, int]] = set()
    for at, term in enumerate(question.terms):
        wanted = {stem(word) for word in (*term.joined, *term.forms, *term.kin)}
        for start in {surely(word) for word in wanted}:
            found.update(_places(text, lowered, start, wanted, at))
    return sorted(found)


def _places(text: str, lowered: str, start: str, wanted: set[str], at: int) -> Iterator[tuple[int, int, int]]:
    """Where words begin so and have one of the stems."""
    place, count = lowered.find(start), 0
    while place >= 0 and count < _FEW_PLACES:
        end = place + len(start)
        while end < len(text) and text[end].isalnum() and not (text[end].isupper() and text[end - 1].islower()):
            end += 1
        begins = (
            place == 0 or not text[place - 1].isalnum() or (text[place].isupper() and not text[place - 1].isupper())
        )
        if UNSPACED.fullmatch(start):
            begins, end = True, place + len(start)
        if begins and stem(lowered[place:end]) in wanted:
            count += 1
            yield place, end, at
        place = lowered.find(start, max(end, place + 1))


def _closest(found: list[tuple[int, int, int]], rarity: list[float]) -> tuple[int, float, float]:
    """Where most of the words stand together, how much they count, and how much all do."""
    whole = sum(rarity[at] for at in {at for _, _, at in found})
    best, place, first = 0.0, 0, 0
    counts: dict[int, int] = {}
    close = 0.0
    for start, _, at in found:
        counts[at] = counts.get(at, 0) + 1
        close += rarity[at] if counts[at] == 1 else 0.0
        while found[first][0] < start - _CLOSE:
            left = found[first][2]
            counts[left] -= 1
            close -= rarity[left] if not counts[left] else 0.0
            first += 1
        if close > best + 1e-9:
            best, place = close, found[first][0]
    return place, best, whole


def _snippet(text: str, at: int) -> str:
    start, end = max(0, at - AROUND), min(len(text), at + 2 * AROUND + 40)
    said = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{said}{'…' if end < len(text) else ''}"


def _as_said(phrases: tuple[str, ...], snippet: str) -> set[str]:
    lowered = spelt(snippet.lower())
    places = ((lowered.find(phrase), len(phrase)) for phrase in phrases)
    return {snippet[at : at + length] for at, length in places if at >= 0}
