"""What a checkpoint tells of the way to its commit: what was decided, and what was tried and went wrong. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapehead.work_record.facts import Digest, Fact

_MOST = 12
_LONGEST = 400
_TO_THE_SECOND = 19


def decided(digest: Digest, since: str) -> list[str]:
    """The decisions since a time, oldest first, with their reasons; what was taken back says so."""
    return [_decision(fact) for fact in _since(digest.decisions, since)]


def tried(digest: Digest, since: str) -> list[str]:
    """What failed since a time, oldest first, and what became of it."""
    return [_attempt(fact) for fact in _since(digest.errors, since)]


def _since(facts: tuple[Fact, ...], since: str) -> list[Fact]:
    """The newest of them. A fact without a time may be of any: better one too many."""
    begin = since[:_TO_THE_SECOND]
    found = [fact for fact in facts if not fact.time or fact.time[:_TO_THE_SECOND] >= begin]
    return sorted(found, key=lambda fact: fact.at)[-_MOST:]


def _decision(fact: Fact) -> str:
    reason = f" ({fact.note})" if fact.note and fact.note not in fact.text else ""
    return _flat(fact.text + reason) + ("" if fact.holds else " [no longer]")


def _attempt(fact: Fact) -> str:
    return f"{_flat(fact.text)} [{'open' if fact.holds else _flat(fact.note) or 'passes now'}]"


def _flat(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]
