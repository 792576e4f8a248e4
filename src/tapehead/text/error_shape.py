"""The shape of an error: what is left of it without what differs from run to run, such as paths, numbers, addresses and quoted names. Pure."""

from __future__ import annotations

import re

LINE = 300
"""Characters of a line that are looked at."""
_ENOUGH = 3
"""Words that a shape must have before one is surely the other."""
_VARIES = re.compile(
    r"0x[0-9a-f]+|\b[0-9a-f]{7,64}\b|(?:[a-z]:)?(?:[\w.@~-]*[/\\])+[\w.@-]*|\b\d[\d.,:_-]*(?:ms|s|kb|mb|gb)?\b|'[^']*'|\"[^\"]*\"|`[^`]*`",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z][a-z_]{1,}", re.IGNORECASE)
_TELLS = re.compile(
    r"error|exception|fail|fatal|panic|cannot|can't|could not|unable|undefined|not found|no such|denied|refused|invalid|unexpected"
    r"|missing|mismatch|traceback|timed? ?out",
    re.IGNORECASE,
)


def shape(line: str) -> frozenset[str]:
    """The words of an error that are the same whenever it is met."""
    return frozenset(word.lower() for word in _WORD.findall(_VARIES.sub(" ", line)))


def telling(text: str) -> list[str]:
    """The lines of a text that tell an error, the last first; its last line where none does."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = [line[:LINE] for line in reversed(lines) if _TELLS.search(line) and len(shape(line)) > 1]
    return told or [line[:LINE] for line in reversed(lines) if shape(line)][:1]


def same_shape(text: str) -> str:
    """What two errors have in common that are surely the same; empty where the text tells too little."""
    told = telling(text)
    words = shape(told[0]) if told and _TELLS.search(told[0]) else frozenset()
    return " ".join(sorted(words)) if len(words) >= _ENOUGH else ""
