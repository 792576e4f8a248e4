"""How much room is left, and from whom it is known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import attr
import pytest

from tapehead.actions.window_room import room_of
from tapehead.settings.loading import DEFAULTS
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import agent_figures
from tapehead.store.paths import Layout, make_private
from tapehead.store.state import State

NOW = datetime(2027, 1, 15, 8, tzinfo=UTC)


@pytest.fixture
def layout(tmp_path):
    layout = Layout(str(tmp_path / "store"))
    make_private(layout.sessions)
    return layout


def test_nothing_is_said_before_anybody_counted(layout):
    """No answer yet, no estimate: no room, and certainly none that was guessed."""
    assert room_of(layout, DEFAULTS, State("one")) is None


def test_without_a_window_only_the_use_is_told(layout):
    """A window is what the agent says it is."""
    found = room_of(layout, DEFAULTS, State("one", context_tokens=45_000))
    assert (found.used, found.window, found.percent_left, found.turns_left) == (45_000, None, None, None)
    assert found.told == "45,000 tokens used"


def test_the_window_makes_a_share_and_a_forecast(layout):
    """Of 200,000 tokens 33,000 are kept back; the pace of the last turns says how many more fit."""
    state = State("one", context_tokens=60_000, contexts=(40_000, 50_000, 60_000), context_window=200_000)
    found = room_of(layout, DEFAULTS, state)
    assert (found.compacts_at, found.percent_left, found.turns_left, found.level) == (167_000, 64, 11, "fine")
    assert found.told == "60,000 of 167,000 tokens used, 64% left, about 11 turns"


def test_what_the_host_said_since_goes_first(layout):
    """The status line hears of a window in mid-turn; what it heard before the last event is old."""
    state = State("one", context_tokens=60_000, last_interaction_at=NOW)
    said = {"model": "m", "window": 200_000, "used": 90_000}
    agent_figures.keep(layout, "one", said, NOW.timestamp() + 5)
    assert room_of(layout, DEFAULTS, state).used == 90_000
    later = attr.evolve(state, last_interaction_at=NOW + timedelta(minutes=1))
    assert room_of(layout, DEFAULTS, later).used == 60_000
    assert room_of(layout, DEFAULTS, later).window == 200_000


def test_where_nobody_counts_an_estimate_says_that_it_is_one(layout):
    """It comes last, and with a word."""
    found = room_of(layout, DEFAULTS, State("one", context_estimate=30_000, context_window=200_000))
    assert found.estimated
    assert found.told.startswith("about 30,000 of 167,000")
    assert not room_of(layout, DEFAULTS, State("one", context_tokens=5, context_estimate=30_000)).estimated


def test_a_session_without_counts_is_estimated_and_a_compaction_empties_it(told):
    """Turn by turn the estimate grows; after a compaction nobody knows, until there is something new."""
    told.asked("Explain the tide tables.", "They list high and low water for each day and port. " * 40)
    first = told.engine.store.load("one").context_estimate
    told.asked("And the rest?", "The rest are corrections for the seasons. " * 40)
    assert told.engine.store.load("one").context_estimate > first > 300
    told.hears(Event.COMPACTION, trigger="auto")
    told.hears(Event.SESSION_START, facts=[Fact.AFTER_COMPACTION], source="compact")
    state = told.engine.store.load("one")
    assert (state.context_estimate, state.contexts, state.context_tokens) == (0, (), None)
    assert told.engine.replayed("one") == state


def test_the_sessions_own_brief_says_how_much_room_there_is(told):
    """One line below the head, where the window is known; for a successor, whose window is another, nothing."""
    told.asked("Explain the tide tables.", "They list high and low water.")
    state = attr.evolve(told.engine.store.load("one"), context_tokens=60_000, context_window=200_000)
    extras = told.keeper.given(state, state)["extras"]
    assert extras.room == "60,000 of 167,000 tokens used, 64% left"
    assert told.keeper.given(State("two"), state)["extras"].room == ""


def test_as_data(layout):
    """Every field, by its name."""
    found = room_of(layout, DEFAULTS, attr.evolve(State("one"), context_tokens=50_000, context_window=200_000))
    assert found.data["used"] == 50_000
    assert found.data.keys() == set(found._fields)
