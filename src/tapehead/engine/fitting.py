"""Handing a brief over as the agent takes it: within its limit, and not a second time where one start is said twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.statemachine.vocabulary import Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.actions.brief_keeper import Handed
    from tapehead.agents.base import Hooks
    from tapehead.store.line import Line

_ATTEMPTS = 5


def fit(told: Callable[[int], Handed], agent: Hooks) -> Handed:
    """The brief within what the agent takes. An agent may count otherwise than by characters: then it is told again, shorter."""
    limit = agent.LIMIT
    handed = told(limit)
    for _ in range(_ATTEMPTS):
        taken = agent.size(handed.text)
        if taken <= agent.LIMIT:
            break
        limit = min(limit, len(handed.text)) * agent.LIMIT // taken
        handed = told(limit)
    return handed


def start_before(lines: list[Line], line_id: str) -> str:
    """The start right before this one, by the same process, that was given the brief; nothing where there is none.

    Some agents say one start twice in a row, and what either is told reaches the model.
    """
    events = [line for line in lines if line.event is not None]
    place = next((n for n, line in enumerate(events) if line.id == line_id), 0)
    if not place or any(line.event is not Event.SESSION_START for line in events[place - 1 : place + 1]):
        return ""
    before, own = events[place - 1], events[place]
    given = {line.of for line in lines if line.note == "restored" and line.number("characters")}
    same = own.number("pid") is not None and own.number("pid") == before.number("pid")
    return before.id if same and before.id in given else ""
