import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from json_documents import printed, scrawled, values

from tapehead.agents.json_text import (
    MAX_DEPTH,
    Array,
    DuplicateKeyError,
    MalformedError,
    Object,
    String,
    is_blank,
    parse,
)


def strict(text):
    """The standard library's reading, without the words that are not JSON."""

    def refuse(word):
        raise ValueError(word)

    return json.loads(text, parse_constant=refuse)


def rebuilt(text, node):
    """What the positions say, read piece by piece by the standard library."""
    if isinstance(node, Object):
        assert all(json.loads(text[each.start : each.key_end]) == each.key for each in node.items)
        return {each.key: rebuilt(text, each.value) for each in node.items}
    if isinstance(node, Array):
        return [rebuilt(text, each) for each in node.items]
    value = json.loads(text[node.start : node.end])
    assert not isinstance(node, String) or node.value == value
    return value


@given(printed(values) | scrawled(values))
def test_every_span_is_what_it_says(text):
    """The pieces between the positions, read alone, make up what the whole text says."""
    assert rebuilt(text, parse(text).root) == json.loads(text.removeprefix("\ufeff"))


@given(st.text('{}[]",:\\ \t\n\r-+.0123456789eEtrufalsn\x00x', max_size=12))
@example("01")
@example("1.")
@example("[1,]")
@example('{"a":1,}')
@example("{1:2}")
@example('{"a" 1}')
@example('"\n"')
@example('"\\x"')
@example("NaN")
@example("-Infinity")
@example("")
@example("1 2")
def test_it_takes_what_json_takes_and_nothing_else(text):
    """A text is refused exactly where the standard library, held to the standard, refuses it."""
    try:
        strict(text)
    except ValueError:
        with pytest.raises(MalformedError):
            parse(text)
    else:
        parse(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1, column 1: a value is expected here"),
        ('{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: a comma or } is expected here"),
        ("[1 2]", "line 1, column 4: a comma or ] is expected here"),
        ("{\n // no\n}", "line 2, column 2: a key in double quotes is expected here"),
        ('{"a"}', "line 1, column 5: a colon is expected here"),
        ("{}\n}", "line 2, column 1: there is more after the end of the document"),
        ('"\\q"', "line 1, column 2: in a string: Invalid \\escape"),
    ],
)
def test_an_error_names_the_place(text, words):
    """An error says the line and column, as an editor counts them, and what was expected there."""
    with pytest.raises(MalformedError) as caught:
        parse(text)
    assert str(caught.value) == words


def test_nesting_has_an_end():
    """Nesting up to the limit is read, and beyond it is an error, not a crash, whatever the depth."""
    parse("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    for depth in (MAX_DEPTH + 2, 100_000):
        with pytest.raises(MalformedError, match="nested more than"):
            parse("[" * depth)


def test_numbers_stay_as_they_are_written():
    """A number too long for Python to convert is only passed over."""
    assert parse("9" * 10_000).root.end == 10_000


def test_a_key_that_stands_twice_is_not_guessed_at():
    """Asking for a key that stands twice is an error at the second; `last` is for readers."""
    document = parse('{"a": 1,\n "b": 2, "a": 3}')
    assert document.member(document.root, "b").value == document.root.items[1].value
    assert document.member(document.root, "c") is None
    with pytest.raises(DuplicateKeyError, match='line 2, column 10: the key "a" stands twice in one object'):
        document.member(document.root, "a")
    assert document.root.last("a") == document.root.items[2].value
    assert document.root.last("c") is None


@pytest.mark.parametrize("text", ["", " \t\r\n", "\ufeff", "\ufeff\n"])
def test_blank(text):
    """White space and a byte order mark are nothing."""
    assert is_blank(text)
    assert not is_blank(text + "{}")
