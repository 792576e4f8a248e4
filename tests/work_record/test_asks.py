"""What the user insisted on: in a work record and in running notes the same sentences."""

from __future__ import annotations

import pytest

from tapehead.transcript.turns import HUMAN, Said, Turn
from tapehead.work_record.rules import rules
from tapehead.work_record.step_row import Conversation


@pytest.mark.parametrize(
    ("words", "orders"),
    [
        ("Do **not** touch the lexer.", ["Do not touch the lexer."]),
        ("- Always run the tests\n- Thanks a lot for it", ["Always run the tests"]),
        ("Make\nsure it is fast enough.", []),
        ("Please fix tests/test_undo.py for me.", []),
        ("Rename on_leave to on_exit in the widget.", []),
        ("Look at step2undo in the log.", []),
        ("Undo that last change of yours.", ["Undo that last change of yours."]),
        ("It is (never) to be called twice.", ["It is (never) to be called twice."]),
        ("Should we always rebuild it?", []),
    ],
)
def test_the_words_that_insist_stand_for_themselves(words, orders):
    """Not as a part of a name; bold or in a list, but not across lines; and no question is an order."""
    conversation = Conversation([Turn(0, (Said(HUMAN, words),))])
    assert [one.text for one in rules(conversation)] == orders
