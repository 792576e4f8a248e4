"""Whose lines they are in random histories with hooks, transcripts and a server (tests/played.py), by operation."""

from __future__ import annotations

import pytest

from played import PLAYED, measure, play, steps_of


@pytest.mark.parametrize("operation", ["interrupt", "overlap", "types_in_turn"])
def test_one_history(operation):
    """Nobody's line is said to be another's."""
    answers = play(steps_of(operation, 0))
    assert [one for one in answers if one[0] != one[1]] == []
    assert any(said for said, *_ in answers)


def test_a_stash_that_is_applied_and_made_anew_within_a_turn():
    """Between two looks at the work tree: the lines of the one are in the other, and are whose they were."""
    turn = ("switch", 0)
    away_and_back = [("stash", 1), turn, turn, turn, ("stash", 1), ("stash", 1), turn, ("stash", 1)]
    answers = play([turn, turn, ("edit", 183), *away_and_back])
    assert [one for one in answers if one[0] != one[1]] == []
    assert len(answers) == 37


FLOOR = {"move": 0.9}
"""Half of a move that is committed alone is a copy: it is whoever's who made it, and the oracle does not know that."""


@pytest.mark.slow
@pytest.mark.parametrize("operation", PLAYED)
def test_each_operation_by_itself(operation):
    """Of the lines that are said to be an agent's, and of those that are, 95 in a hundred at least; not known counts as missed."""
    counts = measure(operation, range(60))
    assert counts["true"] > 0
    assert counts["right"] >= FLOOR.get(operation, 0.95) * counts["said"]
    assert counts["right"] >= 0.95 * counts["true"]
