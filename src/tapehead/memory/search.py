"""Full-text search: the newest first, and what a person said before what an agent said before what a tool said.

An entry's id begins with its time, so an index read backwards gives the newest first and stops when it has enough: a million rows
cost no more than a thousand. What a search is narrowed to stands in the index as words too, so that the rarest of all leads the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.memory import layers
from tapehead.memory.beginnings import beginning
from tapehead.memory.keeping import INDEXES
from tapehead.memory.narrowing import Narrowing, Wanted, narrowing
from tapehead.memory.packing import unpacked
from tapehead.memory.planning import moment_of
from tapehead.memory.preparing import moment
from tapehead.memory.recall import turn_at
from tapehead.memory.snippet import snippet
from tapehead.memory.wording import Query, query

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tapehead.memory.database import Database, Row

__all__ = ["LIMIT", "Hit", "Wanted", "search"]

LIMIT = 20
_WEIGHTS = dict(zip(INDEXES, (4.0, 2.0, 1.0), strict=True))
_HUMAN = 1.5
"""How much more a person's own words count than the lines that were made of them."""
_FADES = 180 * 86_400_000
"""Milliseconds after which a hit counts for half."""
_PATIENCE = 4_000
"""Entries per index that are looked at for a phrase before giving up on more: about a tenth of a second."""
_OFTEN = 1_000
"""A word that is found so often as it is, is meant as it is."""
_MADE_HERE = (layers.LINE, layers.COVERED)


class Hit(NamedTuple):
    """A place where it stands."""

    session: str
    turn: int
    time: str
    layer: int
    role: str
    kind: str
    name: str
    file: str
    project: str
    snippet: str
    score: float


class _Found(NamedTuple):
    ident: int
    origin: bool
    """Whether it stands in the session that it was said in."""
    same: tuple[str, str]
    """What it has in common with a copy: a resumed session's file may repeat the lines of the one before."""
    hit: Hit


def search(database: Database, wanted: Wanted) -> list[Hit]:
    """The best hits. Words that are found seldom as they are may be the beginning of longer ones."""
    asked = query(wanted.words)
    where = narrowing(database, wanted) if asked.terms else None
    if where is None:
        return []
    search_ = _Search(database, wanted, where, asked)
    found = search_.ranked()
    if len(found) < wanted.limit and (seldom := search_.seldom()):
        for same, hit in search_.ranked(seldom).items():
            found.setdefault(same, hit)
    return list(found.values())[: wanted.limit]


class _Search:
    """One question."""

    def __init__(self, database: Database, wanted: Wanted, where: Narrowing, asked: Query) -> None:
        self.database = database
        self.wanted = wanted
        self.where = where
        self.asked = asked

    def ranked(self, begins: Collection[str] = ()) -> dict[tuple[str, str], Hit]:
        """Each hit once, the best first; words in `begins` may be the beginning of longer ones."""
        found = [one for index in INDEXES for one in self._in_index(index, self._expression(index, begins))]
        newest = self.wanted.now or moment_of(max((one.ident for one in found), default=0))
        ranked: dict[tuple[str, str], Hit] = {}
        for score, one in sorted(
            ((_faded(one, newest), one) for one in found), key=lambda pair: (-pair[0], pair[1].origin)
        ):
            ranked.setdefault(one.same, one.hit._replace(score=float(f"{score:.4g}")))
        return ranked

    def _expression(self, index: str, begins: Collection[str]) -> str:
        words = (beginning(self.database, index, term) if term in begins else f'"{term}"' for term in self.asked.terms)
        return " AND ".join((*words, *self.where.words))

    def seldom(self) -> list[str]:
        """The words that may be the beginning of longer ones: those that are found seldom as they are."""
        return [term for term in self.asked.terms if term not in self.asked.whole and not self._is_often(term)]

    def _is_often(self, term: str) -> bool:
        asked = "SELECT count(*) FROM (SELECT 1 FROM {0} WHERE {0} MATCH ? LIMIT ?)"
        counts = (self.database.rows(asked.format(index), (f'"{term}"', _OFTEN)) for index in INDEXES)
        return any(int(str(count[0][0])) >= _OFTEN for count in counts)

    def _in_index(self, index: str, expression: str) -> Iterator[_Found]:
        # The parts that vary are our own names, and marks for values.
        statement = (
            "SELECT w.rowid, s.id, e.turn, e.time, e.layer, e.role, e.kind, e.name, e.file, s.project, e.body,"  # noqa: S608
            " e.source, e.origin <> e.session, e.session"
            f" FROM {index} w CROSS JOIN entries e ON e.id = w.rowid CROSS JOIN sessions s ON s.number = e.session"
            f" WHERE {index} MATCH ? {self.where.conditions} ORDER BY w.rowid DESC LIMIT ?"
        )
        count = 0
        for row in self.database.each(statement, (expression, *self.where.values, _PATIENCE)):
            if (
                count >= 2 * self.wanted.limit
            ):  # twice, for the line of a turn stands beside the words that it was made of
                return
            body = unpacked(row[10])
            if self.asked.holds(body) and moment(str(row[3])) >= self.where.since:
                count += 1
                yield self._found(row, body, _WEIGHTS[index])

    def _found(self, row: Row, body: str, weight: float) -> _Found:
        ident, session, turn, time, layer, role, kind, name, file, project = row[:10]
        number = int(str(turn)) or turn_at(self.database, int(str(row[13])), int(str(ident)))
        score = weight * (_HUMAN if role == layers.HUMAN else 1.0)
        texts = (str(time), int(str(layer)), str(role), str(kind), str(name), str(file), str(project))
        hit = Hit(str(session), number, *texts, snippet(body, self.asked), score)
        same = (str(session) if kind in _MADE_HERE else "", str(row[11]))
        return _Found(int(str(ident)), bool(row[12]), same, hit)


def _faded(one: _Found, newest: int) -> float:
    """What a hit counts, by its age against the newest."""
    return float(one.hit.score * 0.5 ** ((newest - moment_of(one.ident)) / _FADES))
