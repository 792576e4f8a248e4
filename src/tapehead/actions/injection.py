"""How much a start is told: one decision for each kind of start, with its reason in plain words. Pure.

A model is told only what it has lost. A compaction and a `/clear` lose the conversation; a handoff passes it on; a resume and a fork load
it again and lose nothing; a fresh start may have nothing to do with the work before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.actions.predecessor import BATON, FORK, NEAR
from tapehead.settings.setting_list import FULL, OFF, POINTER

if TYPE_CHECKING:
    from tapehead.settings.loading import Settings
    from tapehead.store.state import State

COMPACT, RESUME, CLEAR, HANDOFF, START = "compact", "resume", "clear", "handoff", "start"
UNRECORDED = "unrecorded"
"""No start: turns that nobody could record, with perhaps a compaction among them."""
OWN = (COMPACT, RESUME, UNRECORDED)
"""Kinds that go on with their own work, whomever the session once went on from."""
_LOADED_AGAIN = ("resume", "fork")
"""Sources of a start whose agent loads the whole conversation."""


class Injection(NamedTuple):
    """What is handed to a model, and why."""

    kind: str
    amount: str
    """FULL, POINTER or OFF."""
    why: str


def decide(state: State, settings: Settings) -> Injection:
    """The kind of a start, and how much the settings give it."""
    kind = _kind_of(state)
    if kind == HANDOFF:
        return Injection(kind, FULL, _WHY[kind, FULL])
    name = f"restore.on_{COMPACT if kind == UNRECORDED else kind}"
    amount = settings.text(name)
    return Injection(kind, amount, f"{name} is off" if amount == OFF else _WHY[kind, amount])


def _kind_of(state: State) -> str:
    if state.start_source == COMPACT or state.compaction_count > state.compactions_told:
        return COMPACT  # also one before a resume, of which nobody could tell the model yet
    if state.start_source == UNRECORDED:
        return UNRECORDED
    if state.start_source in _LOADED_AGAIN or state.predecessor_rule == FORK:
        return RESUME
    if state.start_source == CLEAR and state.predecessor_rule in (0, *NEAR):
        return CLEAR  # else one of several sessions of a process was cleared, and nobody knows which
    if state.turns_before:
        return RESUME  # the same session again, by an agent that does not say why
    # What a `/clear` left for whoever comes next was named by nobody: a later start may want something else.
    named = state.predecessor and state.predecessor_rule == BATON and not state.handoff_cleared
    return HANDOFF if named else START


_WHY = {
    (COMPACT, FULL): "the context was compacted",
    (COMPACT, POINTER): "the context was compacted, and restore.on_compact asks for a pointer",
    (UNRECORDED, FULL): "turns could not be recorded, and the context may have been compacted among them",
    (UNRECORDED, POINTER): "turns could not be recorded, and restore.on_compact asks for a pointer",
    (RESUME, FULL): "the session was resumed, and restore.on_resume asks for the whole brief",
    (RESUME, POINTER): "the conversation was loaded again: only what changed meanwhile",
    (CLEAR, FULL): "the conversation was cleared",
    (CLEAR, POINTER): "the conversation was cleared, and restore.on_clear asks for a pointer",
    (HANDOFF, FULL): "a handoff named this work",
    (START, FULL): "a fresh start, and restore.on_start asks for the whole brief",
    (START, POINTER): "a fresh start: a pointer to the work before it",
}
NOTHING_LOST = "nothing was lost"
NOTHING_CHANGED = "the conversation was loaded again, and nothing changed meanwhile"
NOTHING_BEFORE = "a fresh start, and there is no work before it to point at"
NOTHING_KNOWN = "the conversation was loaded again, and nothing of it was recorded before"
