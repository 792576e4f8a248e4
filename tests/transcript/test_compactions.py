"""Where a session was compacted, and what stood before and after."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tapehead.transcript.compactions import compactions
from tapehead.transcript.turns import AGENT, HUMAN, INTERRUPTED, RUN, SUMMARY, Boundary, Call, Result, Said, Turn

CUT = Boundary("auto", 160_000)
OLD = Said(SUMMARY, "old")
NEW = Said(SUMMARY, "new")
WORK = Said(AGENT, "work")


def turn(*steps, number=1, subagent=""):
    return Turn(number, steps, ended="2027-01-15T09:00:00Z", subagent=subagent)


def steps(turns):
    return [step for one in turns for step in one.steps]


def test_a_boundary_and_its_summary_are_one_compaction():
    """In mid-turn: the turn is cut at the boundary, and goes on after it."""
    (found,) = compactions([turn(Said(HUMAN, "one")), turn(WORK, CUT, NEW, WORK), turn(Said(HUMAN, "two"))])
    assert (found.number, found.summary, found.at) == (1, "new", "2027-01-15T09:00:00Z")
    assert steps(found.before) == [Said(HUMAN, "one"), WORK]
    assert steps(found.after) == [CUT, NEW, WORK, Said(HUMAN, "two")]


def test_an_old_version_wrote_the_summary_alone():
    """Also as the very first thing in a file, where nothing stands before it."""
    (found,) = compactions([turn(OLD, WORK)])
    assert (found.summary, steps(found.before), steps(found.after)) == ("old", [], [OLD, WORK])


def test_what_the_host_or_the_person_puts_in_between_makes_no_second_one():
    """A queued prompt, a late result or an interruption between boundary and summary: still one; over turns, too."""
    between = [Said(HUMAN, "queued", queued=True), Result("1", "late"), Said(INTERRUPTED, "")]
    for told in ([turn(WORK, CUT, *between, NEW)], [turn(WORK, CUT, *between), turn(NEW, number=2)]):
        (found,) = compactions(told)
        assert (found.summary, steps(found.before)) == ("new", [WORK])


def test_work_in_between_tells_two_apart():
    """A boundary that got no summary, then work, then a summary alone: two, and the first has no summary."""
    for work in (WORK, Call("1", "Bash", RUN)):
        first, second = compactions([turn(CUT, work, NEW)])
        assert (first.summary, second.summary) == ("", "new")
        assert steps(first.after) == [CUT, work]
        assert steps(second.before) == [CUT, work]


def test_each_ends_where_the_next_begins():
    """In one turn or over several, nothing stands in two."""
    first, second, third = compactions([turn(WORK, CUT, OLD, WORK, CUT, NEW), turn(WORK, CUT, OLD, number=2)])
    assert [one.number for one in (first, second, third)] == [1, 2, 3]
    assert steps(first.after) == [CUT, OLD, WORK]
    assert steps(second.after) == [CUT, NEW, WORK]
    assert steps(third.after) == [CUT, OLD]
    assert steps(third.before) == [WORK, CUT, OLD, WORK, CUT, NEW, WORK]


def test_what_is_no_compaction_of_the_session():
    """Clearing old tool results is none, a subagent's is not the session's, and most sessions have none."""
    assert compactions([turn(WORK, Boundary("auto", partial=True), WORK)]) == ()
    assert compactions([turn(CUT, NEW, subagent="a1")]) == ()
    assert compactions([]) == ()


STEP = st.sampled_from([CUT, OLD, NEW, WORK, Said(HUMAN, "x"), Call("1", "Bash", RUN), Boundary("auto", partial=True)])


@given(st.lists(st.lists(STEP, max_size=6), max_size=6))
def test_before_and_after_make_up_the_whole(told):
    """For every order of steps: each compaction's before and after follow each other, and the last after ends the session."""
    turns = [turn(*inside, number=n) for n, inside in enumerate(told)]
    whole = [step for inside in told for step in inside]
    found = compactions(turns)
    for one in found:
        seen = steps(one.before) + steps(one.after)
        assert seen == whole[: len(seen)]
    assert not found or steps(found[-1].before) + steps(found[-1].after) == whole
    assert len(found) >= whole.count(CUT)
