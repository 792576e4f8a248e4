"""What a checkpoint tells of the way to its commit: what was asked, what was decided, and what was tried and went wrong."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import attrs

from tapehead.attribution.line_turns import FILE
from tapehead.statemachine.vocabulary import Event
from tapehead.store.line import readable
from tapehead.store.sessions import StateStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tapehead.store.paths import Layout
    from tapehead.store.state import State
    from tapehead.work_record.facts import Fact, WorkRecord

_MOST = 12
_LONGEST = 400
_TO_THE_SECOND = 19
_PROMPT = 4_000


def prompts_since(layout: Layout, state: State, first: int) -> tuple[list[str], str]:
    """What was asked from a turn on, as the tape heard it; and when that began."""
    number, found, since = 0, [], ""
    for line in readable(StateStore(layout).lines(state.session_id)[0]):
        if line.event is Event.TURN_START:
            number += 1
            since = line.at.isoformat() if number == first else since
            if first <= number <= state.turn_number and line.text("prompt") and not line.text("asked_by"):
                found.append(line.text("prompt")[:_PROMPT])
    return found, since


def asked_by_line(
    layout: Layout, state: State, turns: dict[bytes, dict[str, int]], masked: Callable[[str], str]
) -> dict[str, bytes]:
    """For each line of a commit the turn that wrote it, and the prompts of these turns: a file of the checkpoint, if there is such a line."""
    wanted = {turn for each in turns.values() for turn in each.values()}
    lines = [line for line in readable(StateStore(layout).lines(state.session_id)[0]) if line.event is Event.TURN_START]
    asked = {
        str(number): masked(line.text("prompt")[:_PROMPT])
        for number, line in enumerate(lines, 1)
        if number in wanted and not line.text("asked_by")
    }
    told = {"asked": asked, "lines": {os.fsdecode(path): each for path, each in turns.items()}}
    return {FILE: json.dumps(told, sort_keys=True).encode() + b"\n"} if wanted else {}


def count_tokens(state: State) -> dict[str, int]:
    """The tokens of the session so far."""
    own = attrs.fields_dict(type(state.token_usage))
    return {name: getattr(state.token_usage, name) for name in own if name != "unknown"}


def join_once(known: tuple[str, ...], new: Iterable[str]) -> tuple[str, ...]:
    """Both, each once."""
    return tuple(dict.fromkeys((*known, *new)))


def list_decisions(record: WorkRecord, since: str) -> list[str]:
    """The decisions since a time, oldest first, with their reasons; what was taken back says so."""
    return [_decision(fact) for fact in _since(record.decisions, since)]


def list_failures(record: WorkRecord, since: str) -> list[str]:
    """What failed since a time, oldest first, and what became of it."""
    return [_attempt(fact) for fact in _since(record.errors, since)]


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
