"""Whether two sayings are about the same, and whether they agree. Pure, and by their words alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+(?:['\u2019][a-z]+)?")
_SAY_LITTLE = """a an and are as at be been but by can do does for from has have i if in into is it its just like me my of on or our please so
that the their them then there they this to too us use used using was we were what when will with would you your remember forget note
general default ok okay yes also want prefer actually instead again time now longer"""
_FORBID = "never not no don't dont doesn't shouldn't mustn't can't cannot without stop avoid nor neither"
_INSIST = "always must should every only make sure"
EMPTY = frozenset(f"{_SAY_LITTLE} {_FORBID} {_INSIST}".split())
_AGAINST = re.compile(
    r"\b(?:never|do not|don['\u2019]?t|must ?n['o\u2019]t|should ?n['o\u2019]t|cannot|can['\u2019]t|avoid|stop|no)\b|^not\b"
)
"""What forbids. That something `did not` happen forbids nothing."""
SAME, ABOUT = 0.7, 0.5
"""Shares of common words from which two sayings say the same, and from which they are about the same."""
_FEWEST = 2


def words(text: str) -> frozenset[str]:
    """The words that carry what is said, in one form each."""
    found = (_stem(word.replace("\u2019", "'")) for word in _WORD.findall(text.lower()))
    return frozenset(word for word in found if word not in EMPTY)


def alike(one: str, other: str) -> float:
    """How much of the shorter saying is in the other, from 0 to 1; sayings of one word are alike only if they are equal."""
    a, b = words(one), words(other)
    if min(len(a), len(b)) < _FEWEST:
        return float(a == b and bool(a))
    return len(a & b) / min(len(a), len(b))


def same(one: str, other: str) -> bool:
    """Whether they say the same, or the first is a part of the other or the other way round, in all its words."""
    a, b = words(one), words(other)
    if against(one) != against(other) or not a or not b:
        return False
    return len(a & b) >= SAME * len(a | b) or (min(len(a), len(b)) >= _FEWEST and (a <= b or b <= a))


def is_contained(one: str, other: str) -> bool:
    """Whether the other says all of it: a saying that changes something has words that the one before it had not."""
    return against(one) == against(other) and words(one) <= words(other)


def contradict(one: str, other: str) -> bool:
    """Whether they are about the same, and one is for it and the other against."""
    return alike(one, other) >= ABOUT and against(one) != against(other)


def against(text: str) -> bool:
    """Whether a saying forbids."""
    return bool(_AGAINST.search(text.lower()))


def said_already(text: str, others: Iterable[str]) -> bool:
    """Whether one of the others says it."""
    return any(same(text, other) for other in others)


def _stem(word: str) -> str:
    """Plural and present as one: `tests` is `test`, `writes` is `write`."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word  # noqa: PLR2004 - `gas`
