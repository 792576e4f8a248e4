"""What Droid's own record says that hooks told the model: it writes down what each of them printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.droid.transcript import hooks_words
from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, within

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOOKS = b'"hookResults"'


def received(path: str, offset: int = 0) -> Iterator[str]:
    """The texts, in file order, from a byte on."""
    for _, line in jsonl.lines(path, offset):
        if _HOOKS in line:
            yield from hooks_words(within(entry_of(line), "message"))
