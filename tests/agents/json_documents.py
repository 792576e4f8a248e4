"""JSON documents in every dress that Hypothesis can think of."""

import json

from hypothesis import strategies as st

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)
gaps = st.text(" \t\r\n", max_size=3)

# What editors and programs write: any indentation, spaced or tight, a last newline or none, CRLF, a byte order mark.
indents = st.sampled_from([None, 0, 1, 2, 4, 8, "\t"])
separators = st.sampled_from([(",", ":"), (", ", ": "), (",", ": "), (" , ", " : ")])


@st.composite
def printed(draw, documents):
    """A document as `json.dumps` prints it."""
    indent = draw(indents)
    text = json.dumps(
        draw(documents), indent=indent, separators=draw(separators), ensure_ascii=draw(st.booleans())
    ) + draw(st.sampled_from(["", "\n", "\n\n"]))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "\ufeff"])) + text


@st.composite
def scrawled(draw, documents):
    """A document with any white space wherever JSON allows some."""
    return draw(gaps) + _scrawl(draw, draw(documents)) + draw(gaps)


def _scrawl(draw, value):
    if isinstance(value, dict):
        rows = [_scrawl(draw, key) + draw(gaps) + ":" + draw(gaps) + _scrawl(draw, each) for key, each in value.items()]
        return "{" + _row(draw, rows) + "}"
    if isinstance(value, list):
        return "[" + _row(draw, [_scrawl(draw, each) for each in value]) + "]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


def _row(draw, rows):
    return draw(gaps) + ",".join(draw(gaps) + row + draw(gaps) for row in rows)
