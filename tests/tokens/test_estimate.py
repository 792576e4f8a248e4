"""Counting tokens."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tapehead.tokens.estimate import room, tokens


@settings(deadline=None)
@given(st.text(max_size=200), st.integers(-3, 60))
def test_a_text_fits_a_budget_exactly_when_it_fits_its_room(text, budget):
    """What is promised in tokens and kept in characters is the same."""
    assert (tokens(text) <= max(0, budget)) == (len(text) <= room(budget))
