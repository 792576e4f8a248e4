import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_documents import printed, scrawled, values

from tapehead.agents.json_edit import append, interior, remove, replace
from tapehead.agents.json_text import Array, Object, parse

ADDED = {"list": [1, {"a": "é"}], "empty": []}
objects = st.dictionaries(st.text(), values, max_size=3)
lists = st.lists(values, max_size=3)


def plain(text):
    return json.loads(text.removeprefix("\ufeff"))


def containers(node):
    if isinstance(node, Array | Object):
        yield node
        for item in node.items:
            yield from containers(getattr(item, "value", item) if isinstance(node, Object) else item)


@given(printed(objects | lists) | scrawled(objects | lists), st.data())
def test_what_is_added_can_be_taken_out_again(text, data):
    """Adding to any container and removing what was added gives the same bytes."""
    document = parse(text)
    parent = data.draw(st.sampled_from(list(containers(document.root))))
    key = "a new key" if isinstance(parent, Object) else None
    edited = parse(append(document, parent, ADDED, key))
    grown = next(each for each in containers(edited.root) if each.start == parent.start)
    assert len(grown.items) == len(parent.items) + 1
    assert remove(edited, grown, len(parent.items), interior(document, parent)) == text


@given(printed(objects) | scrawled(objects))
def test_a_member_more(text):
    """Appending a member changes nothing but that, and puts it last."""
    document = parse(text)
    added = plain(append(document, document.root, ADDED, "hooks\n"))
    assert list(added) == [*dict.fromkeys([*plain(text), "hooks\n"])]
    assert added == plain(text) | {"hooks\n": ADDED}


@given(printed(st.lists(values, min_size=1)) | scrawled(st.lists(values, min_size=1)), st.data())
def test_an_element_less(text, data):
    """Removing an element, wherever it stands, removes that one alone."""
    document = parse(text)
    index = data.draw(st.integers(0, len(document.root.items) - 1))
    left = plain(text)
    del left[index]
    assert plain(remove(document, document.root, index)) == left


@given(st.dictionaries(st.text(), values, min_size=1), st.sampled_from([0, 1, 2, 4, 8, "\t"]))
def test_it_looks_as_if_it_had_been_there(document, indent):
    """In an indented document, appending is the same as printing the whole anew."""
    document.pop("new", None)
    document = {"first": 1} | document
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    parsed = parse(text)
    expected = json.dumps(document | {"new": ADDED}, indent=indent, ensure_ascii=False)
    assert append(parsed, parsed.root, ADDED, "new") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "k": [\n    1\n  ]\n}'),
        ("\ufeff{}\n", '\ufeff{\n  "k": [\n    1\n  ]\n}\n'),
        ('{"a":1}', '{"a":1,"k":[1]}'),
        ('{"a": 1}', '{"a": 1, "k": [1]}'),
        ('{ "a": 1 }\n', '{ "a": 1, "k": [1] }\n'),
        ('{"a":1,  "b":2}', '{"a":1,  "b":2,  "k":[1]}'),
        ('{\r\n\t"a" : {}\r\n}', '{\r\n\t"a" : {},\r\n\t"k" : [\r\n\t\t1\r\n\t]\r\n}'),
        ('{\n    "a": 1,\n\n    "b": 2\n}', '{\n    "a": 1,\n\n    "b": 2,\n    "k": [\n        1\n    ]\n}'),
        ('{"a":\n1}', '{"a":\n1, "k": [1]}'),
        ('{"a":1,\n"b":2}', '{"a":1,\n"b":2,\n"k":[\n  1\n]}'),
        ('  {\n "a": 1\n}', '  {\n "a": 1,\n "k": [\n   1\n ]\n}'),
    ],
)
def test_layout_is_taken_from_the_neighbours(text, expected):
    """Indentation, line ends, colons and commas of what is added are those of the document."""
    document = parse(text)
    assert append(document, document.root, [1], "k") == expected


def test_an_empty_parent_on_one_line():
    """In a document on one line an empty parent is filled on that line."""
    document = parse('{"a":[]}')
    assert append(document, document.root.items[0].value, {"b": 1}) == '{"a":[{"b":1}]}'


def test_lists_alone_have_commas_with_spaces():
    """Where no colon shows the style, the usual one is taken."""
    document = parse("[1]")
    assert append(document, document.root, {"b": 2}) == '[1, {"b": 2}]'


def test_replace():
    """A replaced value leaves the text around it alone."""
    document = parse('[ 1 , "two" ]')
    assert replace(document, document.root.items[1], "zwölf") == '[ 1 , "zwölf" ]'
