"""Which entries have which words of a question: row lists of the indexes, each as far back as pays.

The indexes hold no places and no counts, which makes them small; what ranks is how rare a word is and how many of them meet. A list
is read from its newest end and no further than a cap, so that a million entries cost no more than some thousand; beyond the cap a
common word is only looked for where a rarer one is.
"""

from __future__ import annotations

from itertools import combinations
from math import log
from typing import TYPE_CHECKING, NamedTuple

from tapehead.history.index_vocabulary import Vocabulary
from tapehead.history.renewal import INDEXES, TOOLS_INDEX, Table, tables_of
from tapehead.history.stemming import stem, surely

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tapehead.history.database import Database
    from tapehead.history.filters import Narrowing
    from tapehead.history.question import Term

CAP = 400
"""Entries of a word, in one index, that are looked at wherever they are."""
_ALIKE = 0.5
"""What a word counts that only begins like the one that was asked for, or is spelt almost so."""
_MEANT = 0.4
"""What another word for the same thing counts; less where all such words together are more common than the word."""
_SELDOM = 5
"""A word that is found no oftener may be the beginning of another."""
_BEGINS, _TYPED = 5, 3
"""Letters that two words must share: of the stem where the word is known, of the word as typed where it is not."""
_SHARED = 6
_SLIPS = 2
"""Words of a question that nobody ever said and whose close spellings are looked for: each takes some hundred looks into the index."""
_KIN = 16
"""Words with the same beginning, beside a word that is known."""


class Postings(NamedTuple):
    """For each entry, how much it has of each term; and how rare each term is."""

    entries: dict[int, dict[int, float]]
    rarity: list[float]


def postings(database: Database, where: Narrowing, terms: Sequence[Term], total: int) -> Postings:
    """Look all words up."""
    entries: dict[int, dict[int, float]] = {}
    counts, alike = [0] * len(terms), [0] * len(terms)
    meant: list[set[int]] = [set() for _ in terms]
    lookups = [_Lookup(database, index, where, terms) for index in INDEXES]
    known = [any(lookup.has(term) for lookup in lookups) for term in terms]
    slips = [at for at, is_known in enumerate(known) if not is_known][:_SLIPS]
    for lookup in lookups:
        lists = [lookup.rows(term, known=known[at], slips=at in slips) for at, term in enumerate(terms)]
        for at, found in enumerate(lists):
            counts[at] += sum(weight == 1.0 for weight in found.values())
            alike[at] += len(found)
            _add(entries, at, found.items())
            meant[at].update(lookup.meant(terms[at]))
        for at, rows in lookup.beyond(lists):
            _add_alike(entries, at, rows, 1.0)
    counts = [count or like or len(others) for count, like, others in zip(counts, alike, meant, strict=True)]
    total = max(total, *counts, 1)
    rarity = [_rarity(count, total) for count in counts]
    for at, others in enumerate(meant):
        share = _MEANT * min(1.0, _rarity(len(others), total) / rarity[at])
        _add_alike(entries, at, others, share)
    return Postings(entries, [one * term.weight for one, term in zip(rarity, terms, strict=True)])


def _rarity(count: int, total: int) -> float:
    return log(1 + (total - count + 0.5) / (count + 0.5))


def _add(entries: dict[int, dict[int, float]], at: int, found: Iterable[tuple[int, float]]) -> None:
    for ident, weight in found:
        has = entries.get(ident)
        if has is None:
            entries[ident] = {at: weight}
        elif has.get(at, 0.0) < weight:
            has[at] = weight


def _add_alike(entries: dict[int, dict[int, float]], at: int, found: Iterable[int], weight: float) -> None:
    for ident in found:
        has = entries.get(ident)
        if has is None:
            entries[ident] = {at: weight}
        elif at not in has or has[at] < weight:
            has[at] = weight


