"""A report in which every text is an attack: prompts, results, names of files, branches and tools, commits, rules."""

from __future__ import annotations

import itertools

import attrs
from payloads import payloads

from report_example import report
from tapehead.report.report_values import Excerpt

_KEPT = {"kind", "phase", "was", "to", "event", "where", "delivery"}
"""Words of ours: what they may be is known where they are made."""


def hostile():
    """The example with its texts replaced, over and over until each payload was used in every sort of place."""
    found = report()
    # Enough turns that every payload is a prompt, a path, a tool, a command and a result.
    turns = tuple(
        attrs.evolve(turn, number=number)
        for number, turn in enumerate(itertools.islice(itertools.cycle(found.turns), 40), 1)
    )
    return _replaced(attrs.evolve(found, turns=turns), itertools.cycle(payloads()))


def _replaced(value, words, name=""):
    if isinstance(value, str):
        return next(words) if value and name not in _KEPT else value
    if isinstance(value, Excerpt):
        text = f"{next(words)}\n{next(words)}"
        return Excerpt(text, len(text), len(text)) if value.text else value
    if isinstance(value, tuple):
        return tuple(_replaced(item, words, name) for item in value)
    if attrs.has(type(value)):
        fields = attrs.fields(type(value))
        return type(value)(*(_replaced(getattr(value, one.name), words, one.name) for one in fields))
    return value
