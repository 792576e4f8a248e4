"""Counting tokens."""

from hypothesis import given
from hypothesis import strategies as st

from tapehead.tokens.estimate import room, tokens
from tapehead.tokens.usage import NOTHING_USED, Usage


def test_usage_adds_up_and_the_context_is_the_latest():
    """What was sent and received adds up; how full the window is does not."""
    first = Usage(1, 2, 3, 4, 1, 100)
    assert first.plus(Usage(10, 20, 30, 40, 1, 50)) == Usage(11, 22, 33, 44, 2, 50)
    assert first.plus(NOTHING_USED) == first


@given(st.text(max_size=200), st.integers(-3, 60))
def test_a_text_fits_a_budget_exactly_when_it_fits_its_room(text, budget):
    """What is promised in tokens and kept in characters is the same."""
    assert (tokens(text) <= max(0, budget)) == (len(text) <= room(budget))
