"""Objects from a host's record, taken apart without trusting any of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.transcript import entries

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda one: st.lists(one) | st.dictionaries(st.just("k"), one),
)


@given(anything)
def test_what_is_not_of_the_expected_kind_is_not_there(entry):
    """Whatever stands in a record, words are words, counts are counts, and lists are lists."""
    assert isinstance(entries.word(entry, "k"), str)
    assert entries.count(entry, "k") >= 0
    assert isinstance(entries.within(entry, "k"), dict)
    assert isinstance(entries.listed(entry, "k"), list)
    assert all(isinstance(one, dict) for one in entries.dicts(entry, "k"))


def test_what_is_of_the_expected_kind_is_taken():
    """The first key that holds words has them; a truth is no count."""
    assert entries.first_word({"a": 1, "b": "", "c": "x"}, "a", "b", "c") == "x"
    assert (entries.count({"k": 3}, "k"), entries.count({"k": True}, "k")) == (3, 0)
    assert entries.dicts({"k": [{}, 1, {"a": 2}]}, "k") == [{}, {"a": 2}]


@pytest.mark.parametrize("line", [b"", b"x", b"[1]", b"3", b"\xff{", b"[" * 9**6])
def test_a_line_that_is_no_object_is_an_empty_one(line):
    """Garbage, other values, and what is too deep for Python."""
    assert entries.entry_of(line) == {}


def test_half_a_character_does_not_spoil_a_line():
    """The rest of it is read."""
    assert entries.entry_of(b'{"k": "a\xe2\x82"}')["k"].startswith("a")
