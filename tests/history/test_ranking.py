"""What an entry's score is made of."""

from datetime import date

import pytest

from tapehead.history import layers
from tapehead.history.question import read_question
from tapehead.history.ranking import Candidate, rank

RARITY = [3.0, 3.0]


def entry(ident, turn, *terms):
    return Candidate(ident, 1, turn, "user", layers.PROMPT, 100, dict.fromkeys(terms, 1.0))


def test_words_that_stand_beside_it_count():
    """Of two entries with the same word, the one whose turn has the other word of the question goes first; its own words count more."""
    beside = rank([entry(1, 1, 0), entry(2, 1, 1), entry(3, 9, 0)], RARITY, {1: 10})
    assert beside[1] > beside[3]
    whole = rank([entry(1, 1, 0, 1), entry(2, 5, 0), entry(3, 5, 1)], RARITY, {1: 10})
    assert whole[1] > whole[2]


def test_a_question_about_oneself():
    """What the user said of it goes before what the agent said, even where that has more of the words."""
    said = [entry(1, 1, 0), Candidate(2, 1, 5, layers.AGENT, layers.REPLY, 100, {0: 1.0, 1: 0.3})]
    usual, own = (rank(said, RARITY, {1: 10}, of_asker=of_asker) for of_asker in (False, True))
    assert usual[2] > usual[1]
    assert own[1] > own[2]


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("what is my budget", True),
        ("can you tell me when I moved", True),
        ("what did you recommend to me", False),
        ("why did we drop it", False),
        ("which port", False),
    ],
)
def test_who_a_question_is_about(question, about):
    """By its own words."""
    assert read_question(question, date(2026, 1, 1)).of_asker is about
