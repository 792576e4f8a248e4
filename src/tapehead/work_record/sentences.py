"""Sentences of spoken text, without what is code, quoted, or a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`\"'(*])")
_LIST_MARK = re.compile(r"^(?:[-*>]\s+|•\s+|[0-9]+[.)]\s+|#+\s+|\[[ x]\]\s+)+")
_MARKS = frozenset("-*>•#[0123456789")
"""What such a mark begins with: most lines are told apart by their first letter."""


def sentences(text: str, longest: int = 300, shortest: int = 13) -> list[str]:
    """Take the sentences of a text in order, without code blocks, quotes, tables and the marks of lists.

    A short line stays whole, unless short sentences are asked for.
    """
    return list(each_sentence(text, longest, shortest))


def each_sentence(text: str, longest: int = 300, shortest: int = 13) -> Iterator[str]:
    """Take them one by one, for those who may soon have enough."""
    for line in prose(text):
        yield from split_sentences(strip_marks(line), longest, shortest)


def strip_marks(line: str) -> str:
    """Take the marks of a list off a line, and those of bold words."""
    return (_LIST_MARK.sub("", line) if line[0] in _MARKS else line).replace("**", "")


def split_sentences(bare: str, longest: int = 300, shortest: int = 13) -> list[str]:
    """Take the sentences of one line."""
    whole = _SHORT if shortest > _A_WORD else 0
    return [one for one in (_END.split(bare) if len(bare) > whole else [bare]) if shortest <= len(one) <= longest]


def first_that_tells(text: str) -> str:
    """Take the first sentence that says something by itself, and look no further."""
    for line in prose(text):
        for one in split_sentences(strip_marks(line)):
            if tells(one):
                return flat(one)
    return ""


def prose(text: str) -> Iterator[str]:
    """Take the lines of a text that are spoken: outside of code fences, quotes and tables."""
    inside = False
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("```"):
            inside = not inside
        elif line and not inside and line[0] not in ">|":
            yield line


def unwrap_lines(text: str) -> str:
    """A text whose lines were broken to a width, with the broken ones joined again; lists, headings and code stay as they are."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        bare, last = line.strip(), lines[-1].rstrip() if lines else ""
        fence = bare.startswith("```")
        begins = bare[:1].isalnum() or bare.startswith(("`", "(", '"'))
        goes_on = bare[:1].islower() or (begins and len(last) >= _BROKEN_AT)
        joins = last and not last.endswith((".", ":", "!", "?", "|", "```")) and not _LIST_MARK.match(f"{bare} ")
        if goes_on and joins and not (inside or fence or last.startswith(("#", "```"))):
            lines[-1] = f"{last} {bare}"
        else:
            lines.append(line)
        inside ^= fence
    return "\n".join(lines)


_BROKEN_AT = 45


def flat(text: str) -> str:
    """Put a text on one line."""
    return " ".join(text.split())


_SHORT = 60
_A_WORD = 12

_ANNOUNCES = re.compile(
    r"(?:Now|Next|First|Then|Good|Great|Perfect|OK|Okay|Alright)?[,.!]?\s*"
    r"(?:[Ll]et me|[Ll]et's|I'll|I will|I need to|I should|Let us)\b"
)
_DECIDES = re.compile(
    r"\b(?:will|let us) (?:use|go with|keep|stick|switch to|avoid)\b|(?:I'll|[Ll]et's) (?:use|go with|keep|stick|switch to|avoid)\b|"
    r"\b(?:because|instead(?: of)?|rather than|(?:different|another|alternative|simpler|better|cleaner) (?:approach|way|solution|design))\b"
)
"""What is announced with its reason, or as a choice, holds after the step is over."""
_CODE_SPAN = re.compile(r"`[^`]*`")
_FEW = 5


def announces(sentence: str) -> bool:
    """Whether a sentence only says what is done next: by now it is over."""
    return _ANNOUNCES.match(sentence) is not None and _DECIDES.search(sentence) is None


def tells(sentence: str) -> bool:
    """Whether a sentence says something by itself: no heading, no bare name, and no step that is over by now."""
    if sentence.endswith((":", "?")) or not (sentence[0].isalpha() or sentence[0] in "`\"'(") or announces(sentence):
        return False
    words = (_CODE_SPAN.sub("", sentence) if "`" in sentence else sentence).split()
    if "/" in sentence or "_" in sentence:
        words = [word for word in words if "/" not in word and "_" not in word]
    return len(words) >= _FEW
