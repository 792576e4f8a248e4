"""Whom a start goes on from: the table of rules, walked whole, and the traits that it speaks of."""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenes
from tapehead.actions.predecessor import (
    NEAR,
    RECENT_SECONDS,
    RULES,
    Candidate,
    Predecessor,
    Start,
    Trait,
    find_predecessor,
    match,
)
from tapehead.statemachine.vocabulary import Phase
from tapehead.store.state import State

NOW = scenes.when()
EVERY_SET = [frozenset(some) for n in range(len(Trait) + 1) for some in combinations(Trait, n)]


def ago(seconds):
    return NOW - timedelta(seconds=seconds)


def start(**fields):
    given_ = {"at": NOW, "host_pid": 7, "terminal": "/dev/pts/1", "terminal_started": "5", "branch": "main"}
    return Start("new", **{**given_, **fields})


def session(name, *, alive=False, **fields):
    """A session with a prompt, long ago, in another process and terminal, on the same branch."""
    given_ = {"turn_number": 1, "phase": Phase.ENDED, "ended_at": ago(10 * RECENT_SECONDS), "host_pid": 99}
    given_ |= {"terminal": "/dev/pts/99", "last_interaction_at": ago(10 * RECENT_SECONDS), "branch": "main"}
    return Candidate(State(name, **{**given_, **fields}), alive)


def halted(name, **fields):
    return session(name, **{"phase": Phase.HALTED, "last_interaction_at": ago(60), **fields})


def find(*candidates, named="", **fields):
    found = find_predecessor(start(**fields), list(candidates), named=named)
    return tuple(found) if found else None


OLD, OLDER = session("old"), session("older")
HERE = {"terminal": "/dev/pts/1", "terminal_started": "5"}


def test_the_first_rule_that_fits_decides():
    """Of every set of traits: the answer is the first row whose needs all hold and whose bars do not, or none."""
    for traits in EVERY_SET:
        fits = [rule.number for rule in RULES if rule.needs <= traits and not rule.bars & traits]
        assert match([("a", traits)]) == (Predecessor("a", fits[0]) if fits else None), traits


