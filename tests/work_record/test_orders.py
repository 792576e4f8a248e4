"""Which orders take the place of which."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapehead.transcript import turns
from tapehead.transcript.turns import Said, Turn
from tapehead.work_record.orders import order, replaces
from tapehead.work_record.work_record import gather_work


class Given:
    """The orders that a user gave so far, as far as they still hold."""

    def __init__(self):
        self.held = []

    def take(self, sentence):
        """The sentences that this one takes the place of, and whether they say nothing else."""
        new = order(sentence)
        gone = [(old, text) for old, text in self.held if new and replaces(new, old)]
        self.held = [one for one in self.held if one not in gone] + [(new, sentence)] * bool(new)
        return [(text, old.alone) for old, text in gone]


def replaced(*sentences):
    """What the last of the sentences takes the place of."""
    given_ = Given()
    return [[text for text, _ in given_.take(sentence)] for sentence in sentences][-1]


OVERRULED = [
    ("use tabs", "no, use spaces"),
    ("Use tabs.", "Actually use spaces."),
    ("use 4 spaces", "no, use 2 spaces"),
    ("use port 3000", "use port 8080 instead"),
    ("use yarn", "switch to pnpm"),
    ("Use yarn for this", "use pnpm instead of yarn"),
    ("use yarn in the frontend", "replace yarn with pnpm"),
    ("use `yarn`", "switch from yarn to pnpm"),
    ("go with requests", "use httpx, not requests"),
    ("always use double quotes", "use single quotes rather than double quotes"),
    ("use snake_case for functions", "no, use camelCase for functions"),
    ("don't push", "you can push now"),
    ("don’t push", "you may push now"),  # noqa: RUF001  the other apostrophe
    ("Never run the migrations", "ok, go ahead and run the migrations"),
    ("please don't create new files", "okay you can create new files now"),
    ("don't push yet", "ok, push it"),
    ("Stop using mocks", "From now on use mocks"),
    ("you can push", "don't push"),
    ("always run the linter", "don't run the linter anymore"),
    ("use yarn", "we no longer use yarn"),
    ("always sign the commits", "no need to sign the commits any more"),
    ("you must update the changelog", "you don't have to update the changelog"),
    ("set the timeout to 30s", "set the timeout to 60s"),
    ("limit the results to 50", "change the results to 100"),
    ("don't push because the tests fail", "you can push now"),
]
"""An order, and one that takes its place."""


@pytest.mark.parametrize(("old", "new"), OVERRULED)
def test_a_later_order_takes_the_place_of_an_earlier_one(old, new):
    """Allowed after forbidden, one choice for another, another value for the same setting."""
    assert replaced(old, new) == [old]


@pytest.mark.parametrize(("old", "new"), OVERRULED)
def test_no_order_that_takes_the_place_of_another_is_passed_over(old, new):
    """A first look decides whether a sentence is taken apart at all: it must let every such order through."""
    steps = tuple(Said(turns.HUMAN, text) for text in (old, new))
    assert [rule.instead_of for rule in gather_work([Turn(0, steps)]).rules if rule.text == new] == [old]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("never push to main", "you can push now"),
        ("don't push", "you can push to the branch now"),
        ("don't amend commits", "amend that commit"),
        ("don't amend commits", "amend commits"),
        ("don't touch the lexer", "don't touch the parser"),
        ("don't touch the lexer", "you can touch the parser"),
        ("use requests", "no, use the helper"),
        ("use jest", "use vitest"),
        ("use sqlite for tests", "no, use postgres for production"),
        ("use snake_case for functions", "no, use camelCase for classes"),
        ("use yarn", "use pnpm instead of npm"),
        ("use yarn", "no, use yarn"),
        ("set the timeout to 30s", "set the limit to 60s"),
        ("set the timeout to 30s", "set the timeout to 30s"),
        ("set the timeout to 30s in dev", "set the timeout to 60s in tests"),
        ("don't commit and push", "you can push now"),
        ("no need to run the tests", "you can run the tests"),
        ("no need to run the tests", "don't run the tests"),
        ("run the tests", "run the tests again"),
        ("don't do it", "do it now"),
        ("don't worry about the docs", "the docs are fine now"),
        ("never commit secrets", "can you commit now"),
        ("use tabs", "x" * 500),
    ],
)
def test_what_is_merely_alike_takes_the_place_of_nothing(old, new):
    """Another object, another place, a wish for this once: both are shown rather than one lost."""
    assert replaced(old, new) == []


def test_an_order_is_replaced_once_and_can_come_back():
    """What was given up holds no more; said again, it takes the place of what had taken its place."""
    assert replaced("use tabs", "no, use spaces", "no, use tabs") == ["no, use spaces"]
    assert replaced("don't push", "you can push now", "you can push now") == []


def test_a_sentence_that_says_more_than_its_order_is_known():
    """Only part of it was overruled."""
    given_ = Given()
    given_.take("don't push and never touch the tags")
    assert given_.take("you can push now") == [("don't push and never touch the tags", False)]


@settings(deadline=None)
@given(st.lists(st.text(max_size=140) | st.sampled_from(["use tabs", "no, use spaces", "don't push"]), max_size=8))
def test_any_sentence_can_be_taken(sentences):
    """Nothing raises, and what is replaced was said before."""
    given_ = Given()
    for n, sentence in enumerate(sentences):
        assert {text for text, _ in given_.take(sentence)} <= set(sentences[:n])
        assert order(sentence) == order(sentence)
