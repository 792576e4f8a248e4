"""Lines whose long texts are kept by their ends."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapehead.transcript import cut_strings
from tapehead.transcript.cut_strings import cut

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80) | st.text('\\"a ', max_size=80),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


def pieces(line, size):
    return [line[at : at + size] for at in range(0, len(line), size)]


def written(value, *, ascii_only):
    return json.dumps(value, ensure_ascii=ascii_only).encode()


@settings(deadline=None)
@given(VALUES, st.integers(1, 50), st.booleans())
def test_what_is_short_stays_as_it_is(value, size, ascii_only):
    """However the line comes in pieces."""
    line = written(value, ascii_only=ascii_only)
    assert cut(pieces(line, size)) == line


@settings(deadline=None)
@given(st.data(), VALUES, st.integers(1, 50), st.booleans())
def test_what_is_cut_is_still_an_object_of_the_same_shape(data, value, size, ascii_only):
    """No escape is torn, no text ends early; a text begins as it did, as far as it is kept."""
    kept = data.draw(st.integers(6, 30))
    before, cut_strings.KEPT = cut_strings.KEPT, kept
    try:
        line = cut(pieces(written(["first", value, "last"], ascii_only=ascii_only), size))
    finally:
        cut_strings.KEPT = before
    found = json.loads(line.decode(errors="replace"))
    assert (found[0], len(found), found[2]) == ("first", 3, "last")
    assert shape(found[1]) == shape(value)


def shape(value):
    if isinstance(value, list):
        return [shape(one) for one in value]
    return type(value)  # of an object, two long keys may have become one


@pytest.mark.parametrize("text", ["x" * 500_000, "many words " * 50_000, 'a "quote" \\ ' * 50_000, "日本語" * 80_000])
def test_a_long_text_is_kept_by_its_ends(text):
    """The beginning and the end are there, and not much more."""
    line = written({"text": text, "after": [1]}, ascii_only=False)
    short = cut(pieces(line, 1 << 14))
    assert len(short) < 3 * cut_strings.KEPT
    found = json.loads(short.decode(errors="replace"))
    assert found["after"] == [1]
    assert found["text"][:1000] == text[:1000]
    assert found["text"][-1000:] == text[-1000:] or " " not in text
