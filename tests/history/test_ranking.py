"""What an entry's score is made of."""

from tapehead.history import layers
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
