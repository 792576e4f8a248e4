"""What the sessions before left that still binds: the user's rules and what is open, with whose they are. Pure.

A brief is that of one session. Where that one itself went on from another, in whichever agent, its rules hold all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.hook_event import NAMES
from tapehead.text.fence import single

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.store.state import State
    from tapehead.work_record.facts import Fact, WorkRecord

_GENERATIONS = 4
_OF_EACH = 6
_PUT_OFF = 3


def bequest(
    teller: State,
    known: Callable[[str], State],
    account: Callable[[State], WorkRecord],
    came_from: Callable[[str], str] = lambda _: "",
) -> tuple[str, ...]:
    """A line for each rule and each open item of the sessions before, the nearest first; none twice."""
    told: dict[str, str] = {}
    for state in _line(teller, known):
        found = account(state)
        whose = f"{NAMES.get(state.agent, 'another agent')}, session {state.session_id[:8]}"
        whose += f" ({came})" if (came := came_from(state.session_id)) else ""
        for fact in _newest(found.rules):
            told.setdefault(fact.text, f"said to {whose}: “{single(fact.text)}”{_later(fact)}")
        for fact in (*_newest(found.todos), *found.put_off[:_PUT_OFF]):
            told.setdefault(fact.text, f"left open by {whose}: {fact.text}")
    return tuple(told.values())


def _later(rule: Fact) -> str:
    return f", later {rule.later}" if rule.later else ""


def _newest(facts: tuple[Fact, ...]) -> list[Fact]:
    return [fact for fact in facts if fact.holds][:_OF_EACH]


def _line(teller: State, known: Callable[[str], State]) -> list[State]:
    """The sessions that one goes on from, as far back as anybody remembers."""
    found: list[State] = []
    state = teller
    seen = {teller.session_id}
    while state.predecessor and state.predecessor not in seen and len(found) < _GENERATIONS:
        seen.add(state.predecessor)
        state = known(state.predecessor)
        found.append(state)
    return found
