"""Counting tokens."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tapehead.tokens.estimate import PER_CALL, estimate_tokens, estimated_all, room, tokens


@settings(deadline=None)
@given(st.text(max_size=200), st.integers(-3, 60))
def test_a_text_fits_a_budget_exactly_when_it_fits_its_room(text, budget):
    """What is promised in tokens and kept in characters is the same."""
    assert (tokens(text) <= max(0, budget)) == (len(text) <= room(budget))


@given(st.text(), st.text())
def test_more_text_never_costs_less(one, other):
    """Whatever is put behind a text (half a character included), the two together cost at least as much as the first alone."""
    assert 0 <= estimate_tokens(one) <= estimate_tokens(one + other) + 1


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1))
def test_a_sign_of_chinese_costs_a_token_or_more(text):
    """Four characters to a token would be far too few there."""
    assert estimate_tokens(text) >= len(text)


@given(st.text(st.characters(max_codepoint=0x10FFFF, exclude_categories=("Cs",))))
def test_every_character_is_counted_once(text):
    """The sum over the characters, apart from words, which belong together: no class is missed and none counts twice."""
    alone = sum(estimate_tokens(character * 1000) for character in text) / 1000
    assert abs(estimate_tokens(" ".join(text)) - alone) <= 2 + 0.4 * len(text)


def test_words_signs_digits_and_lines_have_their_own_price():
    """English is cheaper than code, code is cheaper than numbers; a call costs beside its words."""
    english, code, numbers = (estimate_tokens(text * 100) for text in ("harbour ", "a->b[i]; ", "31415926 "))
    assert english < code < numbers
    assert estimate_tokens("\n" * 100) > estimate_tokens(" " * 100) == 0
    assert estimated_all(("one", "two"), calls=3) == estimate_tokens("one") + estimate_tokens("two") + 3 * PER_CALL
