"""Which of the user's sentences set a rule."""

import pytest

from tapehead.transcript import turns
from tapehead.transcript.turns import Said, Turn
from tapehead.work_record.work_record import gather_work


def ruled(text):
    return [rule.text for rule in gather_work([Turn(1, (Said(turns.HUMAN, text),))]).rules]


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


def test_words_behind_a_command_are_the_users():
    """`/execute-plan` is the agent's, and what the user typed after it is not."""
    assert ruled("/plan:execute keep each commit with working code please") == [
        "keep each commit with working code please"
    ]
    assert ruled("/etc/hosts must never be changed") == ["/etc/hosts must never be changed"]


@pytest.mark.parametrize("command", ["! git commit -m wip", "/superpowers:commit"])
def test_a_command_changes_no_rule(command):
    """It names the rule's words, and takes nothing back."""
    turns_told = [Turn(n, (Said(turns.HUMAN, text),)) for n, text in enumerate(("Never commit to main.", command))]
    (rule,) = gather_work(turns_told).rules
    assert (rule.text, rule.later) == ("Never commit to main.", "")


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
    """Also where it is said in the first user, and beside a report."""
    assert ruled(text) == [text]


@pytest.mark.parametrize(
    ("said", "is_rule"),
    [
        ("keep all the color changes we made", True),
        ("no remove this again, the risk that someone takes it for a stable link is too big", True),
        ("I think this is the weakest option, let's skip it", True),
        ("ignore the missing backup configuration", True),
        ("reuse the code where possible", True),
        ("detail view only for now", True),
        ("no, go on", False),
        ("no it's the other file", False),
        ("no readings, but a blank box with a thin frame", False),
        ("how do we ensure that nothing is left of it", False),
        ("ok, I think we need to revert the work so far, what I want is:", False),
        ("the row was ignored by the parser", False),
        ("ok let's keep going", False),
        ("we should do a commit as well", False),
        ("you should continue", False),
        ("you should do a review after every step", True),
        ("we should make it configurable", True),
        ("let's keep it simple", True),
    ],
)
def test_vetoes_and_preferences_that_are_said_in_passing(said, is_rule):
    """A no with its reason, what is to be kept or skipped; neither a question without its mark nor the words before a list."""
    assert ruled(said) == ([said] if is_rule else [])
