"""A context, ready to be asked what it holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.benchmark.named import place_names

if TYPE_CHECKING:
    from collections.abc import Callable

    Item = str | tuple[str, str]

NEAR = 120
"""Characters between two names that a reader still takes for a link: a line of prose, or a line and its heading."""
_WORDS = re.compile(r"[\w'-]+")


class Held:
    """What a text holds. Each probe has its own way of finding an item again."""

    def __init__(self, text: str) -> None:
        self.flat = flat(text)
        self.lower = self.flat.lower()
        self.words = f" {' '.join(words(text))} "
        self.places: dict[str, list[int]] = {}
        for place, name in place_names(text):
            self.places.setdefault(name, []).append(place)

    def holds(self, probe: str, item: Item) -> bool:
        """Whether an item of a probe is there."""
        return _WAYS[probe](self, item)

    def _name(self, name: Item) -> bool:
        return name in self.places

    def _link(self, link: Item) -> bool:
        one, other = (self.places.get(name, ()) for name in link)
        return any(abs(here - there) <= NEAR for here in one for there in other)

    def _command(self, command: Item) -> bool:
        return str(command) in self.flat

    def _said(self, run: Item) -> bool:
        return f" {run} " in self.words

    def _open(self, item: Item) -> bool:
        return str(item) in self.lower


_WAYS: dict[str, Callable[[Held, Item], bool]] = {
    "names": Held._name,  # noqa: SLF001  the table of this class
    "links": Held._link,  # noqa: SLF001  as above
    "commands": Held._command,  # noqa: SLF001  as above
    "words": Held._said,  # noqa: SLF001  as above
    "open": Held._open,  # noqa: SLF001  as above
}
PROBES = tuple(_WAYS)


def flat(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def words(text: str) -> list[str]:
    """The words of a text, without case and punctuation."""
    return _WORDS.findall(text.lower())
