"""Objects from an agent's record, taken apart without trusting any of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.transcript import cut_strings, entries

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
    assert isinstance(entries.take_list(entry, "k"), list)
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


@pytest.mark.parametrize("opening", [b'{"a":', b'{"a":[', b'{"b":1,"a":{"c":['])
def test_a_deep_nest_is_no_entry(opening):
    """Whoever walked or wrote it would run out of stack; what is as deep as agents write is one."""
    closing = bytes(reversed(opening)).translate(bytes.maketrans(b"[{", b"]}"), b'":,1abc')
    assert entries.entry_of(opening * 150 + b"7" + closing * 150) == {}
    assert entries.entry_of(opening * 20 + b"7" + closing * 20)
    assert entries.entry_of(b'{"code":"%s"}' % (b"[" * 5_000)), "brackets in a text are text"


@pytest.mark.parametrize("part", [b'"a":1', b'"a":[]', b'"k":{"k":1}', b'"\\\\":"\\",\\""'])
def test_a_crowd_of_values_is_no_entry(part):
    """Thirty bytes of memory for each byte of the file: nothing is parsed."""
    line = b"{" + b",".join([part] * 200_001) + b"}"
    assert entries.entry_of(line) == {}
    assert entries.entry_of(b'{"log":"%s"}' % (b"a,b\\n" * 400_000)), "commas in a text are text"


def test_a_crowd_of_texts_is_not_gathered():
    """Where long texts are cut on the way, such a line is given up."""
    assert cut_strings.cut([b"{" + b'"a":1,' * 1_000] * 300) == b""


def test_what_is_found_before_a_failure_stays():
    """A reader that stumbles over one value has told what stood before it; an error of ours that is no value's is not hidden."""

    def told(error):
        yield 1
        raise error

    assert entries.found_in(told(TypeError())) == [1]
    with pytest.raises(OSError, match="disk"):
        entries.found_in(told(OSError("disk")))
