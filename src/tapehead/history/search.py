"""Where something was said or done: a question in plain words, and the best places for it.

Row lists of the three indexes say which entries have which words (postings.py); what the entries are is looked up for the best of
them; ranking.py weighs them with their turns and sessions; and only the few that will be shown are read.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from math import log
from typing import TYPE_CHECKING, NamedTuple

from tapehead.history import layers
from tapehead.history.compression import unpack_body
from tapehead.history.entry_times import first_id_of, moment, moment_of
from tapehead.history.excerpt import Reading, Sought, read
from tapehead.history.filters import Narrowing, Wanted, narrowing
from tapehead.history.index_vocabulary import count_entries
from tapehead.history.postings import postings
from tapehead.history.question import read_question
from tapehead.history.ranking import Candidate, best_by_own_words, on_day, rank
from tapehead.history.recall import taken_back, turn_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from tapehead.history.database import Database, Row
    from tapehead.history.question import Question

__all__ = ["LIMIT", "Hit", "Wanted", "search"]

LIMIT = 20
_MOST = 1_000
"""Entries that are weighed: the best by their own words."""
_READ = 2
"""How many times as many entries are read as are wanted: some of them say the same."""
_SESSIONS = 25
"""Sessions of which the best entry is read in any case."""
_PATIENCE = 1_500
"""Entries that are read for a phrase before giving up on more."""
_AGAIN = 0.4
"""What an entry counts less with each better one of its turn: another turn says more."""
_ENOUGH, _MORE = 3, 0.7
"""Better ones of a session that take nothing from an entry, and what it counts less with each further one."""
_IN_ONE = 500
"""Values in one question: SQLite has a limit for them."""
_DAYS_AFTER = 10
"""Days after a date in which people still speak of it; of a month they do for as long again."""
_FADES = 3650 * 86_400_000
"""Milliseconds after which a hit counts for half: enough to put the newer first among equals, and no more."""
_ABOUT = "SELECT e.id, e.session, e.turn, e.role, e.kind, e.length FROM entries e WHERE e.id IN (%s)"
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
    matched: tuple[str, ...] = ()
    """The words of the snippet that were looked for, as they stand there."""
    taken_back: bool = False
    """The user took the turn back: it is not in the conversation any more."""

    def order(self) -> tuple[bool, float]:
        """What puts the best first, and last what was taken back."""
        return self.taken_back, -self.score


class _Read(NamedTuple):
    score: float
    ident: int
    row: Row
    seen: Reading

    def same(self) -> set[tuple[str, ...]]:
        """What it has in common with a copy, and with another that says the same."""
        session, kind, source = str(self.row[1]), self.row[6], str(self.row[11])
        return {("source", session if kind in _MADE_HERE else "", source), ("text", self.seen.same)}


def search(database: Database, wanted: Wanted) -> list[Hit]:
    """The best hits, the best first.

    Quotes in a sentence may be a name: what has the words side by side comes first, the rest behind it. Quoted words beside few others
    that nobody ever said so are looked for like any others.
    """
    today = _day(wanted.now)
    question = read_question(wanted.words, today, _newest(database, today))
    where = narrowing(database, wanted) if question.terms or question.days else None
    if where is None:
        return []
    hits = _Search(database, wanted, where, question).hits()
    if len(hits) < wanted.limit and (rest := question.unquoted()):
        loose = read_question(rest, today, _newest(database, today))
        return _behind(hits, _Search(database, wanted, where, loose).hits())[: wanted.limit]
    if not hits and question.phrases and any(not term.exact for term in question.terms):
        return _Search(database, wanted, where, question._replace(phrases=())).hits()
    return hits


def _behind(first: list[Hit], others: list[Hit]) -> list[Hit]:
    """The others after the first, whatever they count by themselves."""
    known = {(hit.session, hit.turn, hit.kind) for hit in first}
    rest = [hit for hit in others if (hit.session, hit.turn, hit.kind) not in known]
    most = min((hit.score for hit in first), default=0.0) / max((hit.score for hit in rest), default=1.0)
    return [*first, *(hit._replace(score=float(f"{hit.score * most * 0.9:.4g}")) if first else hit for hit in rest)]


def _newest(database: Database, today: date) -> date:
    """The last day of which there is anything."""
    newest = int(str(database.rows("SELECT max(id) FROM entries")[0][0] or 0))
    try:
        return min(today, _day(moment_of(newest))) if newest else today
    except (ValueError, OverflowError, OSError):
        return today  # ids of a former version tell no time


def _day(now: int) -> date:
    return (datetime.fromtimestamp(now / 1000, UTC) if now else datetime.now(UTC)).astimezone().date()


class _Search:
    """One question."""

    def __init__(self, database: Database, wanted: Wanted, where: Narrowing, question: Question) -> None:
        self.database = database
        self.wanted = wanted
        self.where = where
        self.question = question
        self._gone: dict[int, set[int]] = {}

    def hits(self) -> list[Hit]:
        """The best hits, each text once."""
        total = count_entries(self.database)
        found = postings(self.database, self.where, self.question.terms, total)
        dated = self._dated(total)
        candidates = self._candidates(found.entries, found.rarity, dated)
        sessions = sorted({one.session for one in candidates})
        turns = self._turns(sessions)
        self._gone |= taken_back(self.database, sessions)
        scores = rank(candidates, found.rarity, turns, of_asker=self.question.of_asker)
        ordered = sorted(
            candidates, key=lambda one: (self._is_gone(one.session, one.turn), -scores[one.ident], -one.ident)
        )
        return self._chosen(self._read(_best_of_each_first(ordered), scores, found.rarity))

    def _is_gone(self, session: int, turn: int) -> bool:
        """Whether a turn was taken back: what still counts comes before it."""
        if session not in self._gone:
            self._gone |= taken_back(self.database, [session])
        return turn in self._gone[session]

    def _dated(self, total: int) -> list[tuple[int, int, float]]:
        """The entries of the days that the question speaks of, from one id to another, and what that counts."""
        found = []
        for days in self.question.days:
            first, after = first_id_of(days.first), first_id_of(days.last + timedelta(days=1))
            spoken_of = max(_DAYS_AFTER, (days.last - days.first).days)
            later = first_id_of(days.last + timedelta(days=1 + spoken_of))
            counted = "SELECT count(*) FROM (SELECT 1 FROM entries WHERE id >= ? AND id < ? LIMIT 10000)"
            count = int(str(self.database.rows(counted, (first, after))[0][0]))
            rare = log(1 + total / max(1, count))
            found += [(first, after, rare), (after, later, 0.8 * rare)]
        return found

    def _candidates(
        self, entries: dict[int, dict[int, float]], rarity: list[float], dated: list[tuple[int, int, float]]
    ) -> list[Candidate]:
        if dated:  # a day is a word that everything said on it has
            entries = self._made(dated[::2]) | entries
        if dated and not entries:  # nothing but a day was asked for, on which there was nothing
            entries = self._made(dated[1::2])
        if self.question.phrases:  # an entry that lacks one of their words cannot hold them
            needed = [at for at, term in enumerate(self.question.terms) if term.exact]
            entries = {ident: has for ident, has in entries.items() if all(at in has for at in needed)}
        chosen = best_by_own_words(entries, rarity, dated, _PATIENCE if self.question.phrases else _MOST)
        asked = f"{_ABOUT} {self.where.conditions}"
        found = []
        for row in self._in(asked, chosen):
            ident, session, turn, role, kind, length = row
            number = int(str(ident))
            what = (int(str(session)), int(str(turn)), str(role), str(kind), int(str(length)))
            found.append(Candidate(number, *what, entries[number], on_day(number, dated)))
        return found

    def _made(self, dated: list[tuple[int, int, float]]) -> dict[int, dict[int, float]]:
        """What the user said in those days."""
        return {ident: {} for first, after, _ in dated for ident in self._between(first, after)}

    def _between(self, first: int, after: int) -> list[int]:
        asked = "SELECT id FROM entries WHERE id >= ? AND id < ? AND kind = ? ORDER BY id DESC LIMIT 200"
        return [int(str(row[0])) for row in self.database.rows(asked, (first, after, layers.PROMPT))]

    def _turns(self, sessions: list[int]) -> dict[int, int]:
        """How many turns each session has."""
        asked = (
            "SELECT number, (SELECT max(turn) FROM entries WHERE session = number) FROM sessions WHERE number IN (%s)"
        )
        rows = self.database.rows(asked % ",".join(map(str, sessions)))
        return {int(str(number)): int(str(turns or 0)) or 1 for number, turns in rows}

    def _in(self, statement: str, idents: Sequence[int]) -> Iterator[Row]:
        for start in range(0, len(idents), _IN_ONE):
            some = idents[start : start + _IN_ONE]
            marks = ",".join("?" * len(some))
            yield from self.database.rows(statement % marks, (*some, *self.where.values))

    def _read(self, ordered: list[Candidate], scores: dict[int, float], rarity: list[float]) -> list[_Read]:
        """Read the best, and weigh them once more by what is seen only in the text."""
        wanted = _READ * self.wanted.limit + 10
        most = _PATIENCE if self.question.phrases else wanted
        found: list[_Read] = []
        sought = Sought(self.question)
        for start in range(0, min(len(ordered), most), _IN_ONE):
            for row in self._bodies([one.ident for one in ordered[start : min(start + _IN_ONE, most)]]):
                body, ident = unpack_body(row[10]), int(str(row[0]))
                if self.question.holds(body) and moment(str(row[3])) >= self.where.since:
                    seen = read(body, sought, rarity)
                    found.append(_Read(scores[ident] * seen.worth, ident, row, seen))
            if len(found) >= wanted:
                break
        return found

    def _bodies(self, idents: list[int]) -> list[Row]:
        marks = ",".join("?" * len(idents))
        return self.database.rows(
            "SELECT e.id, s.id, e.turn, e.time, e.layer, e.role, e.kind, e.name, e.file, s.project, e.body,"  # noqa: S608 - marks
            " e.source, e.origin <> e.session, e.session"
            f" FROM entries e JOIN sessions s ON s.number = e.session WHERE e.id IN ({marks})",
            tuple(idents),
        )

    def _chosen(self, rows: list[_Read]) -> list[Hit]:
        """The best, each text once; one more of the same turn stands behind other turns."""
        newest = self.wanted.now or max((moment_of(one.ident) for one in rows), default=0)
        # Of copies the first place counts: a resumed session's file may repeat the lines of the one before.
        first = {one.row[11] for one in rows if not one.row[12]}
        rows = [one for one in rows if not (one.row[12] and one.row[11] in first)]
        faded = [one._replace(score=one.score * _faded(one.ident, newest)) for one in rows]
        faded.sort(key=lambda one: (self._is_gone(int(str(one.row[13])), int(str(one.row[2]))), -one.score, -one.ident))
        known: set[tuple[str, ...]] = set()
        before: Counter[tuple[object, int]] = Counter()
        found: list[Hit] = []
        for one in faded:
            same = one.same()
            if known & same:
                continue
            known |= same
            session, number = one.row[1], int(str(one.row[13]))
            turn = int(str(one.row[2])) or turn_at(self.database, number, one.ident)
            score = one.score * _AGAIN ** before[session, turn] * _MORE ** max(0, before[session, -1] - _ENOUGH)
            before[session, turn] += 1
            before[session, -1] += 1
            hit = self._hit(one.row, turn, one.seen, score)
            found.append(hit._replace(taken_back=self._is_gone(number, turn)))
        return sorted(found, key=Hit.order)[: self.wanted.limit]

    @staticmethod
    def _hit(row: Row, turn: int, seen: Reading, score: float) -> Hit:
        _, session, _, time, layer, role, kind, name, file, project = row[:10]
        texts = (str(time), int(str(layer)), str(role), str(kind), str(name), str(file), str(project))
        return Hit(str(session), turn, *texts, seen.snippet, float(f"{score:.4g}"), seen.matched)


def _best_of_each_first(ordered: list[Candidate]) -> list[Candidate]:
    """The same, but that the best of each session is read, whatever the others have."""
    best = {one.session: one for one in reversed(ordered)}
    first = [one for one in ordered if best[one.session] is one][:_SESSIONS]
    chosen = set(map(id, first))
    return first + [one for one in ordered if id(one) not in chosen]


def _faded(ident: int, newest: int) -> float:
    """What is left of a score, by its age against the newest. Ids of the first databases lie in a far future: they do not fade."""
    return float(0.5 ** (max(newest - moment_of(ident), 0) / _FADES))
