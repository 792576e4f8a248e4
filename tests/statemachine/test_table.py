"""The table as it is written down."""

from __future__ import annotations

import pytest

from tapehead.statemachine.table import ROWS, parse
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase

LINE = "IDLE | SESSION_START | AFTER_COMPACTION HAS_STORY | RESTORED | CAPTURE, RESTORE"


def test_a_line_is_read_cell_by_cell():
    """Phase, event, facts, the next phase, and the actions in their order."""
    (row,) = parse(LINE)
    assert (row.phase, row.event, row.to) == (Phase.IDLE, Event.SESSION_START, Phase.RESTORED)
    assert row.facts == {Fact.AFTER_COMPACTION, Fact.HAS_STORY}
    assert row.do == (Action.CAPTURE, Action.RESTORE)


def test_marks_stand_for_the_same_and_for_nothing():
    """`=` is the phase that it was, `-` is no fact and no action, and an empty line is no row."""
    (row,) = parse("\nENDED | PROCESS_LOST | - | = | -\n\n")
    assert (row.to, row.facts, row.do) == (Phase.ENDED, frozenset(), ())


@pytest.mark.parametrize("word", LINE.replace("|", " ").replace(",", " ").split())
def test_a_misspelt_word_is_refused(word):
    """A typo in any cell is an error when the table is read, so that no hook starts with it."""
    with pytest.raises(KeyError, match=word[:-1]):
        parse(LINE.replace(word, word[:-1], 1))


@pytest.mark.parametrize("line", ["IDLE | TURN_START | - | ACTIVE", LINE + " | TOUCH", "IDLE"])
def test_a_line_with_a_cell_too_few_or_too_many_is_refused(line):
    """A row has five cells."""
    with pytest.raises(ValueError, match="unpack"):
        parse(line)


@pytest.mark.parametrize("cells", ["idle | TURN_START | - | ACTIVE | -", "IDLE | TURN_START | - | | -"])
def test_words_are_taken_as_they_are(cells):
    """Lower case is not a word of the table, nor is an empty phase."""
    with pytest.raises(KeyError):
        parse(cells)


def test_a_row_names_itself():
    """What a failing property prints says which row it is, with its facts in a fixed order."""
    assert repr(parse(LINE)[0]) == "<Row IDLE SESSION_START [AFTER_COMPACTION HAS_STORY] -> RESTORED>"


def test_rows_are_written_in_the_order_of_the_vocabulary():
    """Phases, and the events of each, come in the order of their enums: a user finds a row where it is expected."""
    places = [(list(Phase).index(row.phase), list(Event).index(row.event)) for row in ROWS]
    assert places == sorted(places)
