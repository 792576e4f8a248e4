"""Six rules, the first match wins. Each alone, each against the ones after it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenes
from tapehead.actions.inheritance import MOMENT_SECONDS, RECENT_SECONDS, Heir, Start, heir
from tapehead.statemachine.vocabulary import Phase
from tapehead.store.state import State

NOW = scenes.when()


def ago(seconds):
    return NOW - timedelta(seconds=seconds)


def start(**fields):
    given_ = {"session_id": "new", "at": NOW, "host_pid": 7, "terminal": "/dev/pts/1", "cleared": False}
    return Start(**{**given_, **fields})


def session(name, **fields):
    """A session with a story, long ago, in another process and terminal."""
    given_ = {"turn_number": 1, "phase": Phase.ENDED, "ended_at": ago(10 * RECENT_SECONDS), "host_pid": 99}
    given_ |= {"terminal": "/dev/pts/99", "last_interaction_at": ago(10 * RECENT_SECONDS)}
    return State(name, **{**given_, **fields})


OLD, OLDER = session("old"), session("older")


def test_nobody_went_before():
    """Without a baton and without candidates there is nobody."""
    assert heir(start(), "", []) is None


def test_rule_1_the_baton():
    """A baton that was leased beats everything."""
    cleared = session("cleared", host_pid=7, ended_at=ago(1))
    assert heir(start(cleared=True), "named", [cleared]) == Heir("named", 1)


def test_rule_2_cleared_in_this_process():
    """The session that `/clear` ended a moment ago in the same process, before one on the same terminal."""
    cleared = session("cleared", host_pid=7, ended_at=ago(MOMENT_SECONDS))
    same_terminal = session("terminal", terminal="/dev/pts/1")
    assert heir(start(cleared=True), "", [same_terminal, cleared]) == Heir("cleared", 2)


def test_rule_2_where_the_host_says_nothing_of_the_end():
    """The newest session of the same process serves, though nobody closed it."""
    left_open = session("open", host_pid=7, ended_at=None)
    assert heir(start(cleared=True), "", [left_open]) == Heir("open", 2)


def test_rule_2_in_a_process_that_serves_many_terminals():
    """Without a terminal of its own and with several sessions, it proves nothing; with one, it does."""
    one, two = session("one", host_pid=7, ended_at=None), session("two", host_pid=7, ended_at=None)
    assert heir(start(cleared=True, terminal=""), "", [two]) == Heir("two", 2)
    assert heir(start(cleared=True, terminal=""), "", [two, one]).rule > 2
    assert heir(start(cleared=True), "", [two, one]) == Heir("two", 2)


@pytest.mark.parametrize(
    ("asks", "found"),
    [
        ({"cleared": False}, {}),
        ({"cleared": True, "host_pid": None}, {"host_pid": None}),
        ({"cleared": True}, {"host_pid": 8}),
        ({"cleared": True}, {"ended_at": ago(MOMENT_SECONDS + 1)}),
    ],
)
def test_rule_2_needs_all_of_it(asks, found):
    """A start for another reason, another or an unknown process, no end, or one too long ago: not by this rule."""
    cleared = session("cleared", **{"host_pid": 7, "ended_at": ago(1), **found})
    assert heir(start(**asks), "", [cleared]).rule != 2


def test_rule_3_the_same_terminal():
    """The newest on this terminal, before a halted one elsewhere; an unknown terminal is nobody's."""
    here = session("here", terminal="/dev/pts/1")
    halted = session("halted", phase=Phase.HALTED)
    assert heir(start(), "", [halted, here, session("before", terminal="/dev/pts/1")]) == Heir("here", 3)
    assert heir(start(terminal=""), "", [session("x", terminal="")]).rule != 3


def test_rule_4_the_newest_halted():
    """Work in flight, before the only recent one."""
    halted = session("halted", phase=Phase.HALTED)
    recent = session("recent", last_interaction_at=ago(1))
    assert heir(start(), "", [recent, halted, session("h2", phase=Phase.HALTED)]) == Heir("halted", 4)


def test_rule_5_the_only_recent_one():
    """One session within a day, before a newer start that nobody used since; two are none."""
    recent = session("recent", last_interaction_at=ago(RECENT_SECONDS))
    assert heir(start(), "", [OLD, recent]) == Heir("recent", 5)
    assert heir(start(), "", [OLD, recent, session("r2", last_interaction_at=ago(1))]) == Heir("old", 6)
    by_start = session("begun", last_interaction_at=None, started_at=ago(5))
    assert heir(start(), "", [OLD, by_start]) == Heir("begun", 5)


def test_rule_6_the_newest():
    """Otherwise the newest; one whose times are unknown is not recent."""
    assert heir(start(), "", [OLD, OLDER]) == Heir("old", 6)
    assert heir(start(), "", [session("timeless", last_interaction_at=None)]) == Heir("timeless", 6)


def test_ghosts_have_no_story():
    """A start that never got a prompt is inherited by no rule."""
    ghosts = [
        session("g", turn_number=0, host_pid=7, terminal="/dev/pts/1", phase=Phase.HALTED, ended_at=ago(1)),
        session("g2", turn_number=0, last_interaction_at=ago(1)),
    ]
    assert heir(start(cleared=True), "", ghosts) is None
    assert heir(start(cleared=True), "", [*ghosts, OLD]) == Heir("old", 6)


def test_nobody_inherits_from_itself():
    """A session that starts again is not its own predecessor."""
    assert heir(start(), "", [session("new")]) is None


times = st.none() | st.integers(-100, 3 * RECENT_SECONDS).map(ago)
sessions = st.builds(
    State,
    st.text("abcdefgh", min_size=1, max_size=2),
    turn_number=st.integers(0, 2),
    phase=st.sampled_from(Phase),
    ended_at=times,
    last_interaction_at=times,
    started_at=times,
    host_pid=st.sampled_from([None, 7, 8]),
    terminal=st.sampled_from(["", "/dev/pts/1", "/dev/pts/2"]),
)


@given(st.lists(sessions, max_size=6), st.booleans())
def test_someone_with_a_story_is_always_found(candidates, cleared):
    """There is an heir exactly where some other session has a story, and it is one of those."""
    told = {state.session_id for state in candidates if state.turn_number and state.session_id != "new"}
    found = heir(start(cleared=cleared), "", candidates)
    assert (found is not None) == bool(told)
    assert found is None or (found.predecessor in told and 2 <= found.rule <= 6)
