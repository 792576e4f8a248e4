"""Where a session stands this moment, for whoever only looks: the saved phase, moved on by what the tape holds beyond it. Light.

A quiet hook writes its line and leaves the folding to others, so in mid-turn the saved state is one event behind. Nothing is
done here about what those lines ask for.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.store import tape

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_LARGEST = 1 << 26
_MOST = 64 * 1024
"""Bytes of unread tape that are looked at; phases heal, so the newest lines are enough."""
IDLE = "idle"


class Standing:
    """What a glance shows."""

    __slots__ = ("captured", "phase", "pid", "waiting")

    def __init__(self, phase: str, captured: float | None, waiting: dict[str, object] | None = None) -> None:
        self.phase = phase
        """Its lower-case word; empty where nothing was ever recorded."""
        self.captured = captured
        """When the account of the work was last written, in seconds since 1970."""
        self.pid: int | None = None
        """The agent's process, where it is known."""
        self.waiting = waiting
        """What the agent waits for, as the state has it; None where it does not. Whether it was answered, its transcript tells."""


def standing(layout: Layout, session_id: str) -> Standing:
    """Where a session stands."""
    saved = _saved(layout.state(session_id))
    lines = unread(layout, session_id, saved)
    found = Standing(_phase(saved, lines), _captured(layout, session_id), _waiting(saved, lines))
    pid = saved.get("host_pid")
    found.pid = pid if type(pid) is int else None
    return found


def is_recorded(layout: Layout, session_id: str) -> bool:
    """Whether this store holds the session."""
    return os.path.exists(layout.tape(session_id))


def _captured(layout: Layout, session_id: str) -> float | None:
    try:
        return os.stat(os.path.join(layout.captures(session_id), "state.md")).st_mtime
    except OSError:
        return None


def unread(layout: Layout, session_id: str, saved: dict[str, object]) -> list[bytes]:
    """The lines that came onto a session's tape since its state was saved."""
    path = layout.tape(session_id)
    try:
        size = os.stat(path).st_size
        offset = saved.get("tape_offset")
        read = offset if type(offset) is int and 0 <= offset <= size else 0
        return tape.unread(path, read)[0] if size - read <= _MOST else tape.tail(path, _MOST)
    except OSError:
        return []


def _phase(saved: dict[str, object], lines: list[bytes]) -> str:
    phase = saved.get("phase")
    word = phase if isinstance(phase, str) else IDLE if lines else ""
    events = [line for line in lines if b'"event"' in line]
    held = {"ended_before": saved.get("ended_at") is not None, "unanswered": saved.get("unanswered") is True}
    return _moved(word, events, {fact for fact, true in held.items() if true}) if events else word


def _waiting(saved: dict[str, object], lines: list[bytes]) -> dict[str, object] | None:
    """As actions/absorb_waiting.py has it: a notice sets it, an answer or the agent's next event clears it."""
    waiting = saved.get("waiting")
    for line in lines:
        found = _read(line) if b'"event"' in line or b'"waiting"' in line or b'"answered"' in line else {}
        data = found.get("data")
        data = data if isinstance(data, dict) else {}
        if found.get("note") == "waiting" and not (waiting and not data.get("tool")):
            waiting = {**data, "what": data.get("for"), "since": found.get("at")}
        elif found.get("note") == "answered" or found.get("event") not in (None, "git_commit"):
            waiting = None
    return waiting if isinstance(waiting, dict) else None


def _saved(path: str) -> dict[str, object]:
    try:
        found = json.loads(door.read(path, _LARGEST, follow=False))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _moved(word: str, lines: list[bytes], held: set[str]) -> str:
    """The phase after these lines. `held` are the facts that follow from the state and send a session elsewhere."""
    from tapehead.statemachine.transition import transition  # noqa: PLC0415 - only where there is something to move
    from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase  # noqa: PLC0415 - as above

    events, facts = {each.value: each for each in Event}, {each.value: each for each in Fact}
    phase = next((each for each in Phase if each.value == word), Phase.IDLE)
    for line in lines:
        found = _read(line)
        event, said = events.get(str(found.get("event"))), found.get("facts")
        if event:
            told = {each for each in said if isinstance(each, str)} if isinstance(said, list) else set()
            phase, actions = transition(phase, event, frozenset(facts[each] for each in told | held if each in facts))
            _hold(held, Fact.ENDED_BEFORE.value, sets=Action.CLOSE in actions, clears=Action.REOPEN in actions)
            _hold(held, Fact.UNANSWERED.value, sets=event is Event.TURN_START, clears=event is Event.TURN_END)
    return phase.value


def _hold(held: set[str], fact: str, *, sets: bool, clears: bool) -> None:
    if sets:
        held.add(fact)
    elif clears:
        held.discard(fact)


def _read(line: bytes) -> dict[str, object]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
