"""What a text names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapehead.work_record.named_things import is_code, things


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("see src/app/main_loop.py:12", {"app/main_loop.py", "main_loop.py", "main_loop"}),
        ("/home/x/app/main.go and ./app/main.go", {"app/main.go", "main.go"}),
        ("open Makefile or setup.cfg.", {"setup.cfg"}),
        ("call parseHeader(raw_bytes)", {"parseHeader", "raw_bytes"}),
        ("fixed in 1f3a9c2, see #312", {"1f3a9c2", "#312"}),
        ("a plain sentence, with Words and NASA 1234567", set()),
        ("e.g. i.e. 3.14", set()),
        ("#later", set()),
    ],
)
def test_files_names_and_refs_are_found_and_plain_words_are_not(text, named):
    """A path is known by its end, a name by its shape, a ref by its digits."""
    assert things(text) == named


@settings(deadline=None)
@given(st.text())
def test_any_text_can_be_asked(text):
    """Nothing raises, and every thing is part of the text's words."""
    assert all(isinstance(thing, str) and thing for thing in things(text))


@pytest.mark.parametrize(
    ("word", "code"), [("getName", True), ("MAX_SIZE", True), ("Readme", False), ("HTTP", False), ("_x", False)]
)
def test_a_code_name_has_a_hump_or_an_underscore_inside(word, code):
    """Capitals at the start or everywhere do not make a name."""
    assert is_code(word) is code
