"""The words around a hit."""

from hypothesis import given
from hypothesis import strategies as st

from tapehead.memory.snippet import AROUND, snippet
from tapehead.memory.wording import query


def test_around_the_phrase_or_the_first_word():
    """On one line, with a mark where it was cut."""
    text = "a " * 100 + "the\nneedle   is here" + " b" * 100
    said = snippet(text, query("needle"))
    assert "the needle is here" in said
    assert said.startswith("…a")
    assert said.endswith("b…")
    assert snippet("x the needle\nhere", query('"needle here"')) == "x the needle here"


def test_nothing_to_be_seen():
    """The beginning, where a word was found by its folded letters alone."""
    assert snippet("naïve café", query("cafe")) == "naïve café"


@given(st.text(max_size=400), st.text(max_size=20))
def test_never_long(text, words):
    """Whatever the text: one line, and not much more than what is meant by around."""
    said = snippet(text, query(words))
    assert "\n" not in said
    assert len(said) <= 3 * AROUND + len(words) * 3 + 2
