"""An agent's words without their dress: headings, bold marks, emoji, rules of tables and greetings say nothing and cost room."""

from __future__ import annotations

import re

_DRESS = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u2712\u2715\u2716\u2719-\u27bf\u2b00-\u2bff\ufe0f\u200d]+ ?|\\*\\*|^\\s*(?:#{1,6} +|[-=_*]{3,}\\s*$|```\\w*\\s*$|\\|[-| :]+\\|\\s*$)",
    re.MULTILINE,
)
_THOUGHT = re.compile(r"<thinking>.*?(?:</thinking>|\Z)\s*", re.DOTALL)
"""What a model thought aloud in its words."""
_TICKS = {"\u2705": "\u2713", "\u274c": "\u2717", "\u2714": "\u2713", "\u2716": "\u2717"}
_GREETS = re.compile(
    r"\s*(?:(?:You'?re (?:absolutely )?right|Great|Perfect|Excellent|Good (?:question|catch|point|idea)|Awesome|Sure|Of course|Sounds good|"
    r"I understand|Looks good|Nice)\b[^.!:\n\u2014-]{0,30}[.!]+\s*)+",
    re.IGNORECASE,
)


def tidy(text: str) -> str:
    """The words as they are; what has the meaning of a tick stays one."""
    for sign, tick in _TICKS.items():
        if sign in text:
            text = text.replace(sign, tick)
    if "<thinking>" in text:
        text = _THOUGHT.sub("", text) or text
    bare = _DRESS.sub("", text).strip()
    greeting = _GREETS.match(bare)
    return bare[greeting.end() :] if greeting and greeting.end() < len(bare) else bare


def bare_command(text: str) -> str:
    """What tells of a command, without what only leads there: the directory, and where its output goes."""
    return _LEADS.sub("`", _OUTPUT.sub("", text)) if "`" in text else text


_LEADS = re.compile(r"`cd \S+ (?:&&|;) (?=\S)")
_OUTPUT = re.compile(r" 2>&1| 2>/dev/null| \| (?:tail|head)(?: -n)?(?: ?-?\d+)?(?=`| |$)")


def shape_of(command: str) -> str:
    """A command without what differs from one run to the next: its long quoted words and its numbers."""
    return _NUMBERS.sub("N", _QUOTES.sub('"…"', command[:_LOOKED_AT])) if len(command) > _SHORT else command


_QUOTES = re.compile(r"\"(?:[^\"\\]|\\.){12,}(?:\"|\Z)|'[^']{12,}'|<<'?\w+'?.*", re.DOTALL)
_NUMBERS = re.compile(r"\d{2,}")
_SHORT, _LOOKED_AT = 20, 600
