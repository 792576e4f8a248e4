"""Whether a line of a project's instructions says what somebody wants remembered, in other words too. Pure."""

from __future__ import annotations

import re

from tapehead.history.english import forms
from tapehead.history.stemming import stem
from tapehead.memories import likeness

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019]t)?|[,;:.!?()]")
_NEGATING = frozenset(
    [
        "never",
        "not",
        "no",
        "don't",
        "dont",
        "doesn't",
        "won't",
        "without",
        "avoid",
        "nor",
        "neither",
        "except",
        "forbid",
    ]
)
_ENDS = frozenset(",;:.!?()")
_CARRIES_ON = frozenset(("or", "nor", "and"))
_FEWEST = 2
_ENOUGH = 0.6
"""The share of what is to be remembered that the line has."""


def restates(text: str, line: str) -> bool:
    """Whether the line has most of its words, none of them for where the other is against, and every number."""
    asked, there = _said(text), _said(line)
    shared = asked.keys() & there.keys()
    if len(shared) < _FEWEST or any(asked[word] != there[word] for word in shared):
        return False
    if any(word.isdigit() and word not in there for word in asked):
        return False
    return sum(map(_weight, shared)) >= _ENOUGH * sum(map(_weight, asked))


def _weight(word: str) -> int:
    """A number is half of what is said."""
    return 2 if word.isdigit() else 1


def _said(text: str) -> dict[str, bool]:
    """The words that carry what is said, each in its first form, and whether it is denied. A denial reaches to the end of its clause."""
    found: dict[str, bool] = {}
    denied = False
    for word in _TOKEN.findall(
        text.lower().replace("\u2019", "'").replace("instead of", "not").replace("rather than", "not")
    ):
        if word in _ENDS:
            denied = False
        elif word in _NEGATING:
            denied = True
        elif word not in _CARRIES_ON and word not in likeness.EMPTY:
            found[stem(forms(word)[-1])] = denied
    return found
