"""Prompts that say nothing by themselves: a yes, a "go on". They never stand for what the user wants."""

from __future__ import annotations

_SAYING_YES = """
a ahead again alright all and as both carry continue cool do done exactly fine for go go-ahead good great hello hey hi it k keep left let's lets lgtm looks
more my next nice now off ok okay on one perfect please pls proceed resume right so sounds start sure thank thanks that the then this to try u
up where work working y yea yeah yep yes you yup
"""
_WORDS = frozenset(_SAYING_YES.split())
_LONGEST = 40


def says_nothing(prompt: str) -> bool:
    """Whether a prompt is only a yes or a "go on"."""
    text = prompt.strip().lower()
    if len(text) > _LONGEST:
        return False
    words = "".join(c if c.isalnum() or c in "'-" else " " for c in text).split()
    return all(word in _WORDS or (word.isdigit() and len(words) == 1) for word in words)
