"""Choosing what is handed back: by value per character, where naming a thing once is worth more than naming it again."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from tapehead.transcript.things import things

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tapehead.restore.sections import Item

LINK = 0.5
"""What it is worth to see two things together that were not seen together yet: which function of which file, which flag."""
_LINKED = 6
"""How many things of one line are taken for linked: a line that names more is a list."""
PER_LINE = 1
HEADING = 34
"""What a section's heading takes, with what it says of the rest."""


def choose(items: Iterable[Item], weights: Mapping[str, float], room: int, known: frozenset[str] = frozenset()) -> list[Item]:
    """Take the items of most value per character until the room is used; whole items only, no text twice.

    The value of an item only falls as others are taken, so one that still leads after its value was taken anew is the best.
    """
    offered = list(items)
    heads = {item.under: item for item in offered if item.section == "files" and item.under}
    chooser = _Chooser(weights, room, set(known), heads)
    heap = [(-chooser.density(item), n, item) for n, item in enumerate(offered)]
    heapify(heap)
    while heap:
        _, n, item = heappop(heap)
        if chooser.knows(item) or chooser.cost(item) > chooser.room:
            continue
        density = chooser.density(item)
        if heap and density < -heap[0][0]:
            heappush(heap, (-density, n, item))
        else:
            chooser.take(item)
    return chooser.taken


class _Chooser:
    """What was taken so far, and what is left of the room."""

    def __init__(self, weights: Mapping[str, float], room: int, named: set[str], heads: Mapping[str, Item]) -> None:
        self.weights = weights
        self.room = room
        self.named = named
        self.heads = heads
        self.taken: list[Item] = []
        self.texts: set[str] = set()
        self.opened: set[str] = set()
        self.linked: set[tuple[str, str]] = set()
        self._things: dict[str, list[tuple[str, float]]] = {}

    def knows(self, item: Item) -> bool:
        return item.text in self.texts

    def head(self, item: Item) -> Item | None:
        """The line that must be taken with this one, if it was not yet."""
        head = self.heads.get(item.under) if item.section == "lines" else None
        return head if head is not None and head.text not in self.texts else None

    def cost(self, item: Item) -> int:
        """Count the characters, those of the line above and of the section's heading included where they are new."""
        head = self.head(item)
        heading = 0 if item.section in self.opened or head else HEADING
        return len(item.text) + PER_LINE + heading + (len(head.text) + PER_LINE if head else 0)

    def value(self, item: Item) -> float:
        named = self._things.get(item.text)
        if named is None:
            named = sorted(((t, w) for t in things(item.text) if (w := self.weights.get(t, 0.0))), key=lambda one: (-one[1], one[0]))
            self._things[item.text] = named
        news = sum(weight for thing, weight in named if thing not in self.named)
        links = sum(weight for pair, weight in self._links(named) if pair not in self.linked)
        return item.worth + news + LINK * links

    @staticmethod
    def _links(named: list[tuple[str, float]]) -> Iterator[tuple[tuple[str, str], float]]:
        """Every two things of a line, the weightiest ones, with the weight of the lighter."""
        return (((a, b), weight) for n, (b, weight) in enumerate(named[:_LINKED]) for a, _ in named[:n])

    def density(self, item: Item) -> float:
        head = self.head(item)
        value = self.value(item) + (self.value(head) if head else 0.0)
        return value / self.cost(item)

    def take(self, item: Item) -> None:
        head = self.head(item)
        self.room -= self.cost(item)
        self.opened |= {item.section, "files" if item.section == "lines" else item.section}
        for one in (head, item) if head else (item,):
            self.taken.append(one)
            self.texts.add(one.text)
            named = self._things.get(one.text, [])
            self.named.update(thing for thing, _ in named)
            self.linked.update(pair for pair, _ in self._links(named))
