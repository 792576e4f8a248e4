"""Text without what a terminal would obey and a reader cannot see."""

from __future__ import annotations

import re

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
# What is not printed: controls, bidirectional overrides, zero-width and tag characters, lone surrogates.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u00ad\u061c\u180e\u2028\u2029\ufff9-\ufffb\ufe00-\ufe0f\ufeff\ud800-\udfff\U000e0000-\U000e01ef]"
)


def plain(text: str) -> str:
    """Remove escape sequences, control characters and what hides."""
    printable = text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable()
    return text if printable else _UNSEEN.sub("", without_ansi(text))


def row(text: str) -> str:
    """The same as one line, whatever breaks stand in the names and texts that it is made of."""
    return plain(" ".join(text.splitlines()))


def escape_json(document: str) -> str:
    """A JSON document in which what `plain` would remove is written as JSON escapes it: programs get every letter."""
    if document.isprintable():
        return document
    return _UNSEEN.sub(lambda found: _spelt(found[0]), document)


def _spelt(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def without_ansi(text: str) -> str:
    """Remove escape sequences alone: what is stored keeps every letter."""
    return _ANSI.sub("", text) if "\x1b" in text else text
