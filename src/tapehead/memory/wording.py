"""Words as the index knows them, and a query in the same words.

SQLite splits text at spaces and signs. Scripts without spaces are split here, into pairs of neighbours, so that a word is found
wherever it stands in a row of letters; the query is split alike. The index holds no places: whether words really stand side by side is
looked up in the text itself.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+"
)
_SPACED = bytes(byte for byte in range(256) if byte not in (0xE0, 0xE1, *range(0xE3, 0xF0), 0xF0))
"""All bytes of UTF-8 but those that begin a letter of a script without spaces. Arrows, frames and such begin with 0xE2."""
_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r'"([^"]*)"|(\S+)')


class Query(NamedTuple):
    """What is looked for."""

    terms: tuple[str, ...]
    """Words of the index, all of which an entry must have."""
    phrases: tuple[str, ...]
    """What must stand in the text as it is, whatever the case."""

    def match(self, *, begins: bool = False) -> str:
        """The query in SQLite's words; with `begins`, a word may also be the beginning of a longer one."""
        star = "*" if begins else ""
        return " ".join(f'"{term}"{star if term.isascii() or len(term) == 1 else ""}' for term in self.terms)

    def holds(self, text: str) -> bool:
        """Whether a text has the phrases."""
        lowered = text.lower()
        return all(phrase in lowered for phrase in self.phrases)


def indexed(text: str) -> str:
    """A text with its rows of letters split into pairs; most texts have none."""
    if text.isascii() or not text.encode("utf-8", "replace").translate(None, _SPACED):
        return text
    return _UNSPACED.sub(_pairs, text)


def _pairs(match: re.Match[str]) -> str:
    letters = match.group()
    # The last letter stands alone too, or a search for it would not find it there.
    return " " + " ".join([letters[at : at + 2] for at in range(len(letters) - 1)] + [letters[-1]]) + " "


def query(text: str) -> Query:
    """Read what a person typed: words, and phrases in quotes."""
    terms: list[str] = []
    phrases: list[str] = []
    for quoted, bare in _QUOTED.findall(text.replace("“", '"').replace("”", '"')):
        said = (quoted or bare).strip()
        found = _terms(said)
        terms += found
        if quoted or len(found) > 1 or _UNSPACED.search(said):
            phrases.append(said.lower().strip('"'))
    return Query(tuple(dict.fromkeys(terms)), tuple(phrases))


def _terms(said: str) -> list[str]:
    terms: list[str] = []
    for part in _UNSPACED.split(said):
        terms += _WORD.findall(part)
    for row in _UNSPACED.findall(said):
        terms += [row] if len(row) == 1 else [row[at : at + 2] for at in range(len(row) - 1)]
    return terms
