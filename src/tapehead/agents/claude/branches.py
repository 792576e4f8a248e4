"""Which branch of a conversation lives: the parent links of Claude Code's prompts tell what the user took back.

A prompt that was cancelled before an answer, and turns that were left by /rewind, stay in the file. The next prompt then hangs on the same
parent as the first of them. Only that counts: results of tools, attachments and compactions branch and break off for other reasons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.claude.blocks import Blocks
from tapehead.agents.claude.prompts import is_old_summary, is_typed, own_words
from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LOOKED_BACK = 4 * 1024 * 1024
"""Bytes before the part that is read in which the parent of its first prompt is looked for."""


class Branches:
    """The prompts that live, as far as a record was read, each with the parent that it hangs on."""

    def __init__(self, look_back: Callable[[str, str], tuple[int, str]] | None = None) -> None:
        self.count = 0
        self.living: list[Any] = []  # parent, id, number and time of each
        self.linked = False
        self._keys: set[str] = set()
        self._of: list[Any] | None = None
        """The list that the keys are of: most prompts hang on a parent of their own, and nobody looks through all for them."""
        self._look_back = look_back
        """Finds what a prompt drops of the part before the one that is read; None where all is read."""

    def link(self, entry: dict[str, Any]) -> None:
        """Take notice of a line: only where lines are linked at all, a missing link means something."""
        self.linked = self.linked or bool(entry.get("parentUuid"))

    def begin(self, entry: dict[str, Any]) -> tuple[int, str]:
        """Take a prompt that begins a turn: how many turns before it are dropped by it, and when the first of them began."""
        self.count += 1
        ident, parent = word(entry, "uuid"), entry.get("parentUuid")
        if not ident or "parentUuid" not in entry:
            return 0, ""
        key, time = f"{word(entry, 'sessionId')}/{parent or ''}", word(entry, "timestamp")
        # One of the same moment is a copy, as a resumed session may have it of the one before.
        if self._of is not self.living:
            self._of, self._keys = self.living, {one[0] for one in self.living}
        at = self._sibling(key, ident, time) if key in self._keys else None
        dropped = (0, "")
        if at is not None and (parent or self.linked):
            _, _, number, began = self.living[at]
            dropped = self.count - number, began
            del self.living[at:]
            self._of = None
        elif self._look_back is not None and isinstance(parent, str):
            back, began = self._look_back(parent, ident)
            dropped = (back + self.count - 1, began) if back and began != time else dropped
        self.living.append((key, ident, self.count, time))
        self._keys.add(key)
        return dropped

    def _sibling(self, key: str, ident: str, time: str) -> int | None:
        """Where the first living prompt stands that hangs on the same parent."""
        found = (n for n, one in enumerate(self.living) if one[0] == key and one[1] != ident and one[3] != time)
        return next(found, None)


def branches_of(path: str, offset: int) -> Branches:
    """Follow the branches of a record that is read from a byte on."""

    def look_back(parent: str, ident: str) -> tuple[int, str]:
        prompts = [entry for entry in _since_sibling(path, offset, parent, ident) if is_prompt(entry)]
        return (len(prompts), word(prompts[0], "timestamp")) if prompts else (0, "")

    return Branches(look_back if 0 < offset <= jsonl.size(path) and not jsonl.is_packed(path) else None)


def is_prompt(entry: dict[str, Any]) -> bool:
    """Whether a line is a prompt that begins a turn of the session's own."""
    if entry.get("type") != "user" or entry.get("isSidechain") or entry.get("isMeta"):
        return False
    text, results = Blocks().told(entry)
    summary = entry.get("isCompactSummary") or is_old_summary(entry, text)
    return not (results or summary) and bool(own_words(text, typed=is_typed(entry)))


def _since_sibling(path: str, offset: int, parent: str, ident: str) -> Iterator[dict[str, Any]]:
    """Give the `user` lines before an offset, from the first other prompt on the same parent on."""
    start = max(0, offset - LOOKED_BACK)
    with jsonl.open_jsonl(path) as file:
        file.seek(start)
        part = file.read(offset - start)
    mark = f'"parentUuid":"{parent}"'.encode()
    at = max(0, part.rfind(f'"uuid":"{parent}"'.encode()))
    found = False
    for line in part[part.find(mark, at) :].split(b"\n") if mark in part[at:] else ():
        # The first is cut where its parent is named, which is how a line begins.
        entry = entry_of(line if line.startswith(b"{") else b"{" + line) if b'"type":"user"' in line else {}
        other = entry.get("parentUuid") == parent and entry.get("uuid") != ident
        found = found or (other and is_prompt(entry))
        if found:
            yield entry
