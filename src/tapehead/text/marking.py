"""Which parts of a text are marked because they were looked for: whole words, and parts of names that are written as one. Pure."""

from __future__ import annotations

import re


def places(words: tuple[str, ...]) -> re.Pattern[str]:
    """Where any of some words stands: `use` not in `because`, but `Header` in `parseHeader`; neighbours within a name are one place."""
    escaped = [re.escape(word) for word in sorted(words, key=len, reverse=True)]
    inside = "|".join(word for word in escaped if not word[0].islower())  # also scripts without spaces
    first = "|".join(word for word in escaped if word[0].islower())
    parts = [*([f"(?<![A-Za-z0-9])(?:{first})"] if first else []), *([f"(?:{inside})"] if inside else [])]
    return re.compile(f"(?:(?:{'|'.join(parts)})(?![a-z0-9]))+")
