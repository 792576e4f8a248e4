"""Big bodies are packed."""

from hypothesis import given
from hypothesis import strategies as st

from tapehead.history.compression import BIG, pack_body, storable, unpack_body


@given(st.text(st.characters(codec="utf-8"), max_size=200), st.integers(1, 200))
def test_there_and_back(text, times):
    """What goes in comes out, big or small."""
    assert unpack_body(pack_body(text * times, (text * times).encode())) == text * times


def test_only_what_is_big():
    """A short one stays readable for anybody with sqlite3."""
    assert pack_body("x" * BIG, b"x" * BIG) == "x" * BIG
    big = pack_body("x" * (BIG + 1), b"x" * (BIG + 1))
    assert isinstance(big, bytes)
    assert len(big) < BIG


@given(st.text(max_size=50))
def test_what_a_database_takes(text):
    """Half a character becomes a mark, a NUL goes, and everything else is as it was."""
    kept = storable(text)
    kept.encode()
    assert "\0" not in kept
    assert kept == "".join("?" if "\ud800" <= letter <= "\udfff" else letter for letter in text if letter != "\0")
