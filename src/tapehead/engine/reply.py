"""What a settling hook has to say, to whom: what the state owes is said where the agent can take it, and put on record first."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from tapehead.actions.handler import Note
from tapehead.agents.registry import AGENTS
from tapehead.store import injections, tape
from tapehead.store.line import readable

if TYPE_CHECKING:
    from tapehead.agents.base import Hooks
    from tapehead.engine.engine import Engine
    from tapehead.store.line import Line
    from tapehead.store.state import State


class Reply(NamedTuple):
    """What a hook has to say, to whom."""

    context: str = ""
    """For the model."""
    steer: str = ""
    """For the agent's summariser."""
    person: str = ""


class Own(NamedTuple):
    """The line that the settling hook itself wrote: it can answer that one, and it knows through which hook."""

    line_id: str
    host: str
    hook: str


class Words(NamedTuple):
    """What is to be said, and what the tape remembers of it before it is."""

    reply: Reply
    notes: tuple[Note, ...] = ()


SILENCE = Words(Reply())


def speak(engine: Engine, state: State, own: Own | None) -> Words:
    """What is owed, as far as this hook's agent can take it now: never twice. The rest stays owed."""
    if own is None:
        return SILENCE
    agent = AGENTS[own.host]
    carries = agent.carries_context(own.hook)
    steers = state.pending_steer == own.line_id and agent.carries_steer(own.hook)
    said = (
        _handed_back(engine, state, agent, own) if state.pending_restore and carries else ("", None),
        _steered(engine, state) if steers else ("", None),
        _warned(state, own) if state.pending_warnings and carries else ("", None),
    )
    notes = tuple(note for _, note in said if note)
    reply = Reply(*(text for text, _ in said))
    # Beside a brief it waits: that one is looked for in the agent's record as it was handed over.
    if state.pending_neighbours and carries and not reply.context:
        text, note = _of_neighbours(engine, state, own)
        reply, notes = reply._replace(context=text), (*notes, note)
    return Words(reply, notes)


def put_on_record(engine: Engine, state: State, words: Words) -> None:
    """Notes what is about to be said: from here on it must be."""
    for note in words.notes:
        engine.note(state.session_id, note)
        if note.kind in _INJECTED and "again" not in note.data:
            _log_injection(engine, state, note.data)


_INJECTED = ("restored", "told_neighbours")
"""Notes of what a model was told."""
_LATELY = 256 * 1024
"""Bytes at the end of a tape among which a start stands that came just before this one."""


def _handed_back(engine: Engine, state: State, agent: Hooks, own: Own) -> tuple[str, Note | None]:
    from tapehead.engine.fitting import fit, start_before  # noqa: PLC0415 - only where something is owed

    lines = _told_lately(engine, state.session_id) if agent.STARTS_TWICE else []
    if before := start_before(lines, own.line_id):
        told: dict[str, object] = {"again": before, "checksum": state.awaiting_receipt}
        return "", Note("restored", state.pending_restore, told)
    try:
        handed = fit(partial(engine.briefs.hand_back, state), agent)
    except Exception as error:  # noqa: BLE001 - the agent must not suffer; doctor tells, and the next event tries again
        engine.failed(state.session_id, "restore", error)
        return "", None
    return handed.text, Note("restored", state.pending_restore, handed.remembered)


def _told_lately(engine: Engine, session_id: str) -> list[Line]:
    """The newest events and hand-overs; what else is on the tape is told apart before it is read, since the agent waits."""
    newest = tape.tail(engine.layout.tape(session_id), _LATELY)
    return readable([line for line in newest if b'"event":' in line or b'"restored"' in line])


def _log_injection(engine: Engine, state: State, remembered: dict[str, object]) -> None:
    at = tape.instant(engine.clock_ns())
    with suppress(OSError):  # the tape has it; that this file does not is no reason to say nothing
        injections.note(engine.layout, {"at": at, "to": state.session_id, "agent": state.agent, **remembered})


def _steered(engine: Engine, state: State) -> tuple[str, Note]:
    text = engine.captures.steer(state) if engine.settings.flag("steer") else ""
    return text, Note("steered", state.pending_steer, {"characters": len(text)})


def _of_neighbours(engine: Engine, state: State, own: Own) -> tuple[str, Note]:
    from tapehead.engine.neighbours import told_of  # noqa: PLC0415 - only where something is owed

    text, remembered = told_of(engine, state)
    return text, Note("told_neighbours", own.line_id, remembered)


def _warned(state: State, own: Own) -> tuple[str, Note]:
    text = "\n".join(state.pending_warnings)
    return text, Note("warned", own.line_id, {"warnings": list(state.pending_warnings)})
