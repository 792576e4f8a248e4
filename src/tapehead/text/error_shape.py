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
_STATUS = re.compile(
    r"^\[failed\]\s*|</?\w*error>|^(?:exit code|(?:process )?exited with (?:exit )?code):? *-?\d+\.?$", re.IGNORECASE
)
"""What agents write around an error, and what says no more than that there is one."""
_CODE = re.compile(r"\b(?=\w*\d)(?=\w*[A-Za-z])\w{4,}\b|\b\w*[a-z_][A-Z]\w*\b|\b[A-Z][A-Z_]{4,}\b")
"""A word that is a name or number of an error by itself: `E0382`, `ENOENT`, `getStagedFiles`."""


def shape(line: str) -> frozenset[str]:
    """The words of an error that are the same whenever it is met."""
    return frozenset(word.lower() for word in _WORD.findall(_VARIES.sub(" ", line)))


def telling(text: str) -> list[str]:
    """The lines of a text that tell an error, the last first; its last line where none does."""
    lines = [line for each in text.splitlines() if (line := bare(each))]
    told = [line[:LINE] for line in reversed(lines) if _TELLS.search(line) and len(shape(line)) > 1]
    return told or [line[:LINE] for line in reversed(lines) if shape(line)][:1]


def bare(line: str) -> str:
    """A line without what an agent put around it; twice, since what is left may say no more than that it failed."""
    return _STATUS.sub("", _STATUS.sub("", line.strip())).strip()


def asked_for(text: str) -> list[str]:
    """What a user gave of an error: the lines that tell it, or the last one, if it has but a name or a number in it."""
    lines = [line for each in text.splitlines() if (line := bare(each))]
    return telling(text) or [line[:LINE] for line in lines[-1:] if _CODE.search(line)]


def is_fragment(line: str) -> bool:
    """Whether a line says enough to be looked for as it stands: two words that are not about errors alone, or a name."""
    words = {word for word in _WORD.findall(line) if not _TELLS.fullmatch(word)}
    return len(words) > 1 or bool(_CODE.search(line))


def same_shape(text: str) -> str:
    """What two errors have in common that are surely the same; empty where the text tells too little."""
    told = telling(text)
    words = shape(told[0]) if told and _TELLS.search(told[0]) else frozenset()
    return " ".join(sorted(words)) if len(words) >= _ENOUGH else ""
