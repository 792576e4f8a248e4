"""What tapehead itself put into a conversation, or printed when an agent asked it: no search finds that again. Pure."""

from __future__ import annotations

import re

from tapehead.history import layers

_NAME = "tapehead"
_HEADS = ("# The work so far:", "## Remembered across sessions")
"""How texts begin that are handed to a model."""
_COMMAND = re.compile(r"^(?:command|cmd): ?(?:\S*/)?tapehead\b(?![^\n]*(?:&&|;|\|\|))", re.MULTILINE)
"""A call of a command that does nothing but ask tapehead."""
_PRINTED = re.compile(r"^\s*tapehead detail (?:turn \d|[\w-]+/\d)", re.MULTILINE)
"""A line that only the commands themselves print."""
_DETAIL = re.compile(r"Turn \d+ of session \w")
"""How they begin."""
_BEGINNING = 4_000
"""Characters of a result that are looked at for them."""


def is_ours(kind: str, name: str, body: str) -> bool:
    """Whether an entry is none of the conversation's own words."""
    if kind == layers.TAKEN_BACK:
        return True
    if kind == layers.HOOK:
        return _NAME in body or body.lstrip().startswith(_HEADS)
    if kind == layers.CALL:
        return _NAME in name or (_NAME in body and bool(_COMMAND.search(body)))
    if kind == layers.RESULT:
        begins = body[:_BEGINNING]
        printed = _DETAIL.match(begins) or begins.startswith(_HEADS) or (_NAME in begins and _PRINTED.search(begins))
        return _NAME in name or bool(printed)
    return False
