"""What Copilot's own record says that the model got from hooks: what was sent with a prompt stands there, hooks' words in a mark of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.copilot.transcript import HOOKS_WORDS
from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, within, word

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROMPT = b'"user.message"'


def received(path: str, offset: int = 0) -> Iterator[str]:
    """The texts, in file order, from a byte on."""
    for _, line in jsonl.lines(path, offset):
        if _PROMPT in line:
            yield from HOOKS_WORDS.findall(word(within(entry_of(line), "data"), "transformedContent"))
