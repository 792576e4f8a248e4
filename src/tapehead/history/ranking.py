"""How well entries answer a question: by the rare words they have, by what their turn and its neighbours add, and by their session. Pure.

All weights are here. They were chosen on conversations and on coding sessions alike; docs/memory.md tells how.
"""

from __future__ import annotations

from collections import defaultdict
from math import log2
from typing import NamedTuple

from tapehead.history import layers

_WHO = {layers.HUMAN: 1.0, layers.AGENT: 0.92, layers.HOST: 0.9, layers.TOOL: 0.5}
"""A user's words above an agent's above a tool's."""
_OF_ASKER = {**_WHO, layers.AGENT: 0.6}
"""The same where a question is about the user (`my`, `did I`): what the agent said of the matter is seldom meant."""
_WHAT = {
    layers.CALL: 0.5,
    layers.THINKING: 0.55,
    layers.SUBAGENT: 0.8,
    layers.SUMMARY: 0.5,
    layers.SYSTEM: 0.6,
    layers.HOOK: 0.5,
    layers.LINE: 0.9,
    layers.COVERED: 0.6,
}
"""What was not said to anyone counts less: a summary has a word of everything and is no answer to most of it."""
_LONG = 0.15
"""By how much a text counts less with each doubling of its length: in a long one, words meet by chance."""
_USUAL = 200
"""Characters of what is not long."""
_BESIDE = 0.4
"""What the words count that only stand elsewhere in the turn."""
_NEXT = 0.3
"""What is left of that in the turn before or after."""
_SESSION = 0.15
"""What a session's words count, all together."""
_OFTEN = 2.0
"""How soon it stops to count that a session has a word once more."""
_LENGTH = 0.3
"""How much of that goes by the length of the session: in a long one a word comes again by chance."""
_FURTHER = (0.3, 0.2, 0.1)
"""What the next best turns of a session count."""
_DATED = 4.0
"""What it counts that a question names the day."""


class Candidate(NamedTuple):
    """An entry that has words of the question."""

    ident: int
    session: int
    turn: int
    role: str
    kind: str
    length: int
    has: dict[int, float]
    """How much of each term."""
    dated: float = 0.0
    """How well its day fits the question, in rarity."""


def best_by_own_words(
    entries: dict[int, dict[int, float]], rarity: list[float], dated: list[tuple[int, int, float]], most: int
) -> list[int]:
    """The entries that count most by their own words, the best first; written out, since there may be ten thousand."""
    worth = []
    for ident, has in entries.items():
        own = on_day(ident, dated) if dated else 0.0
        for at, weight in has.items():
            own += rarity[at] * weight
        worth.append((own, ident))
    worth.sort(reverse=True)
    return [ident for _, ident in worth[:most]]


def on_day(ident: int, dated: list[tuple[int, int, float]]) -> float:
    """What it counts that an entry was made on a day that was asked for."""
    return max((rare for first, after, rare in dated if first <= ident < after), default=0.0) if dated else 0.0


def rank(
    candidates: list[Candidate], rarity: list[float], turns: dict[int, int], *, of_asker: bool = False
) -> dict[int, float]:
    """A score for each entry. `turns` tells how many a session has, `of_asker` whether the question is about the user."""
    who = _OF_ASKER if of_asker else _WHO
    weights = [who.get(one.role, 1.0) * _WHAT.get(one.kind, 1.0) for one in candidates]
    beside = _beside(_by_turn(candidates, weights))
    scores = {
        one.ident: _own(one, rarity, weight) + _BESIDE * _added(one, beside[one.session, one.turn], rarity)
        for one, weight in zip(candidates, weights, strict=True)
    }
    sessions = _sessions(candidates, scores, rarity, turns)
    return {one.ident: scores[one.ident] + sessions.get(one.session, 0.0) + _DATED * one.dated for one in candidates}


def _own(one: Candidate, rarity: list[float], weight: float) -> float:
    long = 1 + _LONG * log2(max(1.0, one.length / _USUAL))
    total = 0.0
    for at, has in one.has.items():
        total += rarity[at] * has
    return weight * total / long


def _by_turn(candidates: list[Candidate], weights: list[float]) -> dict[tuple[int, int], dict[int, float]]:
    """What each turn has of each term, whoever said it."""
    found: dict[tuple[int, int], dict[int, float]] = defaultdict(dict)
    for one, weight in zip(candidates, weights, strict=True):
        turn = found[one.session, one.turn]
        for at, has in one.has.items():
            if at not in turn or turn[at] < weight * has:
                turn[at] = weight * has
    return found


def _beside(turns: dict[tuple[int, int], dict[int, float]]) -> dict[tuple[int, int], dict[int, float]]:
    """What each turn has with the help of the one before and the one after."""
    found = {}
    for (session, number), turn in turns.items():
        has = dict(turn)
        for other in (turns.get((session, number - 1)), turns.get((session, number + 1))):
            for at, weight in other.items() if other else ():
                if has.get(at, 0.0) < _NEXT * weight:
                    has[at] = _NEXT * weight
        found[session, number] = has
    return found


def _added(one: Candidate, beside: dict[int, float], rarity: list[float]) -> float:
    """The terms that an entry lacks and its turn, or a turn beside it, has."""
    if len(beside) == len(one.has):
        return 0.0
    return sum(rarity[at] * weight for at, weight in beside.items() if at not in one.has)


def _sessions(
    candidates: list[Candidate], scores: dict[int, float], rarity: list[float], turns: dict[int, int]
) -> dict[int, float]:
    """What a session's entries count together: how much of the question they cover, and how many of its turns do."""
    counts: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    best: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for one in candidates:
        if one.kind == layers.LINE:  # it says once more what its turn says
            continue
        for at, has in one.has.items():
            counts[one.session][at] += has
        best[one.session][one.turn] = max(best[one.session][one.turn], scores[one.ident])
    usual = sum(turns.values()) / max(1, len(turns))
    found = {}
    for session, terms in counts.items():
        long = 1 - _LENGTH + _LENGTH * turns.get(session, 1) / max(1.0, usual)
        covered = sum(rarity[at] * count * (1 + _OFTEN) / (count + _OFTEN * long) for at, count in terms.items())
        further = sorted(best[session].values(), reverse=True)[1 : 1 + len(_FURTHER)]
        found[session] = _SESSION * covered + sum(w * score for w, score in zip(_FURTHER, further, strict=False))
    return found
