"""The second reader agrees with the first, for every question and along every path that can be thought of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs import space
from tapehead.diagrams import mermaid
from tapehead.diagrams.machine import SecondReader
from tapehead.statemachine.table import ROWS, parse
from tapehead.statemachine.transition import row_for, transition
from tapehead.statemachine.vocabulary import Event, Fact, Phase

NOTHING = frozenset()


def test_both_readers_give_the_same_answer_to_every_question():
    """The same phase, the same actions, by the same row: for every phase, event and set of facts."""
    reader = SecondReader()
    for phase, event, ctx in space():
        reader.stand(phase)
        assert reader.phase is phase
        assert reader.read(event, ctx) == transition(phase, event, ctx)
        assert reader.last is row_for(phase, event, ctx)


@given(st.sampled_from(Phase), st.lists(st.tuples(st.sampled_from(Event), st.frozensets(st.sampled_from(Fact)))))
def test_both_readers_walk_the_same_way(phase, path):
    """Along any path, from any phase, they stand in the same place and have the same to do after each step."""
    reader = SecondReader(phase)
    for event, ctx in path:
        phase, actions = transition(phase, event, ctx)
        assert reader.read(event, ctx) == (phase, actions)
        assert reader.phase is phase


@pytest.mark.parametrize("place", range(len(ROWS)))
def test_the_second_reader_reads_the_rows_that_it_is_given(place):
    """Without any one row it answers differently, or not at all: it does not ask the first reader."""
    row = ROWS[place]
    reader = SecondReader(row.phase, (*ROWS[:place], *ROWS[place + 1 :]))
    try:
        reader.read(row.event, row.facts)
    except LookupError:
        assert not row.facts
    assert reader.last is not row


def test_the_order_of_the_rows_decides():
    """Of two rows that both fit, the one written first answers."""
    lines = ["IDLE | TURN_END | HAS_STORY | = | INGEST", "IDLE | TURN_END | CLEARED | ENDED | CLOSE"]
    for first, second in (lines, lines[::-1]):
        rows = parse(f"{first}\n{second}")
        reader = SecondReader(rows=rows)
        reader.read(Event.TURN_END, frozenset(Fact))
        assert reader.last is rows[0]


@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.ACTIVE])
def test_a_question_without_an_answer_is_an_error(phase):
    """Where no guard holds, and where no row is written at all, the reader says so and stays where it is."""
    reader = SecondReader(phase, parse("IDLE | TURN_END | CLEARED | ENDED | -"))
    with pytest.raises(LookupError, match=f"no row of {phase.name} answers TURN_END"):
        reader.read(Event.TURN_END, NOTHING)
    assert (reader.phase, reader.last) == (phase, None)


@pytest.mark.parametrize(("full", "draw"), [(False, mermaid.summary), (True, mermaid.full)])
def test_it_draws_the_session_that_it_follows(full, draw):
    """The drawing has the phase that the walk led to, and the row that led there."""
    reader = SecondReader()
    assert reader.drawing(full=full) == draw(here=Phase.IDLE)
    reader.read(Event.TURN_START, NOTHING)
    reader.read(Event.COMPACTION, NOTHING)
    last = row_for(Phase.ACTIVE, Event.COMPACTION, NOTHING)
    assert reader.drawing(full=full) == draw(here=Phase.COMPACTING, last=last)
    reader.stand(Phase.ENDED)
    assert reader.drawing(full=full) == draw(here=Phase.ENDED)
