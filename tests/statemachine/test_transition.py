"""The one question, asked in every way that it can be asked."""

from __future__ import annotations

import pytest

from proofs import contexts, facts_that_matter, space
from tapehead.statemachine.table import ROWS
from tapehead.statemachine.transition import row_for, transition
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase


def read_by_hand(phase, event, ctx):
    """The table as a user reads it: down the page, to the first row that fits."""
    for row in ROWS:
        if row.phase is phase and row.event is event and all(fact in ctx for fact in row.facts):
            return row
    raise AssertionError((phase, event, ctx))


def test_the_space_is_whole():
    """The walk asks every phase, event and set of facts, each once: 6 x 10 x 2^8 questions."""
    questions = list(space())
    assert len(questions) == len(set(questions)) == len(Phase) * len(Event) * 2 ** len(Fact) == 15_360


def test_the_sets_of_facts_are_whole():
    """Every set of facts is among the contexts, from none to all, each once."""
    sets = list(contexts())
    assert len(sets) == len(set(sets)) == 2 ** len(Fact)
    assert {frozenset(), frozenset(Fact)} <= set(sets)


def test_every_question_has_the_answer_that_a_person_reads():
    """Total and deterministic: each question has exactly one answer, the first row down the page that fits."""
    for question in space():
        row = read_by_hand(*question)
        assert row_for(*question) is row
        assert transition(*question) == (row.to, row.do)


def test_answers_are_words_of_the_machine():
    """An answer is a phase and a tuple of actions, none of them named twice."""
    for question in space():
        phase, actions = transition(*question)
        assert phase in Phase
        assert isinstance(actions, tuple)
        assert set(actions) <= set(Action)
        assert len(actions) == len(set(actions))


def test_every_action_is_asked_for():
    """No action is in the vocabulary that no answer names."""
    assert {action for question in space() for action in transition(*question)[1]} == set(Action)


@pytest.mark.parametrize("event", Event)
def test_only_the_facts_that_matter_change_an_answer(event):
    """A hook that gathers only the facts that matter gets the answer that it would get with all of them."""
    matter = facts_that_matter(event)
    for phase in Phase:
        for ctx in contexts():
            assert row_for(phase, event, ctx) is row_for(phase, event, ctx & matter)


@pytest.mark.parametrize("event", Event)
def test_every_fact_that_matters_can_change_an_answer(event):
    """No hook gathers a fact in vain: for each there is a phase and a context where it turns the answer."""
    for fact in facts_that_matter(event):
        assert any(
            row_for(phase, event, ctx) is not row_for(phase, event, ctx | {fact})
            for phase in Phase
            for ctx in contexts()
        )
