"""A question as it was typed, taken apart: the words that say something, what must stand side by side, and the days it speaks of. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from tapehead.history.english import STOP, forms, is_of_asker, weight_of
from tapehead.history.index_words import UNSPACED, humps, pairs_of, spelt
from tapehead.history.kin import kin
from tapehead.history.question_dates import Dated, find_days
from tapehead.history.stemming import stem

if TYPE_CHECKING:
    from datetime import date

_QUOTED = re.compile(r'"([^"]*)"|(\S+)')
_WORD = re.compile(r"[^\W_]+")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019](?:s|t|re|ve|ll|d|m)\b", re.IGNORECASE)
_SIGNS = frozenset("+#")
"""Signs that make another word of a letter: C++ and C#."""
_AROUND = "\"'`()[]{}<>,;:!?"
"""Signs around a word that are none of it."""
_A_WORD, _FEW = 6, 2
"""Letters of a word in a script without spaces, and such words, that are looked for as they are: more of either is a sentence."""
_JOINED = 5
"""Neighbours that may be written as one word elsewhere: `get or create session id` and `getOrCreateSessionId`."""
_MOST = 32
"""Words of a question that are looked for: whoever pastes a page is answered by its rarest words all the same."""


_SENTENCE = 3
"""Words beside quotes that make a sentence, in which the quotes may be the name of something."""
_ASIDE = 0.3
"""What a word of a date counts: the day itself counts more."""


class Term(NamedTuple):
    """A word that is looked for."""

    word: str
    """As it was typed, in small letters."""
    forms: tuple[str, ...]
    """Words of the index any of which is it: itself, and forms that no rule gives."""
    joined: tuple[str, ...] = ()
    """Words that it may be a part of, with its neighbours in the question."""
    kin: tuple[str, ...] = ()
    """Other words for the same thing: what has one of them counts a part."""
    exact: bool = False
    """Whether it was given in quotes, or is a pair of letters: nothing like it is meant."""
    weight: float = 1.0
    """What it counts: less where it belongs to the asking or to a date."""


class Question(NamedTuple):
    """What is asked."""

    terms: tuple[Term, ...]
    phrases: tuple[str, ...] = ()
    """What must stand in the text as it is, whatever the case."""
    literals: tuple[str, ...] = ()
    """Names that were typed as one, such as `store/lock.py`: better where they stand so."""
    days: tuple[Dated, ...] = ()
    text: str = ""
    """What was typed."""
    of_asker: bool = False
    """Whether it is about the user who asks."""

    def unquoted(self) -> str:
        """A sentence with quotes in it, without them; nothing where there is none."""
        is_sentence = '"' in self.text and sum(not term.exact for term in self.terms) >= _SENTENCE
        return self.text.replace('"', " ") if is_sentence else ""

    def holds(self, text: str) -> bool:
        """Whether a text has the phrases."""
        lowered = spelt(text.lower()) if self.phrases else ""
        return all(phrase in lowered for phrase in self.phrases)


def read_question(text: str, today: date, newest: date | None = None) -> Question:
    """Read what was typed. A month without a year is the last one up to the newest day."""
    # One way to write an accent: the other would be split off its letter here, and not in the index.
    text = spelt(normalize("NFC", text))
    quoted = [said.strip() for said, _ in _QUOTED.findall(text) if said.strip()]
    days, rest, spoken = find_days(_QUOTED.sub(lambda match: match[2] or " ", text), today, newest)
    words = [word for bare in rest.split() for word in _split(_APOSTROPHE.sub("", bare))]
    names = [said for bare in rest.split() if (said := _APOSTROPHE.sub("", bare.strip(_AROUND)).rstrip(".").lower())]
    required = [said for said in names if _is_one(said)] if sum(map(bool, map(UNSPACED.search, names))) <= _FEW else []
    literals = [said for said in names if said not in required and len(_WORD.findall(said)) > 1]
    # "what did we do last Tuesday": the day is what is asked for, and words that say nothing would only hide most of it.
    terms = [*_exact(quoted), *_terms(words, alone=not days and not quoted), *_of_dates(spoken)]
    phrases = (*(said.lower() for said in quoted), *required)
    return Question(_each_once(terms), phrases, tuple(literals), tuple(days), text, is_of_asker(words))


def _is_one(said: str) -> bool:
    """Whether what was typed must stand as it is: a word in a script without spaces, or one that its signs make another."""
    if row := UNSPACED.search(said):
        return len(row[0]) <= _A_WORD
    return bool(_SIGNS.intersection(said) and _WORD.search(said))


def _split(bare: str) -> list[str]:
    """The words of one that was typed without spaces: `parseHeader`, `parse_header` and `parse-header` are two."""
    found: list[str] = []
    for row, word in re.findall(rf"({UNSPACED.pattern})|([^\W_]+?(?={UNSPACED.pattern})|[^\W_]+)", bare):
        found += pairs_of(row) if row else humps(word)
    # Marks above and below letters are no words by themselves: SQLite would find nothing for them.
    return [word.lower() for word in found if any(map(str.isalnum, word))]


def _exact(quoted: list[str]) -> list[Term]:
    return [Term(word, (word,), exact=True) for said in quoted for word in _split(said)]


def _terms(words: list[str], *, alone: bool) -> list[Term]:
    """The words that say something; all of them, where none does and nothing else is asked for."""
    telling = [at for at, word in enumerate(words) if word not in STOP and (len(word) > 1 or not word.isascii())]
    return [_term(words, at) for at in telling or (range(len(words)) if alone else ())]


def _of_dates(spoken: list[str]) -> list[Term]:
    """The words of a date: people also say them, and less is meant by them than by the day itself."""
    words = [word for said in spoken for word in _split(said.lower())]
    return [Term(word, (word,), weight=_ASIDE) for word in words if word not in STOP and word.isalpha()]


def _term(words: list[str], at: int) -> Term:
    word = words[at]
    if UNSPACED.fullmatch(word):
        return Term(word, (word,), exact=True)
    if not word.isascii():
        return Term(word, forms(word))
    # Who types a single word means that word.
    weight = weight_of(words, at) if len(words) > 1 else 1.0
    return Term(word, forms(word), _neighbours(words, at), kin(word) if len(words) > 1 else (), weight=weight)


def _neighbours(words: list[str], at: int) -> tuple[str, ...]:
    spans = (
        (first, last)
        for first in range(max(0, at - _JOINED + 1), at + 1)
        for last in range(at + 1, first + _JOINED + 1)
    )
    runs = (words[first:last] for first, last in spans if last - first > 1 and last <= len(words))
    return tuple(dict.fromkeys("".join(run) for run in runs if all(map(str.isascii, run))))


def _each_once(terms: list[Term]) -> tuple[Term, ...]:
    found: dict[str, Term] = {}
    for term in terms:
        known = found.setdefault(stem(term.word), term)
        if known is not term:
            joined = tuple(dict.fromkeys((*known.joined, *term.joined)))
            found[stem(term.word)] = known._replace(joined=joined)
    return tuple(found.values())[:_MOST]
