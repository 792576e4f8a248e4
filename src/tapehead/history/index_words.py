"""Words as the index knows them, and a query in the same words.

SQLite splits text at spaces and signs. Scripts without spaces are split here, into pairs of neighbours, so that a word is found
wherever it stands in a row of letters; the query is split alike. The index holds no places: whether words really stand side by side is
looked up in the text itself.
"""

from __future__ import annotations

import os
import re
from binascii import crc32
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+"
)
_SPACED = bytes(byte for byte in range(256) if byte not in (0xE0, 0xE1, *range(0xE3, 0xF0), 0xF0))
"""All bytes of UTF-8 but those that begin a letter of a script without spaces. Arrows, frames and such begin with 0xE2."""
_TAG = "\U0010fff0"
"""A letter that no text has: a word that begins with it is none of the text's own."""
_QUOTES = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
HUMP = re.compile(r"[a-z][A-Z]")
_CASES = bytes(
    ord("a" if chr(c) in ascii_lowercase else "A" if chr(c) in ascii_uppercase else " " if chr(c).isspace() else ".")
    for c in range(256)
)
_HUMP = b"aA"
"""The same in a text of which only the cases are left: it is found ten times as fast as by an expression."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+|\d+")
_LONGEST_NAME = 120
"""Characters of a name that is taken apart: what is longer is no name."""


def humps(word: str) -> list[str]:
    """The parts of a word that is written as one: `parseHeader` has two. One with digits in it, such as `utf8`, stays whole."""
    return _PARTS.findall(word) if HUMP.search(word) else [word]


def taken_apart(text: str) -> str:
    """The parts of all names in a text that are written as one, each once."""
    names = set(_humped(text))
    if not names:
        return ""
    parts = {part for name in names if len(name) < _LONGEST_NAME for part in _PARTS.findall(name)}
    return " ".join(sorted(parts))


def _humped(text: str) -> Iterator[str]:
    """What stands between blanks and is written as one."""
    cases = text.encode("latin-1", "replace").translate(_CASES)
    at = cases.find(_HUMP)
    while at >= 0:
        end = cases.find(b" ", at)
        end = end if end >= 0 else len(text)
        yield text[cases.rfind(b" ", 0, at) + 1 : end]
        at = cases.find(_HUMP, end)


def index_words(text: str) -> str:
    """The words of something that people or agents said: rows of letters are split into pairs, and names taken apart beside themselves."""
    words = text if text.isascii() or is_spaced(text.encode("utf-8", "replace")) else split(text)
    parts = taken_apart(text)
    return f"{words} {parts}" if parts else words


def is_spaced(raw: bytes) -> bool:
    """Whether a text, given in its bytes, has no rows of letters to split.

    Pictures (F0 9F) and what makes a sign a picture (EF B8) are everywhere in what agents write, and are none.
    """
    if not raw.translate(None, _SPACED):
        return True
    return not raw.replace(b"\xf0\x9f", b"").replace(b"\xef\xb8", b"").translate(None, _SPACED)


def split(text: str) -> str:
    """Split all rows of letters."""
    return UNSPACED.sub(_pairs, text)


def _pairs(match: re.Match[str]) -> str:
    letters = match.group()
    # The last letter stands alone too, or a search for it would not find it there.
    return " " + " ".join([letters[at : at + 2] for at in range(len(letters) - 1)] + [letters[-1]]) + " "


def pairs_of(row: str) -> list[str]:
    """A row of letters, as a question asks for it."""
    return [row] if len(row) == 1 else [row[at : at + 2] for at in range(len(row) - 1)]


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


def spelt(text: str) -> str:
    """One way to write quotes, letter for letter: programs and people write them differently."""
    return text if text.isascii() else text.translate(_QUOTES)