class _Lookup:
    """One index, and one question."""

    def __init__(self, database: Database, index: str, where: Narrowing, terms: Sequence[Term]) -> None:
        self.database = database
        self.index = index
        self.where = where
        self.tables = tables_of(database, index)
        self.is_halved = len(self.tables) > 1
        """Whether part of the words is still in the old index, of which the vocabulary knows nothing."""
        self.vocabulary = Vocabulary(database, index)
        self.expressions: list[str] = []
        self.known = self.vocabulary.known({word for term in terms for word in (*term.forms, *term.joined)})

    def has(self, term: Term) -> bool:
        """Whether the index knows the word, in any form."""
        return not self.known.isdisjoint((*term.forms, *term.joined))

    def rows(self, term: Term, *, known: bool, slips: bool) -> dict[int, float]:
        """The newest entries that have a term, and how much each has of it."""
        words = [word for word in (*term.forms, *term.joined) if word in self.known]
        expression = _either(words or term.forms)
        if self.is_halved and len(root := surely(stem(term.word))) >= _TYPED and not term.exact:
            expression = f'({expression} OR "{root}" *)'
        self.expressions.append(expression)
        found = dict.fromkeys(self._match(expression) if words or self.is_halved else (), 1.0)
        if len(found) < CAP and not term.exact and (kin := self._kin(term, found, known=known, slips=slips)):
            for row in self._match(kin):
                found.setdefault(row, _ALIKE)
        return found

    def _kin(self, term: Term, found: dict[int, float], *, known: bool, slips: bool) -> str:
        """Words that are like it: of the same beginning, or one slip away where nobody knows the word."""
        root, seldom = stem(term.word), len(found) <= _SELDOM and len(term.word) >= _TYPED
        if not root.isascii():
            return f'"{term.word}" *' if seldom else ""
        start, most = (root[:_SHARED], _KIN) if len(root) >= _BEGINS else ("", 0)
        if seldom:
            start, most = (start or root) if known else term.word, 3 * _KIN
        kin = self.vocabulary.beginning(start, most) if start else []
        kin = kin or (self.vocabulary.close(term.word) if slips and self.index != TOOLS_INDEX else [])
        return _either(kin) if kin else ""

    def meant(self, term: Term) -> list[int]:
        """The newest entries that have another word for the same thing. What tools printed is asked for its own words only."""
        if self.index == TOOLS_INDEX or not (words := self.vocabulary.known(term.kin)):
            return []
        return self._match(_either(words))

    def beyond(self, lists: list[dict[int, float]]) -> Iterable[tuple[int, list[int]]]:
        """Where terms that are found too often to be read to their end meet the others, however old."""
        many = [at for at, found in enumerate(lists) if len(found) >= CAP]
        rare = " OR ".join(self.expressions[at] for at, found in enumerate(lists) if found and at not in many)
        for at in many if rare else ():
            yield at, self._match(f"({rare}) AND {self.expressions[at]}")
        for pair in combinations(many[:3], 2) if not rare else ():
            rows = self._match(" AND ".join(self.expressions[at] for at in pair))
            yield from ((at, rows) for at in pair)

    def _match(self, expression: str) -> list[int]:
        whole = " AND ".join((f"({expression})", *self.where.words))
        whole = f"({whole}) NOT {self.where.unwanted}" if self.where.unwanted else whole
        return [ident for table in self.tables for ident in self._in_table(table, whole)]

    def _in_table(self, table: Table, expression: str) -> list[int]:
        # The parts that vary are our own names and numbers.
        joined = f"CROSS JOIN entries e ON e.id = w.rowid {self.where.joined}" if self.where.joined else ""
        statement = (
            f"SELECT w.rowid FROM {table.name} w {joined} WHERE {table.name} MATCH ?"  # noqa: S608
            f" AND w.rowid BETWEEN {self.where.lowest} AND {table.last} ORDER BY w.rowid DESC LIMIT {CAP}"
        )
        return [int(str(row[0])) for row in self.database.rows(statement, (expression,))]


def _either(words: Iterable[str]) -> str:
    quoted = (f'"{word}"' for word in dict.fromkeys(words))
    return f"({' OR '.join(quoted)})"
