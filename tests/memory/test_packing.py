"""Big bodies are packed."""

from hypothesis import given
from hypothesis import strategies as st

from tapehead.memory.packing import BIG, packed, unpacked


@given(st.text(st.characters(codec="utf-8"), max_size=200), st.integers(1, 200))
def test_there_and_back(text, times):
    """What goes in comes out, big or small."""
    assert unpacked(packed(text * times)) == text * times


def test_only_what_is_big():
    """A short one stays readable for anybody with sqlite3."""
    assert packed("x" * BIG) == "x" * BIG
    big = packed("x" * (BIG + 1))
    assert isinstance(big, bytes)
    assert len(big) < BIG