def test_no_rule_is_dead():
    """Every row is the answer for some set of traits, and every number stands for one row."""
    answers = {found.rule for traits in EVERY_SET if (found := match([("a", traits)]))}
    assert answers == {rule.number for rule in RULES}
    assert len({rule.number for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)


def test_every_trait_matters():
    """A trait that no row asks for would be a question that nobody needs answered."""
    assert {trait for rule in RULES for trait in rule.needs | rule.bars} == set(Trait)


@pytest.mark.parametrize("bar", [Trait.ALIVE, Trait.CONTINUED, Trait.OLD_HALT, Trait.ONE_OFF])
def test_what_is_not_over_is_offered_to_nobody_by_chance(bar):
    """Whatever else holds: one that runs, was continued, is long stopped or was a single run is found only by name, clear or fork."""
    sure = {Trait.FORKED, Trait.NAMED, Trait.CLEARED_HERE}
    assert all(match([("a", traits | {bar})]) is None for traits in EVERY_SET if not sure & traits)


def test_the_whole_brief_goes_only_to_who_is_sure():
    """By a handoff or a clear all is handed over; a fork has it all already, and the others may be wrong."""
    assert {1, 2} == NEAR


def test_nobody_went_before():
    """Without a handoff and without candidates there is nobody."""
    assert find() is None


def test_handoff():
    """A handoff that this start holds beats a clear."""
    assert find(session("cleared", host_pid=7, ended_at=ago(1)), cleared=True, named="named") == ("named", 1)


def test_a_fork_goes_on_from_what_it_copied_and_from_nobody_else():
    """Not from a handoff, a terminal or halted work; where nobody knows what was copied, from nobody."""
    around = (session("here", **HERE), halted("halted"))
    assert find(*around, forks="copied", named="named") == ("copied", 7)
    assert find(*around, forks="", named="named") is None


def test_cleared_in_this_process():
    """The session that `/clear` ended a moment ago in the same process, before one in the same terminal."""
    cleared = session("cleared", host_pid=7, ended_at=ago(60))
    assert find(session("here", **HERE), cleared, cleared=True) == ("cleared", 2)


def test_cleared_where_the_agent_says_nothing_of_the_end():
    """The newest session of the same process serves, though nobody closed it."""
    assert find(session("open", host_pid=7, ended_at=None), cleared=True) == ("open", 2)


def test_cleared_in_a_process_that_serves_many_terminals():
    """Without a terminal of its own and with several sessions, it proves nothing; with one, it does."""
    one, two = session("one", host_pid=7, ended_at=None), session("two", host_pid=7, ended_at=None)
    assert find(two, cleared=True, terminal="") == ("two", 2)
    assert find(two, one, cleared=True, terminal="")[1] > 2
    assert find(two, one, cleared=True) == ("two", 2)


def test_a_session_that_another_was_only_pointed_to_may_be_the_cleared_one():
    """In one process for many terminals: only who took a session over whole says that it is over."""
    one = session("one", host_pid=7, ended_at=None)
    pointed, took_over = (
        session("two", host_pid=7, ended_at=None, predecessor="one", predecessor_rule=rule) for rule in (6, 2)
    )
    assert find(pointed, one, cleared=True, terminal="")[1] > 2
    assert find(took_over, one, cleared=True, terminal="") == ("two", 2)


@pytest.mark.parametrize(
    ("asks", "found"),
    [
        ({"cleared": False}, {}),
        ({"cleared": True, "host_pid": None}, {"host_pid": None}),
        ({"cleared": True}, {"host_pid": 8}),
        ({"cleared": True}, {"ended_at": ago(61)}),
    ],
)
def test_cleared_needs_all_of_it(asks, found):
    """A start for another reason, another or an unknown process, or one too long ago: not by this rule."""
    cleared = session("cleared", **{"host_pid": 7, "ended_at": ago(1), **found})
    assert find(cleared, **asks)[1] != 2


def test_the_same_terminal():
    """The newest in this terminal, before a halted one elsewhere; an unknown terminal is nobody's."""
    assert find(halted("halted"), session("here", **HERE), session("before", **HERE)) == ("here", 3)
    assert find(session("x", terminal="", terminal_started=""), terminal="", terminal_started="")[1] != 3


def test_a_reused_terminal_number_is_another_terminal():
    """The number was given to a window that was opened later."""
    assert find(session("here", **{**HERE, "terminal_started": "4"})) == ("here", 6)


def test_the_newest_halted():
    """Work in flight on this branch, before the only recent one."""
    recent = session("recent", last_interaction_at=ago(1))
    assert find(recent, halted("halted"), halted("h2")) == ("halted", 4)


@pytest.mark.parametrize("terminal", [HERE, {}])
def test_halted_work_is_offered_for_a_day(terminal):
    """After that nobody is told of it, in its own terminal or elsewhere."""
    assert find(halted("h", **terminal, last_interaction_at=ago(RECENT_SECONDS)))[0] == "h"
    assert find(halted("h", **terminal, last_interaction_at=ago(RECENT_SECONDS + 1))) is None


def test_halted_work_on_another_branch():
    """It is offered in its own terminal and nowhere else; a branch that nobody knows speaks against nothing."""
    assert find(halted("h", branch="other")) is None
    assert find(halted("h", branch="other"), OLD) == ("old", 6)
    assert find(halted("h", branch="other", **HERE)) == ("h", 3)
    assert find(halted("h", branch="")) == find(halted("h", branch="x"), branch="") == ("h", 4)


def test_halted_work_is_used_up_by_who_goes_on_with_it():
    """One kill is told of once: after somebody's prompt the one that went on is the past."""
    heir = session("heir", predecessor="h")
    assert find(heir, halted("h")) == ("heir", 6)
    assert find(session("fork", predecessor="h", forked=True), halted("h")) == ("fork", 6)


def test_an_offer_counts_while_the_start_may_still_get_a_prompt():
    """A start that was offered the work and runs has it; one that is gone without a prompt never was."""
    ghost = {"predecessor": "h", "turn_number": 0}
    assert find(session("other", alive=True, **ghost), halted("h")) is None
    assert find(session("other", **ghost), halted("h")) == ("h", 4)


def test_a_session_whose_heir_runs_is_not_over():
    """Neither it nor the one that runs is told of as past work, in the same terminal either."""
    heir = session("heir", alive=True, predecessor="a", **HERE)
    assert find(heir, session("a", **HERE)) is None
    assert find(heir, session("a", **HERE), OLDER) == ("older", 6)


def test_a_session_that_runs_is_not_over():
    """Also where its last turn failed, so that it counts as halted."""
    assert find(halted("failed", alive=True, ended_at=None)) is None


def test_a_start_does_not_stand_in_its_own_way():
    """What it was offered at its first start it may be offered at the second."""
    assert find(session("new", alive=True, predecessor="h", turn_number=0), halted("h")) == ("h", 4)


def test_a_single_run_is_nobodys_past_by_chance():
    """Interactive work passes it over, in every rule; another single run does not, and a handoff names it."""
    single = session("single", one_off=True, last_interaction_at=ago(1), **HERE)
    assert find(single, OLD) == ("old", 6)
    assert find(single, OLD, one_off=True) == ("single", 3)
    assert find(single, named="single") == ("single", 1)


def test_a_single_run_in_between_uses_nothing_up():
    """It was told of the halted work; the next sitting is told of it too."""
    between = session("between", one_off=True, predecessor="h")
    assert find(between, halted("h")) == ("h", 4)
    assert find(between, halted("h"), one_off=True)[0] == "between"


def test_the_only_recent_one():
    """One session within a day, before a newer start that nobody used since; two are none."""
    recent = session("recent", last_interaction_at=ago(RECENT_SECONDS))
    assert find(OLD, recent) == ("recent", 5)
    assert find(OLD, recent, session("r2", last_interaction_at=ago(1))) == ("old", 6)
    assert find(OLD, session("begun", last_interaction_at=None, started_at=ago(5))) == ("begun", 5)


def test_the_newest():
    """Otherwise the newest; one whose times are unknown is not recent."""
    assert find(OLD, OLDER) == ("old", 6)
    assert find(session("timeless", last_interaction_at=None)) == ("timeless", 6)


def test_ghosts_have_no_story():
    """A start that never got a prompt is found by no rule."""
    ghosts = [
        session("g", turn_number=0, host_pid=7, terminal="/dev/pts/1", phase=Phase.HALTED, ended_at=ago(1)),
        session("g2", turn_number=0, last_interaction_at=ago(1)),
    ]
    assert find(*ghosts, cleared=True) is None
    assert find(*ghosts, OLD, cleared=True) == ("old", 6)


def test_nobody_goes_on_from_itself():
    """A session that starts again is not its own predecessor."""
    assert find(session("new")) is None


times = st.none() | st.integers(-100, 3 * RECENT_SECONDS).map(ago)
candidates = st.builds(
    Candidate,
    st.builds(
        State,
        st.text("abcdefgh", min_size=1, max_size=2),
        turn_number=st.integers(0, 2),
        phase=st.sampled_from(Phase),
        ended_at=times,
        last_interaction_at=times,
        started_at=times,
        host_pid=st.sampled_from([None, 7, 8]),
        terminal=st.sampled_from(["", "/dev/pts/1", "/dev/pts/2"]),
        terminal_started=st.sampled_from(["", "5"]),
        branch=st.sampled_from(["", "main", "other"]),
        predecessor=st.sampled_from(["", "a", "b"]),
        one_off=st.booleans(),
    ),
    st.booleans(),
)


@given(st.lists(candidates, max_size=6, unique_by=lambda one: one.state.session_id), st.booleans())
def test_only_sessions_with_a_story_are_found(some, cleared):
    """Whoever is found was among the candidates, has a prompt, and was not offered while at work, but for a clear in its own process."""
    found = find_predecessor(start(cleared=cleared), some)
    if found is None:
        return
    [one] = [each for each in some if each.state.session_id == found.session_id]
    assert one.state.turn_number
    assert found.rule == 2 or not one.is_alive


def test_the_rules_in_the_documentation():
    """docs/continuity.md has one row for each rule, in this order, with its number and its name."""
    page = (Path(__file__).parents[2] / "docs" / "continuity.md").read_text(encoding="utf-8")
    told = [line for line in page.splitlines() if line.startswith("| ") and line.split("|")[1].strip().isdigit()]
    cells = [[cell.strip() for cell in line.split("|")[1:3]] for line in told]
    assert cells == [[str(rule.number), rule.name] for rule in RULES]
