"""The table as Markdown."""

from __future__ import annotations

import pytest

from tapehead.diagrams.meaning import meanings
from tapehead.diagrams.rows_page import table
from tapehead.statemachine.table import ROWS, parse
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase


def grids(text):
    """The tables of a page, each as a list of rows of cells, without the line below the head."""
    blocks = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    return [[[cell.strip() for cell in line[1:-1].split("|")] for line in (lines[0], *lines[2:])] for lines in blocks]


def test_the_page_is_the_rows():
    """Written in the notation of the source and parsed as the source is, the page gives the rows, in order."""
    head, *body = grids(table())[0]
    assert head == ["phase", "event", "facts", "to", "do"]
    lines = "\n".join(
        " | ".join((phase, event, facts.replace(",", "") or "-", to, do or "-")) for phase, event, facts, to, do in body
    )
    cells = [(row.phase, row.event, row.facts, row.to, row.do) for row in parse(lines)]
    assert cells == [(row.phase, row.event, row.facts, row.to, row.do) for row in ROWS]


@pytest.mark.parametrize(("place", "words"), [(1, Phase), (2, Event), (3, Fact), (4, Action)])
def test_the_legend_explains_every_word(place, words):
    """Each word of the vocabulary is in the legend, in its order, with the sentence that stands below it in the source."""
    head, *body = grids(table())[place]
    assert head == ["word", "means"]
    assert body == [[word.name, meanings(words)[word.name]] for word in words]


@pytest.mark.parametrize("words", [Phase, Event, Fact, Action])
def test_every_word_has_a_meaning_of_its_own(words):
    """No word is without a sentence, none has another's, and none breaks the table that it is set in."""
    known = meanings(words)
    assert list(known) == [word.name for word in words]
    assert len(set(known.values())) == len(known)
    assert all(sentence.endswith(".") and "|" not in sentence and "\n" not in sentence for sentence in known.values())


def test_a_meaning_is_the_sentence_below_the_word():
    """Not the one above it, nor the class's own."""
    assert meanings(Phase)["ACTIVE"] == "The agent is working on a prompt."
    assert meanings(Event)["TURN_START"] == "The user sent a prompt."
