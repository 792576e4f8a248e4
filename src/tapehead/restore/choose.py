"""Choosing what is handed back: by value per character, and a thing named once is worth more than one named again."""

from __future__ import annotations

from bisect import insort

from tapehead.restore.sections import TITLES, WITHIN
from tapehead.transcript.things import things

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tapehead.restore.sections import Item

    _Named = tuple[list[tuple[str, float]], list[tuple[tuple[str, str], float]]]

LINK = 0.5
"""What it is worth to see two things together that were not yet: which function of which file, which flag."""
_LINKED = 6
"""How many things of one line are taken for linked: a line that names more is a list."""
PER_LINE = 1
_REST = " (9999 more)"


def choose(
    items: Iterable[Item], weights: Mapping[str, float], room: int, known: frozenset[str] = frozenset()
) -> list[Item]:
    """Take the items of most value per character until the room is used; whole items only, no text twice.

    The value of an item only falls as others are taken, so one that still leads after a new count is the best.
    """
    offered = list(items)
    heads = {(item.section, item.under): item for item in offered if item.under and item.section not in WITHIN}
    # A line whose head is not offered would stand under a stranger.
    offered = [one for one in offered if one.section not in WITHIN or (WITHIN[one.section], one.under) in heads]
    chooser = _Chooser(weights, room, set(known), heads)
    # The best stands last: taking it off there is cheap, and of equals the one that was offered first is taken first.
    ranked = sorted((chooser.density(item), -n) for n, item in enumerate(offered))
    while ranked:
        _, n = ranked.pop()
        item = offered[-n]
        if not chooser.fits(item):
            continue
        density = chooser.density(item)
        if ranked and density < ranked[-1][0]:
            insort(ranked, (density, n))
        else:
            chooser.take(item)
    return chooser.taken


class _Chooser:
    """What was taken so far, and what is left of the room."""

    def __init__(
        self, weights: Mapping[str, float], room: int, named: set[str], heads: Mapping[tuple[str, str], Item]
    ) -> None:
        self.weights = weights
        self.room = room
        self.named = named
        self.heads = heads
        self.taken: list[Item] = []
        self.texts: set[str] = set()
        self.opened: set[str] = set()
        self.linked: set[tuple[str, str]] = set()
        self._things: dict[str, _Named] = {}

    def fits(self, item: Item) -> bool:
        """Whether there is room for it, and its text was not taken already."""
        return item.text not in self.texts and self.cost(item, self.head(item)) <= self.room

    def head(self, item: Item) -> Item | None:
        """Give the line that must be taken with this one, if it was not yet."""
        if item.section not in WITHIN:
            return None
        head = self.heads[WITHIN[item.section], item.under]
        return None if head.text in self.texts else head

    def cost(self, item: Item, head: Item | None) -> int:
        """Count the characters, those of the line above and of the section's heading included where they are new."""
        section = WITHIN.get(item.section, item.section)
        heading = 0 if section in self.opened else len(f"## {TITLES[section][0]}{_REST}") + PER_LINE
        return len(item.text) + PER_LINE + heading + (len(head.text) + PER_LINE if head else 0)

    def density(self, item: Item) -> float:
        """Give what an item brings per character, as things stand."""
        head = self.head(item)
        value = self._value(item) + (self._value(head) if head else 0.0)
        return value / self.cost(item, head)

    def _value(self, item: Item) -> float:
        value = item.worth
        things_, links = self._named(item)
        for thing, weight in things_:
            if thing not in self.named:
                value += weight
        for pair, weight in links:
            if pair not in self.linked:
                value += LINK * weight
        return value

    def _named(self, item: Item) -> _Named:
        """Give what an item names, and every two of the weightiest of it with the weight of the lighter one."""
        found = self._things.get(item.text)
        if found is None:
            weigh = self.weights.get
            named = [(weight, thing) for thing in things(item.text) if (weight := weigh(thing))]
            named.sort(reverse=True)
            top = named[:_LINKED]
            links = [((a, b), weight) for n, (weight, b) in enumerate(top) for _, a in top[:n]]
            found = self._things[item.text] = ([(thing, weight) for weight, thing in named], links)
        return found

    def take(self, item: Item) -> None:
        """Take an item, with the line above it."""
        head = self.head(item)
        self.room -= self.cost(item, head)
        self.opened.add(WITHIN.get(item.section, item.section))
        for one in (head, item) if head else (item,):
            self.taken.append(one)
            self.texts.add(one.text)
            named, links = self._named(one)
            self.named.update(thing for thing, _ in named)
            self.linked.update(pair for pair, _ in links)
