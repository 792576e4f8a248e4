"""One line that says what was asked and what came of it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tapehead.history.headline import ASKED, CAME, Happened, headline


@pytest.mark.parametrize(
    ("happened", "line"),
    [
        (
            Happened(("Ok, can you please fix the leak in the hull?",), ("Let me look.\nThe leak is fixed.",)),
            "fix the leak in the hull? → The leak is fixed",
        ),
        (Happened(("Add a mast",), ("Added a mast.",), ("/a/mast.py",)), "Add a mast → Added a mast. (mast.py)"),
        (
            Happened(("Add a mast",), (), ("/a/mast.py", "/a/sail.py", "/b/rope.py")),
            "Add a mast → edited mast.py, sail.py +1",
        ),
        (Happened(("Run it",), (), (), ("make test",), 3), "Run it → ran make test"),
        (Happened(("Look around",), (), (), (), 4), "Look around → 4 tool calls"),
        (Happened(("Look around",), (), (), (), 1), "Look around → one tool call"),
        (Happened(("Row home",)), "Row home → no answer"),
        (Happened((), ("All tests pass now.",)), "All tests pass now"),
        (Happened(), "no answer"),
        (
            Happened(("Thanks!",), ("**Done!** See [the docs](http://x) for more.",)),
            "Thanks! → Done! See the docs for more",
        ),
    ],
)
def test_lines(happened, line):
    """Taken from their own words: without the words around what is asked, and with what came of it before what was announced."""
    assert headline(happened) == line


def test_a_plan_is_told_by_its_first_line():
    """That a plan follows says nothing by itself."""
    line = headline(
        Happened(("Implement the following plan:\n\n# Build a lighthouse on the rock\n\nmore",), ("Built it.",))
    )
    assert line == "Build a lighthouse on the rock → Built it"


def test_code_is_nobodys_words():
    """A reply that ends in a code block is told by what was said around it."""
    line = headline(Happened(("Show me the code please",), ("The parser works.\n```\ndef x(): return 'added'\n```",)))
    assert line == "Show me the code please → The parser works"


@example([], [":"], 0)
@given(st.lists(st.text(max_size=200), max_size=3), st.lists(st.text(max_size=200), max_size=3), st.integers(0, 5))
def test_always_one_short_line(prompts, replies, tools):
    """Whatever was said."""
    line = headline(Happened(tuple(prompts), tuple(replies), (), (), tools))
    assert line
    assert len(line) <= ASKED + CAME + 3
    assert len(line.splitlines()) == 1
