"""Whether a value looks drawn by lot. Pure."""

from __future__ import annotations

LIKELY_RANDOM = 3.0
"""Bits per character above which a value is no word: `changeme` has 2.8, a random key of 20 characters about 4."""

_LOOKED_AT = 512
"""Characters that tell enough of a value: a hostile text may be one long value behind a thousand names."""


def is_random(value: str, bits: float = LIKELY_RANDOM) -> bool:
    """Whether a value looks drawn by lot: letters and digits mixed, no code, and much information per character."""
    value = value[:_LOOKED_AT]
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    code = any(c in "(){}[]<>" for c in value)
    return mixed and not code and entropy(value) >= bits


def entropy(value: str) -> float:
    """Bits per character."""
    from math import log2  # noqa: PLC0415  a library of its own, for the few values that are looked at so closely

    counts = [value.count(c) for c in set(value)]
    return -sum(count / len(value) * log2(count / len(value)) for count in counts)
