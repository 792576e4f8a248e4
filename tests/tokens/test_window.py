"""The marks of a window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.settings.loading import DEFAULTS
from tapehead.tokens.window import BLOCKED, COMPACTS, ERROR, FINE, LEVELS, WARNING, Margins, Thresholds

TOKENS = st.integers(-10, 3_000_000)
MARGINS = st.builds(Margins, reserve=TOKENS, warning=TOKENS, error=TOKENS, auto_compact=TOKENS, blocking=TOKENS)
USUAL = Thresholds(200_000, Margins())


def marks(window, margins):
    found = Thresholds(window, margins)
    return [0, *found.marks, found.usable, found.window]


def test_the_usual_marks_of_the_usual_window():
    """200,000 tokens, of which 20,000 are for the answer; the agent compacts at 167,000."""
    assert (USUAL.usable, USUAL.blocking, USUAL.auto_compact) == (180_000, 177_000, 167_000)
    assert (USUAL.error, USUAL.warning) == (160_000, 160_000)


def test_the_defaults_here_are_those_of_the_settings():
    """Nothing is written down twice without a test that compares."""
    margins = Margins()
    numbers = [name for name in Margins.__slots__ if name != "compacts"]
    assert {name: getattr(margins, name) for name in numbers} == {
        name: DEFAULTS.number(f"window.{name}") for name in numbers
    }
    assert margins.compacts is DEFAULTS.flag("window.compacts")


def test_an_agent_that_does_not_compact_by_itself():
    """Its way ends where it takes no more prompts."""
    marks = Thresholds(200_000, Margins(compacts=False))
    assert marks.marks == (160_000, 160_000, 177_000, 177_000)
    assert (marks.level(176_999), marks.level(177_000), marks.percent_left(88_500)) == (ERROR, BLOCKED, 50)


@pytest.mark.parametrize(
    ("used", "level", "left"),
    [
        (0, FINE, 100),
        (159_999, FINE, 4),
        (160_000, ERROR, 4),
        (166_999, ERROR, 0),
        (167_000, COMPACTS, 0),
        (177_000, BLOCKED, 0),
        (10**9, BLOCKED, 0),
        (-5, FINE, 100),
    ],
)
def test_a_use_against_the_marks(used, level, left):
    """The mark itself belongs to the level that begins there."""
    assert (USUAL.level(used), USUAL.percent_left(used)) == (level, left)


def test_a_warning_that_is_due_before_the_error_is_given():
    """By default the two are one; a setting sets them apart."""
    apart = Thresholds(200_000, Margins(error=15_000))
    assert [apart.level(used) for used in (160_000, 164_999, 165_000)] == [WARNING, WARNING, ERROR]


@given(TOKENS, MARGINS)
def test_the_marks_are_in_order(window, margins):
    """For every window and every setting, odd ones included."""
    found = marks(window, margins)
    assert found == sorted(found)


@given(TOKENS, TOKENS, MARGINS)
def test_a_larger_window_never_lowers_a_mark(one, other, margins):
    """Every mark grows with the window, or stays."""
    low, high = sorted((one, other))
    assert all(a <= b for a, b in zip(marks(low, margins), marks(high, margins), strict=True))


@given(TOKENS, MARGINS, st.sampled_from(Margins.__slots__), st.integers(0, 1_000_000))
def test_a_larger_margin_never_raises_a_mark(window, margins, name, more):
    """Every mark sinks with each setting, or stays."""
    before = marks(window, margins)
    setattr(margins, name, getattr(margins, name) + more)
    assert all(a >= b for a, b in zip(before, marks(window, margins), strict=True))


@given(TOKENS, MARGINS, TOKENS, TOKENS)
def test_more_use_is_never_a_better_level(window, margins, one, other):
    """Level and percentages go one way only, and a percentage left is one."""
    found = Thresholds(window, margins)
    low, high = sorted((one, other))
    assert LEVELS.index(found.level(low)) <= LEVELS.index(found.level(high))
    assert 100 >= found.percent_left(low) >= found.percent_left(high) >= 0


@given(TOKENS, MARGINS, TOKENS)
def test_nothing_is_left_exactly_where_the_host_compacts(window, margins, used):
    """From that mark on it is 0; below, what is left and what is used make up the whole."""
    found = Thresholds(window, margins)
    if max(0, used) >= found.auto_compact:
        assert found.percent_left(used) == 0
    else:
        assert 99 <= found.percent_left(used) + 100 * max(0, used) // found.auto_compact <= 100


@pytest.mark.parametrize(
    ("contexts", "turns"),
    [
        ([], None),
        ([100_000], None),
        ([100_000, 100_000], None),
        ([100_000, 90_000], None),
        ([147_000, 157_000], 1),
        ([137_000, 147_000], 2),
        ([137_001, 147_001], 2),
        ([160_000, 170_000], 0),
        ([150_000, 160_000, 20_000, 41_000], 6),
        ([0, 0, 0, 100_000, 110_000, 120_000, 130_000, 140_000], 3),
    ],
)
def test_a_forecast_at_the_pace_of_the_last_turns(contexts, turns):
    """Rounded up; what was before a compaction, or long ago, does not count."""
    assert USUAL.turns_left(contexts) == turns


@given(TOKENS, MARGINS, st.lists(st.integers(0, 2_000_000), max_size=9))
def test_a_forecast_is_none_or_no_less_than_nothing(window, margins, contexts):
    """And it is 0 exactly where the mark is reached."""
    found = Thresholds(window, margins)
    turns = found.turns_left(contexts)
    assert turns is None or turns >= 0
    if turns is not None:
        assert (turns == 0) == (contexts[-1] >= found.auto_compact)


@given(st.lists(st.integers(0, 2_000_000), min_size=2, max_size=9), TOKENS, TOKENS)
def test_a_larger_window_never_holds_fewer_turns(contexts, one, other):
    """The forecast grows with the window."""
    low, high = (Thresholds(window, Margins()).turns_left(contexts) for window in sorted((one, other)))
    assert (low is None) == (high is None)
    assert low is None or low <= high
