"""One line of the tape, read: either an event, which the machine answers, or a note, which only adds to what is known."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from tapehead.statemachine.vocabulary import Action, Event, Fact

if TYPE_CHECKING:
    from typing import Any

_FACTS = {fact.value: fact for fact in Fact}
_EVENTS = {event.value: event for event in Event}
_DONE = {action.value for action in Action} | {"failed"}
"""The notes that folding a line leaves. Others speak of a line too: what a hook said in answer to it."""


class Damaged(ValueError):
    """A line that cannot be read. It stays on the tape, is passed over, and doctor names it."""


class Line(NamedTuple):
    """What one line says."""

    id: str
    at: datetime
    host: str
    """Who wrote it: an agent, `git`, or `tapehead` itself."""
    event: Event | None
    note: str
    """The kind of a note; for an event that this version does not know, its word."""
    of: str
    """For a note about what an action did: the id of the line that asked for it."""
    facts: frozenset[Fact]
    """What was found out about the world when the line was written. What follows from the state is not here."""
    data: dict[str, Any]

    def text(self, name: str) -> str:
        """A field of the data that should be text, or nothing."""
        value = self.data.get(name)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int | None:
        """A field of the data that should be a whole number, or nothing."""
        value = self.data.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """A field of the data that should be a list of texts; what is not text in it is left out."""
        value = self.data.get(name)
        return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def parse(raw: bytes) -> Line:
    """Reads a line; raises Damaged with the reason where it is none."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise Damaged(f"not JSON: {error}") from None
    if not isinstance(found, dict):
        raise Damaged("not a JSON object")
    word = found.get("event")
    facts, data = found.get("facts"), found.get("data")
    return Line(
        id=_word(found, "id"),
        at=_time(_word(found, "at")),
        host=str(found.get("host") or ""),
        event=_EVENTS.get(word) if isinstance(word, str) else None,
        note=str(found.get("note") or word or ""),
        of=str(found.get("of") or ""),
        facts=frozenset(_FACTS[f] for f in facts if isinstance(f, str) and f in _FACTS)
        if isinstance(facts, list)
        else frozenset(),
        data=data if isinstance(data, dict) else {},
    )


def readable(lines: list[bytes]) -> list[Line]:
    """The lines that can be read; blank and damaged ones are passed over."""
    found = []
    for raw in lines:
        if raw:
            try:
                found.append(parse(raw))
            except Damaged:
                continue
    return found


def damage(lines: list[bytes]) -> list[tuple[int, str]]:
    """The damaged ones: their place among the lines, from 1, and what is wrong with them."""
    found = []
    for place, raw in enumerate(lines, 1):
        if raw:
            try:
                parse(raw)
            except Damaged as error:
                found.append((place, str(error)))
    return found


def lines_before_last_acted_on(raw: list[bytes]) -> list[bytes]:
    """Return the lines before the last one whose action is noted: lines are acted on in order, so what they ask for is done.

    A hook that ran out of time answers its own line before the lines above it were acted on, so its answer proves nothing.
    """
    acted_on = {line.of for line in readable(raw) if line.note in _DONE} - {""}
    for place in range(len(raw) - 1, -1, -1):
        if any(line.id in acted_on for line in readable([raw[place]])):
            return raw[:place]
    return []


def lines_up_to(raw: list[bytes], until: int) -> list[bytes]:
    """The lines that end before a byte."""
    kept, offset = [], 0
    for line in raw:
        offset += len(line) + 1
        if offset > until:
            break
        kept.append(line)
    return kept


def _word(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not value:
        raise Damaged(f"no {name}")
    return value


def _time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise Damaged(f"no time: {text[:40]!r}") from None
    if at.tzinfo is None:
        raise Damaged(f"no time zone: {text[:40]!r}")
    return at
