"""Quoted text stays quoted: it cannot close the host's tags, open a section, or pass for someone else's words."""

from __future__ import annotations

import re

from tapehead.text.pastes import without_pastes
from tapehead.text.plain import plain
from tapehead.text.redaction import redact

_WORDS = (
    "antml: system human user assistant function invoke parameter tool command local-command bash- task- agent- teammate- "
    "session context instruction important hook ide_ new-diagnostics thinking analysis summary"
)
_NAMES = tuple(_WORDS.split())
"""How the tags of hosts begin."""
_OF_A_HOST = f"(?:{'|'.join(_NAMES)})"
# A tag that was cut off before its end still closes what it names, once something with a `>` follows.
_HOST_TAG = re.compile(rf"(?i)<(?=\s*/?\s*{_OF_A_HOST}[\w:-]*[^<>\n]*>|/{_OF_A_HOST}|system-reminder)")
GAP = " … "


def clean(text: str) -> str:
    """Remove what is not printed, defuse the host's tags, mask secrets; the words stay as they are."""
    return redact(defuse(plain(text)))


def defuse(text: str) -> str:
    """Take the sting out of the host's tags."""
    if "<" in text and _names_a_host(text):
        text = _HOST_TAG.sub("‹", text)  # noqa: RUF001  it must look like one and be none
    return text.replace("<|", "‹|")  # noqa: RUF001  how the signs of some models begin


def _names_a_host(text: str) -> bool:
    """Whether a tag of a host could stand in a text: only then is the pattern compiled."""
    lowered = text.lower()
    if not text.isascii() and any(chr(letter) in lowered for letter in _SAME_LETTERS):
        lowered = lowered.translate(_SAME_LETTERS)
    return any(map(lowered.__contains__, _NAMES))


_SAME_LETTERS = {0x17F: "s", 0x131: "i", 0x307: ""}
"""Letters that a pattern without case takes for a plain one: a long s, an i without its dot, and the dot of a capital one."""


def quote(text: str, longest: int, tail: int = 0) -> str:
    """Put foreign words on one line, shortened in the middle: a line of their own is what headings and roles need.

    What is cut is cleaned first, or half a secret could slip through; what is whole is cleaned when it is chosen.
    """
    if len(text) > longest * _ENOUGH:
        text = f"{text[: longest * _ENOUGH // 2]}{GAP}{text[-longest * _ENOUGH // 2 :]}"
    text = " ".join(text.split())
    return text if len(text) <= longest else shorten(clean(text), longest, tail)


def spoken(prompt: str) -> str:
    """A prompt without what was pasted into it. It is cleaned first: a key is only known by its first line."""
    if len(prompt) > _A_PROMPT:
        prompt = f"{prompt[: _A_PROMPT // 2]}{GAP}{prompt[-_A_PROMPT // 2 :]}"
    return without_pastes(clean(prompt)) if "\n" in prompt else prompt


_A_PROMPT = 60_000


def put_in_quotes(text: str, longest: int, tail: int = 0) -> str:
    """Put foreign words into quotation marks; those within them are plain ones, or they would end the quotation."""
    return f"“{single(quote(text, longest, tail))}”"


def single(text: str) -> str:
    """Make the quotation marks of a text plain ones."""
    return text.replace("“", '"').replace("”", '"')


_ENOUGH = 8
"""How much more than what is shown is looked at, for white space and masks: a line of 10 MB is not."""


def shorten(text: str, longest: int, tail: int = 0) -> str:
    """Cut out the middle, between words: at most so many characters are left, `tail` of them from the end."""
    if len(text) <= longest:
        return text
    tail = min(tail, longest // 3)
    head = max(1, longest - tail - len(GAP))
    start = text[:head].rsplit(" ", 1)[0] if " " in text[head // 2 : head] else text[:head]
    end = text[-tail:].partition(" ")[2] if tail else ""
    return f"{start}{GAP}{end}".rstrip()
