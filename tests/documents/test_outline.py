"""Markdown by hand: what is found in it, and that an edit leaves every other line as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.documents import outline

HAND = """# My file

intro

## Threads
- [ ] one
  - nested

### Later
- [ ] two

```sh
## Threads are not here
```
~~~
``` still code
# nor here
~~~

## Journal ##

- old
"""


def titles(text):
    return [(s.title, s.level) for s in outline.sections(outline.lines_of(text))]


def test_headings_are_found_and_code_is_not():
    """Headings of every level count, closing marks are no part of them, and what stands in a fence is code."""
    assert titles(HAND) == [("My file", 1), ("Threads", 2), ("Later", 3), ("Journal", 2)]


def test_spans():
    """A section's own lines end at the next heading, all of it at the next heading that is not deeper."""
    lines = outline.lines_of(HAND)
    found = {s.title: s for s in outline.sections(lines)}
    assert lines[found["Threads"].until] == "### Later"
    assert lines[found["Threads"].end] == "## Journal ##"
    assert found["My file"].end == found["Journal"].end == len(lines)


def test_the_exact_title_wins_over_one_that_begins_like_it():
    """A heading that only begins alike serves where there is no better one."""
    lines = outline.lines_of("# Notes of mine\na\n## NOTES\nb\n")
    assert outline.body(lines, "notes") == ["b", ""]
    assert outline.body(lines[:2], "notes") == ["a"]
    assert outline.body(lines, "Focus") == []
    assert outline.section([], "Focus") is None


def test_bullets():
    """Items of all marks, continued lines joined, paragraphs apart, ticked boxes left out, open ones without their box."""
    text = "- a\n  goes on\n* b\n1. c\n\nd\ne\n\n- [x] done\n- [X] done\n- [ ] open\n+ [ ]\n"
    assert outline.bullets(outline.lines_of(text)) == ["a goes on", "b", "c", "d e", "open", ""]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "## T\n\n- new\n"),
        ("x", "x\n\n## T\n\n- new\n"),
        ("## T\n", "## T\n\n- new\n"),
        ("## T", "## T\n\n- new\n"),
        ("## T\n- a\n\n\n## U\n", "## T\n- a\n- new\n\n\n## U\n"),
        ("## T\n- a", "## T\n- a\n- new\n"),
        ("## T\r\n- a\r\n\r\n## U\r\n", "## T\r\n- a\r\n- new\r\n\r\n## U\r\n"),
        ("## T\r\n- a", "## T\r\n- a\r\n- new\r\n"),
        ("a\r\n", "a\r\n\r\n## T\r\n\r\n- new\r\n"),
        ("\ufeff# t\n- a\n", "\ufeff# t\n- a\n- new\n"),
    ],
)
def test_one_more_line(before, after):
    """It goes after the section's last line, with the file's own line ends; a section that is missing is made at the end."""
    assert outline.with_line(before, "T", "- new") == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "## T\n\nnew\n"),
        ("## T\nold\nold\n", "## T\n\nnew\n"),
        ("a\n## T\nold\n## U\nu\n", "a\n## T\n\nnew\n\n## U\nu\n"),
        ("## T\r\nold\r\n### deeper\r\nd\r\n", "## T\r\n\r\nnew\r\n\r\n### deeper\r\nd\r\n"),
    ],
)
def test_another_body(before, after):
    """Only the section's own lines are replaced."""
    assert outline.with_body(before, "T", ["new"]) == after


LINES = st.lists(
    st.one_of(
        st.sampled_from(["# T", "## T", "## Other", "- [ ] a", "", "```", "~~~", "text\r", "\r", "## t ##"]),
        st.text(st.characters(exclude_characters="\n"), max_size=8),
    ),
    max_size=12,
)


@given(LINES, st.sampled_from(["T", "Missing"]))
def test_whatever_stood_there_stands_there(lines, title):
    """With one more line, every former line is still there, in its order; and the new one is found in its section."""
    text = "\n".join(lines)
    after = outline.with_line(text, title, "- new")
    rest = iter(line.rstrip("\r") for line in outline.lines_of(after))
    assert all(line.rstrip("\r") in rest for line in outline.lines_of(text.rstrip("\r\n")))
    if outline.section(lines, title) or not any(line.strip().startswith(("```", "~~~")) for line in lines):
        assert "new" in outline.bullets(outline.body(outline.lines_of(after), title))[-1]


@given(st.text())
def test_one_line_is_one_line(text):
    """Nothing that breaks a line, moves a cursor or cannot be written gets through; done twice it is the same."""
    found = outline.one_line(text)
    assert found.isprintable() or not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in found)
    assert len(found.splitlines()) <= 1
    assert outline.one_line(found) == found
    found.encode()
