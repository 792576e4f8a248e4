"""The proofs of the table, run against what the engine really does: every question through the real fold."""

from __future__ import annotations

import attrs
import pytest

import scenes
from proofs import space
from tapehead.actions.breaker import BLOCKED_AFTER
from tapehead.actions.fold import facts_of, step
from tapehead.actions.handler import EFFECTS, ActionHandler
from tapehead.actions.ports import Ports
from tapehead.statemachine.transition import row_for, transition
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase
from tapehead.store.state import State

OF_THE_STATE = {
    Fact.FILES_TOUCHED: {"files_touched": ("a",)},
    Fact.CAPTURE_BLOCKED: {"capture_failures": BLOCKED_AFTER},
    Fact.ENDED_BEFORE: {"ended_at": scenes.when()},
    Fact.UNANSWERED: {"unanswered": True},
}
"""The facts that follow from a state, and a state that they follow from."""
CONDITIONAL = {Action.CONDENSE_IF_TOUCHED, Action.RETIRE_IF_UNTOUCHED}


class Doing:
    """Ports that do what they are asked, and say so; the captures among them may fail."""

    def __init__(self, *, fails=False):
        self.done = []
        self.fails = fails

    def __getattr__(self, name):
        def port(state, line):
            self.done.append(name)
            if name == "capture" and self.fails:
                raise OSError(28, "full")
            return {}

        return port


def handler(doing):
    return ActionHandler(Ports(doing, doing, doing, doing))


def state_of(phase, ctx):
    fields = {name: value for fact in ctx & OF_THE_STATE.keys() for name, value in OF_THE_STATE[fact].items()}
    return State("s", phase=phase, turn_number=1, **fields)


def test_the_facts_of_a_state_are_those_that_the_fold_finds():
    """Each of them holds exactly where the state says so."""
    for fact, fields in OF_THE_STATE.items():
        assert facts_of(State("s", **fields)) == {fact}
    assert facts_of(State("s")) == frozenset()


def test_every_question_is_answered_by_its_row():
    """For every phase, event and set of facts, the real fold goes where the row says, and tries each effect that it names, in order.

    What a row does not name is not done: no `if` beside the table takes an action away or adds one.
    """
    for phase, event, ctx in space():
        doing = Doing()
        line = scenes.line(event, facts=ctx - OF_THE_STATE.keys())
        move = step(state_of(phase, ctx), line, handler(doing))
        row = row_for(phase, event, ctx)
        asked = [action for action in row.do if action in EFFECTS and action not in CONDITIONAL]
        said = [note.kind for note in move.notes if Action(note.kind) not in CONDITIONAL]
        assert (move.state.phase, said) == (row.to, [action.value for action in asked]), row


@pytest.mark.parametrize("fails", [False, True])
def test_no_way_leads_past_the_story(fails):
    """Whatever comes in whatever order, through the real fold: work is never followed by ENDED without a capture that was tried after it.

    Walked over all that decides: the phase, the facts of the state, and whether work was done that no capture has seen.
    """
    seen = set()
    frontier = [(State("s"), False)]
    while frontier:
        state, owed = frontier.pop()
        key = (state.phase, facts_of(state), owed)
        if key in seen:
            continue
        seen.add(key)
        for event in Event:
            for told in ({}, {Fact.CLEARED}, {Fact.AFTER_COMPACTION}, {Fact.HAS_STORY}):
                after, tried = folded(state, event, frozenset(told), fails=fails)
                owes = after.phase is Phase.ACTIVE or (owed and not tried)
                assert not (owes and after.phase is Phase.ENDED and state.phase is not Phase.ENDED), (key, event, told)
                frontier.append((after, owes))
    assert {phase for phase, _, _ in seen} == set(Phase)
    assert any(Fact.CAPTURE_BLOCKED in ctx for _, ctx, _ in seen) is fails


def folded(state, event, told, *, fails):
    """The state after an event and after the notes of what was done, and whether a capture was tried."""
    doing = Doing(fails=fails)
    move = step(state, scenes.line(event, facts=told), handler(doing))
    after = move.state
    for note in move.notes:
        after = step(after, scenes.line(note.kind, of=note.of, data=note.data), handler(doing)).state
    after = attrs.evolve(after, capture_failures=min(after.capture_failures, BLOCKED_AFTER), turn_number=1)
    return after, "capture" in doing.done


def test_waiting_and_ended_sessions_have_answered():
    """Wherever the real fold leads, a session that waits or has ended has no prompt without an answer."""
    for phase, event, ctx in space():
        if phase in {Phase.IDLE, Phase.ENDED} and Fact.UNANSWERED in ctx:
            continue  # no way leads there, as this shows
        after, _ = folded(state_of(phase, ctx), event, ctx - OF_THE_STATE.keys(), fails=False)
        if after.phase in {Phase.IDLE, Phase.ENDED} and transition(phase, event, ctx)[0] is after.phase:
            assert not after.unanswered, (phase, event, ctx)
