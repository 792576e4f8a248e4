"""Gemini's session files, of both formats, as messages: one document, or lines that add, replace, rewind and patch.

What the lines look like was found by running the client: the same id again is the same message, now with more in it; `$set.messages` is
the model's history as it is from there on, with copies of what stands above it, and the only sign of a compression; after a
resume the header and that history come again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.gemini import prompts
from tapehead.agents.gemini.messages import text_of
from tapehead.transcript import jsonl, packed_files
from tapehead.transcript.entries import MOST, dicts, entry_of, within, word

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Message = dict[str, Any]

_LARGEST = 128 * 1024 * 1024
"""A document beyond this is not read: it would have to be held in memory at once."""


class Session:
    """What the lines say of the session, and which messages they bring."""

    def __init__(self, seen: set[str] | None = None, *, from_start: bool = True) -> None:
        self.about: dict[str, Any] = {}
        self.seen = set() if seen is None else seen
        self.from_start = from_start
        """Whether all that went before was seen: if not, a copy cannot be told from the first of its kind."""

    def take(self, entry: dict[str, Any]) -> Iterator[Message]:
        """Read one line, or a whole document: the messages that it adds, or brings anew."""
        patch = within(entry, "$set")
        if "$rewindTo" in entry:
            return
        if patch or "messages" in entry:
            self._note(patch or entry)
            yield from self._history(patch or entry)
        elif word(entry, "id"):
            self.seen.add(entry["id"])
            yield entry
        else:
            self._note(entry)

    def _note(self, entry: dict[str, Any]) -> None:
        self.about |= {key: value for key, value in entry.items() if key != "messages"}

    def _history(self, entry: dict[str, Any]) -> Iterator[Message]:
        """Give what is new in a history: what the agent itself put there, and where all before it was seen, all of it."""
        for message in dicts(entry, "messages"):
            ident = word(message, "id")
            if ident in self.seen:
                continue
            if self.from_start or prompts.is_hosts(text_of(message.get("content"))):
                self.seen.add(ident)
                yield message


def is_document(path: str) -> bool:
    """Whether a file is one document, not lines."""
    return packed_files.plain_name(path).endswith(".json")


def entries(path: str, offset: int = 0, *, final: bool = True) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (the byte after it, the entry) for every line from a byte on.

    A document is one entry, whatever the offset, and has nothing new where it ends at the offset. One that is torn is left for later.
    """
    if not is_document(path):
        yield from ((at, entry_of(line)) for at, line in jsonl.lines(path, offset, final=final))
        return
    with jsonl.open_jsonl(path) as file:
        text = file.read(_LARGEST)
    if len(text) not in (offset, _LARGEST):
        found = [entry_of(text, 10 * MOST)]
        # Some keep lines under the name of a document.
        yield from ((len(text), entry) for entry in (found if found[0] else map(entry_of, text.splitlines())) if entry)
