"""Words as the index knows them, and a query in the same words.

SQLite splits text at spaces and signs. Scripts without spaces are split here, into pairs of neighbours, so that a word is found
wherever it stands in a row of letters; the query is split alike. The index holds no places: whether words really stand side by side is
looked up in the text itself.
"""

from __future__ import annotations

import os
import re
from binascii import crc32
from unicodedata import normalize

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from tapehead.transcript.named import NamedTuple

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+"
)
_SPACED = bytes(byte for byte in range(256) if byte not in (0xE0, 0xE1, *range(0xE3, 0xF0), 0xF0))
"""All bytes of UTF-8 but those that begin a letter of a script without spaces. Arrows, frames and such begin with 0xE2."""
_WORD = re.compile(r"[^\W_]+")
_TAG = "\U0010fff0"
"""A letter that no text has: a word that begins with it is none of the text's own."""
_QUOTES = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
_SIGNS = frozenset("+#")
"""Signs that make another word of a letter: C++ and C#."""
_QUOTED = re.compile(r'"([^"]*)"|(\S+)')


class Query(NamedTuple):
    """What is looked for."""

    terms: tuple[str, ...]
    """Words of the index, all of which an entry must have."""
    phrases: tuple[str, ...] = ()
    """What must stand in the text as it is, whatever the case."""
    whole: tuple[str, ...] = ()
    """Words that are not the beginning of others: they were given in quotes, or are pairs of letters."""

    def holds(self, text: str) -> bool:
        """Whether a text has the phrases."""
        lowered = spelt(text.lower()) if self.phrases else ""
        return all(phrase in lowered for phrase in self.phrases)


def indexed(text: str) -> str:
    """A text with its rows of letters split into pairs; most texts have none."""
    return text if text.isascii() or is_spaced(text.encode("utf-8", "replace")) else split(text)


def is_spaced(raw: bytes) -> bool:
    """Whether a text, given in its bytes, has no rows of letters to split.

    Pictures (F0 9F) and what makes a sign a picture (EF B8) are everywhere in what agents write, and are none.
    """
    if not raw.translate(None, _SPACED):
        return True
    return not raw.replace(b"\xf0\x9f", b"").replace(b"\xef\xb8", b"").translate(None, _SPACED)


def split(text: str) -> str:
    """Split all rows of letters."""
    return _UNSPACED.sub(_pairs, text)


def _pairs(match: re.Match[str]) -> str:
    letters = match.group()
    # The last letter stands alone too, or a search for it would not find it there.
    return " " + " ".join([letters[at : at + 2] for at in range(len(letters) - 1)] + [letters[-1]]) + " "


def tags(kind: str, file: str) -> str:
    """Words that an entry has beside its own, so that one kind or file among a million entries is found as fast as a word."""
    return f"{kind_tag(kind)} {file_tag(file)}" if file else kind_tag(kind)


def kind_tag(kind: str) -> str:
    """The word of a kind."""
    return _TAG + kind


def file_tag(file: str) -> str:
    """The word of all files of that name, wherever they lie."""
    return f"{_TAG}{crc32(os.path.basename(file).encode('utf-8', 'replace')):x}"


def session_tag(session: int) -> str:
    """The word of a session, by its number."""
    return f"{_TAG}s{session}"


def query(text: str) -> Query:
    """Read what a person typed: words, and phrases in quotes."""
    terms: list[str] = []
    phrases: list[str] = []
    whole: list[str] = []
    # One way to write an accent: the other would be split off its letter here, and not in the index.
    for quoted, bare in _QUOTED.findall(spelt(normalize("NFC", text))):
        said = (quoted or bare).strip()
        found = _terms(said)
        terms += found
        whole += [term for term in found if quoted or (len(term) > 1 and _UNSPACED.fullmatch(term))]
        if quoted or len(found) > 1 or _UNSPACED.search(said) or (found and _SIGNS.intersection(said)):
            phrases.append(said.lower().strip('"'))
    return Query(tuple(dict.fromkeys(terms)), tuple(phrases), tuple(dict.fromkeys(whole)))


def spelt(text: str) -> str:
    """One way to write quotes, letter for letter: programs and people write them differently."""
    return text.translate(_QUOTES)


def _terms(said: str) -> list[str]:
    terms: list[str] = []
    for part in _UNSPACED.split(said):
        terms += _WORD.findall(part)
    for row in _UNSPACED.findall(said):
        terms += [row] if len(row) == 1 else [row[at : at + 2] for at in range(len(row) - 1)]
    # Marks above and below letters are no words by themselves: SQLite would find nothing for them.
    return [term for term in terms if any(map(str.isalnum, term))]
