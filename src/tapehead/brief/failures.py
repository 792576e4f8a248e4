"""What failed, as lines: with what worked instead, or that nothing did. What fails in one way again and again is told once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tapehead.brief.sections import A_SENTENCE, EVERYTHING, PER_CHARACTER, Item, freshness_of
from tapehead.brief.tidied_words import bare_command
from tapehead.text.fence import quote
from tapehead.work_record.commands import only_looks, purpose
from tapehead.work_record.errors import REFUSED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.work_record.facts import Fact, WorkRecord


def failed_items(record: WorkRecord, room: int) -> Iterator[Item]:
    """Newest first. Everything keeps each of those that failed alike."""
    last = record.asks[-1].turn if record.asks else 0
    alike = _alike(record) if room < EVERYTHING else {}
    told_of: set[str] = set()
    for fact in record.errors[:30]:
        looks = fact.note != REFUSED and only_looks(fact.text.partition("`:")[0].strip("`"))
        same = alike.get(_complaint(fact.text), ())
        if fact.text.endswith("`: ") or (looks and not same and room < EVERYTHING):
            continue  # it said nothing, or that something is not there
        if same and fact.holds:
            if _complaint(fact.text) not in told_of:
                told_of.add(_complaint(fact.text))
                yield _of_many(fact, same)
            continue
        still = "open" if fact.turn >= last else "not run again"
        note = still if fact.holds else quote(fact.note, 160)
        text = f"- t{fact.turn}: {bare_command(quote(fact.text, A_SENTENCE))}"
        text += "" if "refused with" in fact.text else f" ({bare_command(note)})"
        # Another way that worked is worth as much later: the first one would be tried again.
        fresh = 0.8 if fact.holds or fact.note.startswith(("then ", REFUSED)) else 0.3 + freshness_of(record, fact.at)
        yield Item("errors", text, _told(fact, last) * fresh * PER_CHARACTER * len(text), -fact.at)


def _told(fact: Fact, last: int) -> float:
    """What it is worth to know of a failure."""
    if fact.holds and fact.turn < last and purpose(fact.text.partition("`:")[0].strip("`")):
        return 0.8  # a check that never went well since is open, however long ago
    if not fact.holds and _DAILY.search(fact.text):
        return 0.2  # a test or a linter that complained and was heeded
    if fact.holds:
        return 2.0 if fact.turn >= last else 1.0 if _INTERRUPTED in fact.text else 0.4
    return _ENDED.get(fact.note.partition(" ")[0], 0.2)


def _alike(record: WorkRecord) -> dict[str, list[Fact]]:
    """Open failures of several commands with one complaint: that lies in where they run, and the next command would meet it, too."""
    found: dict[str, list[Fact]] = {}
    for fact in record.errors:
        if fact.holds and (said := _complaint(fact.text)):
            found.setdefault(said, []).append(fact)
    return {said: facts for said, facts in found.items() if len(facts) >= _SEVERAL}


def _complaint(text: str) -> str:
    """The beginning of what was complained of, without what differs from one time to the next."""
    said = _DIFFERS.sub("", _SHELL.sub("", _said(text)))[:_BEGINNING]
    return said if len(said) >= _ENOUGH else ""


def _said(text: str) -> str:
    return text.partition("`: ")[2] or text.partition("x): ")[2]


def _of_many(fact: Fact, same: list[Fact]) -> Item:
    commands = "; ".join(bare_command(f"`{quote(_command(one), _A_COMMAND)}`") for one in same[:_NAMED])
    said = quote(_said(fact.text), A_SENTENCE // 2)
    turns = ", ".join(f"t{turn}" for turn in sorted({one.turn for one in same}))
    text = f"- {turns}: {len(same)} commands failed alike ({commands}{'; …' if len(same) > _NAMED else ''}): {said}"
    return Item("errors", text, _OFTEN * PER_CHARACTER * len(text), -fact.at)


def _command(fact: Fact) -> str:
    return fact.text.partition("`:")[0].partition("` (")[0].strip("`")


_SHELL = re.compile(r"^(?:seemed to work, but: )?(?:(?:\(eval\)|zsh|bash|sh)(?::\d+)?: )?")
_DIFFERS = re.compile(r"[0-9'\"`/].*|\s+")
_SEVERAL, _NAMED, _BEGINNING, _ENOUGH, _A_COMMAND, _OFTEN = 3, 2, 40, 12, 60, 1.0
_INTERRUPTED = "[Request interrupted by user"
_DAILY = re.compile(r"Formatter would|would be reformatted|^`.{0,80}`: FAIL: ")
_ENDED = {"then": 0.9, REFUSED: 1.3}
"""What a failure that is over is worth by the first word of how it ended: another way that worked, or that it was not wanted."""
