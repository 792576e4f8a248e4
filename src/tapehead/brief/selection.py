"""Choosing what is handed back: by value per character, and a thing named once is worth more than one named again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.brief.sections import TITLES, WITHIN
from tapehead.work_record.named_things import things

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tapehead.brief.sections import Item


_FIRST = 1.3
"""What the best line under a prompt is worth more than the next one: each prompt wants an answer."""
LINK = 0.5
"""What it is worth to see two things together that were not yet: which function of which file, which flag."""
_LINKED = 6
"""How many things of one line are taken for linked: a line that names more is a list."""
PER_LINE = 1


SHARES = {
    "asked": 0.3,
    "answers": 0.3,
    "plan": 0.14,
    "earlier": 0.25,
    "errors": 0.12,
    "files": 0.14,
    "views": 0.08,
    "commands": 0.1,
    "rules": 0.2,
    "decided": 0.06,
    "written": 0.14,
}
"""What a section may take of the room while others still have something to say: a brief is read for all of them."""


MOST = {"views": 0.2, "commands": 0.14, "earlier": 0.3}
"""What a section may take of it at all: lists fill any room, and tell less with every line."""
SMALL_ROOM = 6_000
SMALL_SHARES = {"views": 0.1}
SMALL_MOST = {"views": 0.3}
"""Where few sentences fit, the names that the work is about tell more for their length."""


class Known(NamedTuple):
    """What the reader knows already: the things that were named to it, and the words of each sentence that it was told."""

    things: frozenset[str] = frozenset()
    sentences: tuple[frozenset[str], ...] = ()


NOTHING_KNOWN = Known()


def choose(items: Iterable[Item], weights: Mapping[str, float], room: int, known: Known = NOTHING_KNOWN) -> list[Item]:
    """Take the items of most value per character until the room is used; whole items only, no text twice.

    The value of an item only falls as others are taken, so one that still leads after a new count is the best. What is over
    its section's share waits until every section had its turn.
    """
    offered = list(items)
    heads = {(item.section, item.under): item for item in offered if item.under and item.section not in WITHIN}
    # A line whose head is not offered would stand under a stranger.
    offered = [one for one in offered if one.section not in WITHIN or (WITHIN[one.section], one.under) in heads]
    chooser = _Chooser(weights, room, known, heads)
    densities = [chooser.density(item) for item in offered]
    # The best stands last: taking it off there is cheap, and of equals the one that was offered first is taken first.
    ranked = sorted(range(len(offered) - 1, -1, -1), key=densities.__getitem__)
    waiting: list[int] = []
    last = False
    while ranked or (waiting and not last):
        if not ranked:
            ranked, waiting, chooser.shares = (
                waiting[::-1],
                [],
                {name: most * room for name, most in chooser.most.items()},
            )
            last = True
        n = ranked.pop()
        if not chooser.fits(offered[n]):
            continue
        densities[n] = chooser.density(offered[n])
        if not densities[n]:
            continue  # it would only fill the room: a heading with nothing under it, names that were all named
        if ranked and densities[n] < densities[ranked[-1]]:
            ranked.insert(_place(n, ranked, densities), n)
        elif chooser.is_over_share(offered[n]):
            waiting.append(n)
        else:
            chooser.take(offered[n])
    return chooser.taken


def _place(n: int, ranked: list[int], densities: list[float]) -> int:
    """Give the place of one among the others; `bisect` is a library of its own, and takes its room in memory."""
    low, high = 0, len(ranked)
    while low < high:
        middle = (low + high) // 2
        other = ranked[middle]
        before = densities[other] < densities[n] or (densities[other] == densities[n] and other > n)
        low, high = (middle + 1, high) if before else (low, middle)
    return low


class _Chooser:
    """What was taken so far, and what is left of the room."""

    def __init__(
        self, weights: Mapping[str, float], room: int, known: Known, heads: Mapping[tuple[str, str], Item]
    ) -> None:
        self.weights = weights
        self.room = room
        small = SMALL_SHARES if room < SMALL_ROOM else {}
        self.most = {**MOST, **(SMALL_MOST if room < SMALL_ROOM else {})}
        self.shares = {section: share * room for section, share in {**SHARES, **small}.items()}
        self.used: dict[str, int] = {}
        self.said: list[frozenset[str]] = list(known.sentences)
        self._words: dict[str, frozenset[str]] = {}
        self._compared: dict[str, tuple[int, int]] = {}
        self.named = set(known.things)
        self.heads = heads
        self.taken: list[Item] = []
        self.texts: set[str] = set()
        self.opened: set[str] = set()
        self.answered: set[str] = set()
        self.first = 1.0 if room < SMALL_ROOM else _FIRST
        self.linked: set[tuple[str, str]] = set()
        self._things: dict[str, tuple[str, ...]] = {}
        self._own = {thing: thing for thing in weights}  # each name is held once, however many items name it

    def fits(self, item: Item) -> bool:
        """Whether there is room for it, and its text was not taken already."""
        return item.text not in self.texts and self.cost(item, self.head(item)) <= self.room

    def is_over_share(self, item: Item) -> bool:
        """Whether its section has had its share."""
        section = item.section
        return section in self.shares and self.used.get(section, 0) + len(item.text) > self.shares[section]

    def news(self, item: Item) -> float:
        """How much of a sentence was not said yet: what stands in another one already is worth little."""
        words = self._content(item)
        if not words:
            return 1.0
        looked, shared = self._compared.get(item.text, (0, 0))  # what was said does not change: each is compared once
        if looked < len(self.said):
            shared = max(shared, *[len(words & said) for said in self.said[looked:]])
            self._compared[item.text] = len(self.said), shared
        most = shared / len(words)
        if most == 1.0:
            return 0.0  # no word of it is new
        return 1.0 if most < _ALIKE else max(_AGAIN, 1.0 - most)

    def _content(self, item: Item) -> frozenset[str]:
        if item.section not in _SENTENCES:
            return frozenset()
        found = self._words.get(item.text)
        if found is None:
            found = self._words[item.text] = content_of(item.text)
        return found

    def head(self, item: Item) -> Item | None:
        """Give the line that must be taken with this one, if it was not yet."""
        if item.section not in WITHIN:
            return None
        head = self.heads[WITHIN[item.section], item.under]
        return None if head.text in self.texts else head

    def cost(self, item: Item, head: Item | None) -> int:
        """Count the characters, those of the line above and of the section's heading included where they are new."""
        section = WITHIN.get(item.section, item.section)
        heading = 0 if section in self.opened else len(f"## {TITLES[section][0]}") + PER_LINE
        return len(item.text) + PER_LINE + heading + (len(head.text) + PER_LINE if head else 0)

    def density(self, item: Item) -> float:
        """Give what an item brings per character, as things stand."""
        head = self.head(item)
        first = self.first if item.under and item.section in WITHIN and item.under not in self.answered else 1.0
        value = self._value(item) * self.news(item) * first + (self._value(head) if head else 0.0)
        return value / self.cost(item, head)

    def _value(self, item: Item) -> float:
        value = item.worth
        named, weights = self._named(item), self.weights
        for thing in named:
            if thing not in self.named:
                value += weights[thing]
        for pair in _links(named):
            if pair not in self.linked:
                value += LINK * weights[pair[1]]
        return value

    def _named(self, item: Item) -> tuple[str, ...]:
        """Give what an item names, the weightiest first."""
        found = self._things.get(item.text)
        if found is None:
            weigh, own = self.weights.get, self._own
            named = [(weight, own[thing]) for thing in things(item.text) if (weight := weigh(thing))]
            named.sort(reverse=True)
            found = self._things[item.text] = tuple([thing for _, thing in named])
        return found

    def take(self, item: Item) -> None:
        """Take an item, with the line above it."""
        head = self.head(item)
        self.room -= self.cost(item, head)
        self.used[item.section] = self.used.get(item.section, 0) + len(item.text)
        self.opened.add(WITHIN.get(item.section, item.section))
        if item.section in WITHIN:
            self.answered.add(item.under)
        if words := self._content(item):
            self.said.append(words)
        for one in (head, item) if head else (item,):
            self.taken.append(one)
            self.texts.add(one.text)
            named = self._named(one)
            self.named.update(named)
            self.linked.update(_links(named))


_APART = dict.fromkeys([ord(c) for c in map(chr, range(128)) if not (c.isalnum() or c == "_")], " ")
_APART |= dict.fromkeys(map(ord, "“”‘’…→⇢—–·"), " ")  # noqa: RUF001  marks that stand between words
_SENTENCES = ("answers", "decided", "written", "earlier", "plan")
_A_WORD, _ALIKE, _AGAIN = 4, 0.5, 0.05


def content_of(sentence: str) -> frozenset[str]:
    """The words of a sentence that carry its meaning: the longer ones, and numbers."""
    words = sentence.lower().translate(_APART).split()
    return frozenset(word for word in words if len(word) >= _A_WORD or word[-1].isdigit())


def _links(named: tuple[str, ...]) -> list[tuple[str, str]]:
    """Give every two of the weightiest, the lighter one second; made anew each time, for there are too many to keep."""
    top = named[:_LINKED]
    return [(a, b) for n, b in enumerate(top) for a in top[:n]]
