"""The one door into a page."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from payloads import payloads

from tapehead.report.markup import Html, el, join_markup, text
from tapehead.text.plain import plain


class Seen(HTMLParser):
    """What a parser finds: elements with their attributes, and text."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts = [], []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        self.elements.append(("comment", data))


@pytest.mark.parametrize("payload", payloads())
def test_a_hostile_text_stays_text(payload):
    """As a child it makes no element, as an attribute no second one, and it reads as it was but for what hides."""
    seen = Seen(el("p", payload, title=payload))
    assert seen.elements == [("p", {"title": plain(payload)})]
    assert "".join(seen.texts) == plain(payload)


@given(st.text())
def test_any_text_stays_text(words):
    """Whatever the letters."""
    seen = Seen(el("p", words, title=words))
    assert [name for name, _ in seen.elements] == ["p"]
    assert "".join(seen.texts) == plain(words)


def test_markup_is_made_here_alone():
    """What `el` made goes into another element as it is; None is nothing; a number is text."""
    inner = el("b", "<")
    assert el("p", inner, None, 3) == "<p><b>&lt;</b>3</p>"
    assert isinstance(join_markup([inner, "<"]), Html)
    assert text(inner) is inner


@pytest.mark.parametrize("name", ["onclick", "ONLOAD".lower(), "style", "src", "srcdoc", "action"])
def test_handlers_and_styles_have_no_way_in(name):
    """An attribute that could run or load something is refused, whatever its value."""
    with pytest.raises(ValueError, match="no page of ours"):
        el("p", **{name: "x"})


def test_links_lead_nowhere_but_into_the_page():
    """An address from a session is never one that can be clicked."""
    with pytest.raises(ValueError, match="links to elsewhere"):
        el("a", href="https://example.org")
    assert el("a", "x", href="#s1") == '<a href="#s1">x</a>'


def test_attributes_that_do_not_hold_are_left_out():
    """True is a bare name; False and None are nothing."""
    assert el("details", open=True, hidden=False, id=None, data_turn=3) == '<details open data-turn="3"></details>'
