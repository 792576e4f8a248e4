"""The drawings, read back by a reader of their own: they say what the table says, no more and no less."""

from __future__ import annotations

import re

import pytest

from tapehead.diagrams import mermaid
from tapehead.diagrams.grouping import EVERYDAY, edges, from_anywhere
from tapehead.statemachine.table import ROWS, Row, parse
from tapehead.statemachine.vocabulary import Event, Fact, Phase

SENTENCE = re.compile(r"^(\w+)(?: \[([^]]+)])?(?: / (.+))?$")


def boxes(text):
    """What is written inside the boxes, as (phase, line)."""
    return re.findall(r"^    ([A-Z]+) : (.+)$", text, re.MULTILINE)


def arrows(text):
    """The labelled arrows, as (start, end, label)."""
    return re.findall(r"^    (\w+) --> (\w+) : (.+)$", text, re.MULTILINE)


def summary_read_back(text):
    drawn = {(phase, event, phase) for phase, line in boxes(text) for event in re.findall(r"\w+", line)}
    for start, end, label in arrows(text):
        starts = [phase.name for phase in Phase] if start == mermaid.ANYWHERE else [start]
        drawn |= {(one, event, end) for one in starts for event in label.split("<br/>")}
    return drawn


def full_read_back(text):
    for phase, line in boxes(text):
        yield (phase, *SENTENCE.match(line).groups(), phase)
    for start, end, label in arrows(text):
        for stanza in label.split("<br/><br/>"):
            yield (start, *SENTENCE.match(stanza.replace("<br/>", " ")).groups(), end)


def said(row):
    """A row in the words of the full drawing."""
    guarded = any(other.facts for other in ROWS if (other.phase, other.event) == (row.phase, row.event))
    guard = " and ".join(sorted(fact.name for fact in row.facts)) or ("else" if guarded else None)
    return row.phase.name, row.event.name, guard, ", ".join(action.name for action in row.do) or None, row.to.name


def test_the_summary_says_every_move_and_no_other():
    """Read back, the summary is the set of (phase, event, next phase) of the rows."""
    assert summary_read_back(mermaid.summary()) == {(row.phase.name, row.event.name, row.to.name) for row in ROWS}


def test_the_full_drawing_says_every_row_and_no_other():
    """Read back, the full drawing is the rows, each once, with guard and actions."""
    assert sorted(full_read_back(mermaid.full()), key=str) == sorted(map(said, ROWS), key=str)


@pytest.mark.parametrize("draw", [mermaid.summary, mermaid.full])
def test_there_is_one_arrow_between_two_phases(draw):
    """Rows between the same two phases share an arrow, and no arrow goes from a phase to itself."""
    ends = [(start, end) for start, end, _ in arrows(draw())]
    assert len(ends) == len(set(ends))
    assert all(start != end for start, end in ends)


@pytest.mark.parametrize("draw", [mermaid.summary, mermaid.full])
def test_a_row_that_changes_changes_the_drawing(draw):
    """Whichever row is redirected, both drawings show it."""
    for place, row in enumerate(ROWS):
        to = next(phase for phase in Phase if phase not in {row.to, row.phase})
        other = (*ROWS[:place], Row(row.phase, row.event, row.facts, to, row.do), *ROWS[place + 1 :])
        assert draw(other) != draw()


def test_events_that_lead_to_one_phase_from_anywhere():
    """A turn's start and a compaction, and no other: found in the rows."""
    assert from_anywhere(ROWS) == {Event.TURN_START: Phase.ACTIVE, Event.COMPACTION: Phase.COMPACTING}


def test_from_anywhere_means_from_every_phase():
    """An event that some phase does not answer is not drawn from the box of all phases; nor is the box without one."""
    rows = parse("IDLE | TURN_START | - | ACTIVE | -")
    assert from_anywhere(rows) == {}
    assert mermaid.ANYWHERE not in mermaid.summary(rows)


def test_everyday_moves_are_moves_of_the_table_with_arrows_of_their_own():
    """What a reader looks for first is a row that moves, and an arrow of the summary."""
    drawn = {(start, label) for start, _, label in arrows(mermaid.summary())}
    for phase, event in EVERYDAY:
        assert (phase.name, event.name) in drawn
        assert (phase, from_anywhere(ROWS)[event]) in edges(ROWS)


def test_several_facts_are_joined_in_the_order_of_the_vocabulary():
    """A guard of many facts reads the same on every run, although a set has no order."""
    rows = parse(f"IDLE | TURN_END | {' '.join(reversed([fact.name for fact in Fact]))} | ENDED | -")
    assert f"[{' and '.join(fact.name for fact in Fact)}]" in mermaid.full(rows)


@pytest.mark.parametrize("draw", [mermaid.summary, mermaid.full])
@pytest.mark.parametrize("phase", Phase)
def test_a_session_is_highlighted_where_it_stands(draw, phase):
    """One phase is marked, the rest of the drawing is as it is without; no phase, no marks."""
    marked = draw(here=phase)
    assert marked.startswith(draw())
    assert re.findall(r"^    class (\w+) (\w+)$", marked, re.MULTILINE) == [(phase.name, "here")]
    assert "class" not in draw()


@pytest.mark.parametrize("row", ROWS, ids=repr)
def test_the_last_move_is_told(row):
    """The phase before is marked unless it is the same, and a note says what happened and what was done."""
    text = mermaid.summary(here=row.to, last=row)
    before = [] if row.phase is row.to else [(row.phase.name, "before")]
    assert re.findall(r"^    class (\w+) (\w+)$", text, re.MULTILINE) == [*before, (row.to.name, "here")]
    note = re.search(rf"^    note right of {row.to.name}\n(.*)^    end note$", text, re.MULTILINE | re.DOTALL)[1]
    lines = [f"last: {row.event.name} in {row.phase.name}", ", ".join(action.name for action in row.do)]
    assert [line.strip() for line in note.splitlines()] == [line for line in lines if line]


def test_only_plain_syntax_is_used():
    """Nothing stands in a label that Mermaid would read as more than a word: no second colon, semicolon, hash or quote."""
    for text in (mermaid.summary(), mermaid.full()):
        assert text.startswith("stateDiagram-v2\n    direction TB\n")
        assert not [label for *_, label in (*boxes(text), *arrows(text)) if set(label) & set(':;#"{}')]
