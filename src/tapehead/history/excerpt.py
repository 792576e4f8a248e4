"""An entry that was found, read: where the words of the question stand closest together, and what is shown of it. Pure."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tapehead.history.english import STOP
from tapehead.history.index_words import HUMP, UNSPACED, spelt
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
_TOGETHER, _NEAR = 0.3, 20
"""What it counts more where neighbours in the question are neighbours in the text, and how many characters may stand between them."""
_LITERAL = 1.15
"""What it counts more where a name stands as it was typed."""
_SAME = 400
"""Characters by which two texts are the same."""
_FEW_PLACES = 40
"""Places of a word that are looked at."""
_FIRST = 2
"""Letters by which beginnings of words are looked up."""
_WORD = re.compile(r"[^\W_]+")
_HUMPED = re.compile(r"[^\W_](?:(?<=[a-z])[^\WA-Z_]|(?<![a-z])[^\W_])*")
"""Words, where `parseHeader` is two."""


class Reading(NamedTuple):
    """What was seen."""

    worth: float
    """By how much its score counts."""
    snippet: str
    matched: tuple[str, ...]
    """The words of the snippet that were looked for."""
    same: str
    """What it has in common with a text that says the same."""


def read(text: str, sought: Sought, rarity: list[float]) -> Reading:
    """Read an entry."""
    question, found = sought.question, sought.places(text[:_MOST_READ])
    at, close, whole = _closest(found, rarity)
    worth = _SCATTERED + (1 - _SCATTERED) * (close / whole) if whole else 1.0
    worth *= 1 + _TOGETHER * _together(found, rarity)
    lowered = spelt(text[:_MOST_READ].lower()) if question.literals or question.phrases else ""
    if any(literal in lowered for literal in question.literals):
        worth *= _LITERAL
    phrase = next((lowered.find(phrase) for phrase in question.phrases if phrase in lowered), -1)
    snippet = _snippet(text, phrase if phrase >= 0 else at)
    alone = {at for at, term in enumerate(question.terms) if not (question.phrases and term.word in STOP)}
    marks = {text[start:end] for start, end, at in found if at in alone} | _as_said(question.phrases, snippet)
    matched = tuple(sorted((mark for mark in marks if mark in snippet), key=lambda mark: (-len(mark), mark)))
    return Reading(worth, snippet, matched, " ".join(text[: 2 * _SAME].lower().split())[:_SAME])


class Sought:
    """The words of one question, made ready for many texts: which stems are looked for, and how words with them begin."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.terms: dict[str, list[int]] = {}
        """For each stem, the terms that it stands for."""
        for at, term in enumerate(question.terms):
            for root in {stem(word) for word in (*term.joined, *term.forms, *term.kin)}:
                self.terms.setdefault(root, []).append(at)
        self.skipped = STOP.difference(*((term.word, *term.forms, *term.joined) for term in question.terms))
        """Words that say nothing, though they have the stem of one that does: `us` and `use`."""
        self.rows = [root for root in self.terms if UNSPACED.fullmatch(root)]
        starts: dict[str, set[str]] = {}
        for root in self.terms.keys() - set(self.rows):
            starts.setdefault(surely(root)[:_FIRST], set()).add(surely(root))
        self.starts = {first: tuple(words) for first, words in starts.items()}
        """Beginnings of words, by their first letters: only a word with one of them is stemmed."""

    def places(self, text: str) -> list[tuple[int, int, int]]:
        """Where words of the question stand: from, to, and which. Names that are written as one are looked into."""
        lowered = text.lower()
        if len(lowered) != len(text):  # a letter that has no small one of its own
            lowered = text
        found = [(start, end, at) for start, end, root in self._words(text, lowered) for at in self.terms.get(root, ())]
        for row in self.rows:
            place = lowered.find(row)
            while place >= 0:
                found += [(place, place + len(row), at) for at in self.terms[row]]
                place = lowered.find(row, place + len(row))
        return sorted(_few_of_each(found))

    def _words(self, text: str, lowered: str) -> Iterator[tuple[int, int, str]]:
        for match in (_HUMPED if HUMP.search(text) else _WORD).finditer(text):
            start, end = match.span()
            word = lowered[start:end]
            if (starts := self.starts.get(word[:_FIRST])) and word.startswith(starts) and word not in self.skipped:
                yield start, end, stem(word)


def _few_of_each(found: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    counts: dict[int, int] = {}
    for place in found:
        counts[place[2]] = counts.get(place[2], 0) + 1
        if counts[place[2]] <= _FEW_PLACES:
            yield place


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


def _together(found: list[tuple[int, int, int]], rarity: list[float]) -> float:
    """How much of the question stands side by side as it does there, in this order or the other: a part of one."""
    ended: dict[int, int] = {}
    pairs: set[int] = set()
    for start, end, at in found:
        pairs.update(
            min(at, beside) for beside in (at - 1, at + 1) if 0 <= start - ended.get(beside, -_NEAR - 1) <= _NEAR
        )
        ended[at] = end
    whole = sum(map(min, pairwise(rarity)))
    return sum(min(rarity[at], rarity[at + 1]) for at in pairs) / whole if whole else 0.0


def _snippet(text: str, at: int) -> str:
    start, end = max(0, at - AROUND), min(len(text), at + 2 * AROUND + 40)
    said = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{said}{'…' if end < len(text) else ''}"


def _as_said(phrases: tuple[str, ...], snippet: str) -> set[str]:
    lowered = spelt(snippet.lower())
    places = ((lowered.find(phrase), len(phrase)) for phrase in phrases)
    return {snippet[at : at + length] for at, length in places if at >= 0}
