"""What is shown of a user's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.text import redacted_excerpt
from tapehead.text.provider_secrets import BEGINNINGS
from tapehead.text.redaction import MASK

KEY = "sk-ant-api03-" + "aB3dE5fG7h" * 4


@given(before=st.text(alphabet="ab c", max_size=80), letters=st.integers(0, 120))
def test_no_part_of_a_secret_is_in_the_beginning(before, letters):
    """Wherever a beginning is cut, it shows nothing of a key that stands there."""
    assert "aB3" not in redacted_excerpt.first(f"{before} {KEY} and more", letters)


@pytest.mark.parametrize("kept", range(5, len(KEY)))
def test_a_line_that_was_cut_inside_a_secret(kept):
    """What is left of a key where a line ends, however short, is redacted."""
    assert redacted_excerpt.in_line(f"the key {KEY[:kept]}…") == f"the key {MASK}…"


@pytest.mark.parametrize("line", ["look for the pattern…", "a plain line", "pattern…", "", "sk-…ipped ", "a … b"])
def test_other_lines_stay(line):
    """Words that only begin like a secret are words."""
    assert redacted_excerpt.in_line(line) == line


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_every_known_beginning_is_known_at_the_end(beginning):
    """No provider is left out."""
    assert redacted_excerpt.in_line(f"use {beginning}1a…") == f"use {MASK}…"


def test_data_is_masked_wherever_a_text_stands():
    """In lists and in objects; numbers and names of fields stay."""
    said = {"prompt": KEY, "more": [1, None, {"inner": f"x {KEY}"}], "at": ("a",)}
    assert redacted_excerpt.data(said) == {"prompt": MASK, "more": [1, None, {"inner": f"x {MASK}"}], "at": ["a"]}
