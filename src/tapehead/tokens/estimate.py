"""What a text costs when nobody has counted.

Two counts, for two purposes. A budget is promised and kept by `tokens` and `room`: four characters are a token, so that a brief for N
tokens never has more than 4·N characters, whatever is in it. What a text takes of a window is told by `estimated`, which looks at
what the text is made of. Its numbers were fitted to what an agent itself counted, and `tapehead bench tokens` measures how far off it
is on anyone's own transcripts (docs/notes.md has the result).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

CHARACTERS_PER_TOKEN = 4

PER_CALL = 82
"""What a call costs beside its words: the frames around it and around its answer, and what the agent says in between."""
_WORD, _LETTER, _DIGIT, _SIGN, _LINE, _OTHER, _IDEOGRAPH = 0.33, 0.165, 0.87, 0.76, 2.05, 1.05, 1.3
"""Tokens for a word in ASCII letters and for each letter of it, for a digit, a sign, the end of a line, a letter beyond ASCII, and a
sign of Chinese, Japanese or Korean."""

_OF_ASCII = {"n": "\n", " ": " \t\r", "0": "0123456789"}
_CLASSES = bytes(
    ord(next((name for name, those in _OF_ASCII.items() if chr(c) in those), "a" if chr(c).isalpha() else "."))
    for c in range(128)
)
_CLASSES += b"?" * 128
_WORDS = bytes(c if c == ord("a") else ord(" ") for c in range(256))
_IDEOGRAPHS = re.compile("[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def tokens(text: str) -> int:
    """How many tokens of a budget the text takes, rounded up: part of a token is paid as one."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def room(budget: int) -> int:
    """How many characters a budget of tokens allows."""
    return max(0, budget) * CHARACTERS_PER_TOKEN


def estimate_tokens(text: str) -> int:
    """About how many tokens of a window the text takes."""
    classes = text.encode("latin-1", "replace").translate(_CLASSES)
    count = classes.count
    cost = _LETTER * count(b"a") + _DIGIT * count(b"0") + _SIGN * count(b".") + _LINE * count(b"n")
    cost += _OTHER * count(b"?") + _WORD * len(classes.translate(_WORDS).split())
    return round(cost if text.isascii() else cost + _beyond(text))


def estimated_all(texts: Iterable[str], calls: int = 0) -> int:
    """About how many tokens of a window these texts take, with so many calls among them."""
    return sum(map(estimate_tokens, texts)) + PER_CALL * calls


def _beyond(text: str) -> float:
    """What is to be added for letters beyond Latin, which were counted as signs."""
    wide = text.encode("latin-1", "replace").count(b"?") - text.count("?")
    ideographs = len(_IDEOGRAPHS.findall(text))
    return (_OTHER - _SIGN) * wide + (_IDEOGRAPH - _OTHER) * ideographs
