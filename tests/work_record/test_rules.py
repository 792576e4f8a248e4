"""Which of the user's sentences set a rule."""

import pytest

from tapehead.transcript import turns
from tapehead.transcript.turns import Said, Turn
from tapehead.work_record.work_record import digest


def ruled(text):
    return [rule.text for rule in digest([Turn(1, (Said(turns.HUMAN, text),))]).rules]


@pytest.mark.parametrize(
    "text",
    [
        "I don't see the button on that page.",
        "I don't know that I agree with the proposed solution.",
        "we don't always have the session when we read a transcript",
        "It popped up without touching any other session.",
        "I still don't get a warning there.",
    ],
)
def test_what_the_user_met_or_thinks_is_no_rule(text):
    """A `don't` of the user's own is a report."""
    assert ruled(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "please don't amend commits - it messes with the workflows",
        "but really we don't need both explain and list",
        "I don't want a new dependency for that",
        "Fix the warnings without touching the generated files.",
        "you must never push, I don't know why it was allowed",
    ],
)
def test_what_the_user_wants_and_does_not_want_is_one(text):
    """Also where it is said in the first person, and beside a report."""
    assert ruled(text) == [text]
