"""A brief as the agent takes it: within its limit, and once where one start is said twice."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenes
from tapehead.actions.brief_keeper import Handed
from tapehead.agents.codex import hooks as codex
from tapehead.engine.fitting import fit, start_before
from tapehead.statemachine.vocabulary import Event


@given(st.text(alphabet="aä数<", min_size=1), st.integers(100, 20_000))
def test_a_story_fits(letters, length):
    """However the agent counts: what it would cut is told again, shorter; what fits is told once."""
    asked = []

    def told(limit):
        asked.append(limit)
        return Handed((letters * length)[: min(limit, length)], {})

    assert codex.size(fit(told, codex).text) <= codex.LIMIT
    assert asked[0] == codex.LIMIT
    assert len(asked) == 1 or codex.size((letters * length)[:length]) > codex.LIMIT


def test_a_story_that_cannot_be_shorter_is_told_all_the_same():
    """It is tried a few times, and then the agent does what it does."""
    agent = SimpleNamespace(LIMIT=10, size=len)
    assert fit(lambda _: Handed("x" * 99, {}), agent).text == "x" * 99


def starts(*, pid=7, other=7, between=(), given_=True):
    one = scenes.line(Event.SESSION_START, id="one", data={"pid": pid})
    told = scenes.line("restored", of="one", data={"characters": 5 if given_ else 0})
    return [one, told, *between, scenes.line(Event.SESSION_START, id="two", data={"pid": other})]


def test_said_twice():
    """Right after one another, by one process, and the first was told the brief: then the second is not."""
    assert start_before(starts(), "two") == "one"
    assert start_before(starts(between=[scenes.line("survey")]), "two") == "one"


@pytest.mark.parametrize(
    "lines",
    [
        starts(other=8),
        starts(pid=None, other=None),
        starts(given_=False),
        starts(between=[scenes.line(Event.TURN_START)]),
        starts(between=[scenes.line(Event.COMPACTED)]),
        [scenes.line(Event.SESSION_START, id="two")],
        [],
    ],
)
def test_not_the_same_start(lines):
    """Another process, nothing told yet, or something in between: it is a start of its own."""
    assert start_before(lines, "two") == ""


def test_a_prompt_is_no_start():
    """What is owed rides on the prompt after a start that could not be told."""
    lines = [*starts()[:2], scenes.line(Event.TURN_START, id="three", data={"pid": 7})]
    assert start_before(lines, "three") == ""
