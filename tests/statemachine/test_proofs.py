"""What must hold of the table holds; and each property finds the table that breaks it."""

from __future__ import annotations

import pytest

import proofs
from proofs import PROVEN, space
from tapehead.statemachine import transition
from tapehead.statemachine.table import ROWS, Row, parse
from tapehead.statemachine.transition import row_for
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase

KEYS = [(phase, event) for phase in Phase for event in Event]


def changed(row, **news):
    """The same row with some of its cells written anew."""
    return Row(**{cell: news.get(cell, getattr(row, cell)) for cell in Row.__slots__})


def with_row(old, *new):
    """The table with other rows in the place of one."""
    place = ROWS.index(old)
    return (*ROWS[:place], *new, *ROWS[place + 1 :])


def the_row(phase, event, *facts):
    """The row that is written with exactly these facts."""
    return next(row for row in ROWS if (row.phase, row.event, row.facts) == (phase, event, frozenset(facts)))


def test_a_compaction_that_is_over_is_over():
    """Whatever ends it, a session does not go on compacting; a row that would keep it there is found."""
    assert proofs.stuck_in_compaction() == []
    row = the_row(Phase.COMPACTING, Event.COMPACTION_FAILED)
    kept = changed(row, to=Phase.COMPACTING)
    assert proofs.stuck_in_compaction(with_row(row, kept)) == [kept]


def test_an_end_is_judged_by_whether_the_prompt_was_answered():
    """After a compaction, or in one: halted exactly where the newest prompt has no answer, ended exactly where it has."""
    assert proofs.misjudged_ends() == []


def test_no_question_is_unanswered():
    """Total: each phase and event has an answer whatever the facts."""
    assert proofs.unanswered() == []


@pytest.mark.parametrize(("phase", "event"), KEYS)
def test_a_removed_row_leaves_a_question(phase, event):
    """Whichever last row is taken away, its question is found unanswered, and no other."""
    last = the_row(phase, event)
    assert proofs.unanswered(with_row(last)) == [(phase, event)]


def test_no_row_is_dead():
    """Every row can answer; the walk over all questions meets each of them."""
    assert proofs.dead() == []
    assert {row_for(*question) for question in space()} == set(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=repr)
def test_a_shadowed_row_is_found(row):
    """Whichever row gets one in front of it that asks for no more than it does, it is found dead, alone."""
    assert proofs.dead(with_row(row, changed(row), row)) == [row]


def test_a_row_behind_the_open_one_is_found():
    """A guarded row written below the row that asks for nothing never answers, and is found."""
    last = the_row(Phase.ENDED, Event.GIT_COMMIT)
    guarded = the_row(Phase.ENDED, Event.GIT_COMMIT, Fact.REBASING)
    assert proofs.dead((*with_row(guarded), guarded)) == [guarded]
    assert proofs.dead(with_row(last, last, changed(last, facts=frozenset(Fact)))) != []


def test_every_phase_is_on_a_way_from_idle_and_back():
    """Reachable: each phase from IDLE, and IDLE from each phase."""
    assert proofs.unreachable() == frozenset()
    assert proofs.trapped() == frozenset()


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.IDLE])
def test_a_phase_that_nothing_leads_to_is_found(phase):
    """Redirect every row that enters a phase, and that phase is found unreachable."""
    rows = tuple(changed(row, to=row.phase) if row.to is phase else row for row in ROWS)
    assert proofs.unreachable(rows) == {phase}


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.IDLE])
def test_a_phase_that_nothing_leads_out_of_is_found(phase):
    """Turn every row of a phase back to itself, and that phase is found a trap."""
    rows = tuple(changed(row, to=phase) if row.phase is phase else row for row in ROWS)
    assert proofs.trapped(rows) == {phase}


def test_no_way_leads_past_the_story():
    """Whatever was done, no path ends the session without a CAPTURE of it."""
    assert proofs.past_the_story() == []


def ending_rows():
    return [row for row in ROWS if row.to is Phase.ENDED and row.phase is not Phase.ENDED]


@pytest.mark.parametrize("row", ending_rows(), ids=repr)
def test_an_end_that_forgets_its_capture_is_found(row):
    """Take the CAPTURE out of any row that ends a session, and exactly that row is found."""
    without = changed(row, do=tuple(action for action in row.do if action is not Action.CAPTURE))
    assert proofs.past_the_story(with_row(row, without)) == [without]


def test_a_capture_before_the_turn_does_not_pay_for_it():
    """A row that captures and then starts a turn still owes the turn's own capture: the end that forgets it is found."""
    rows = parse("""
IDLE   | TURN_START   | - | ACTIVE | CAPTURE
ACTIVE | TURN_END     | - | IDLE   | -
IDLE   | SESSION_STOP | - | ENDED  | -
""")
    assert proofs.past_the_story(rows) == [rows[2]]


def test_a_capture_on_the_way_pays_for_the_turn():
    """A capture between the turn and the end is enough: nothing is found."""
    assert not proofs.past_the_story(
        parse("""
IDLE   | TURN_START   | - | ACTIVE | -
ACTIVE | TURN_END     | - | IDLE   | CAPTURE
IDLE   | SESSION_STOP | - | ENDED  | -
""")
    )


def test_events_prove_phases():
    """Each answer leads to a phase that its event proves, wherever the session was thought to be."""
    assert proofs.unproven() == []
    for phase, event, ctx in space():
        assert row_for(phase, event, ctx).to in PROVEN.get(event, Phase)


def test_a_start_of_a_turn_is_active_and_a_stop_never_is():
    """The two proofs that the others lean on, said in so many words."""
    for phase, event, ctx in space():
        to = row_for(phase, event, ctx).to
        assert event is not Event.TURN_START or to is Phase.ACTIVE
        assert event is not Event.SESSION_STOP or to in {Phase.ENDED, Phase.HALTED}


def misled():
    return [(row, to) for row in ROWS if row.event in PROVEN for to in Phase if to not in PROVEN[row.event]]


@pytest.mark.parametrize(
    ("row", "to"), misled(), ids=lambda value: value.name if isinstance(value, Phase) else repr(value)
)
def test_a_row_that_leads_elsewhere_is_found(row, to):
    """Redirect any row to any phase that its event does not prove, and exactly that row is found."""
    wrong = changed(row, to=to)
    assert proofs.unproven(with_row(row, wrong)) == [wrong]


def test_commits_leave_the_interaction_time_alone():
    """No answer to a commit touches the time of the last interaction."""
    assert proofs.touching_commits() == []
    assert not any(Action.TOUCH in row_for(*question).do for question in space() if question[1] is Event.GIT_COMMIT)


@pytest.mark.parametrize("row", [row for row in ROWS if row.event is Event.GIT_COMMIT], ids=repr)
def test_a_commit_that_touches_is_found(row):
    """Add TOUCH to any row of a commit, and exactly that row is found."""
    wrong = changed(row, do=(*row.do, Action.TOUCH))
    assert proofs.touching_commits(with_row(row, wrong)) == [wrong]


def test_a_rebase_never_condenses():
    """A commit in mid-rebase asks for nothing in any phase, whatever else holds."""
    assert proofs.condensing_rebases() == []


@pytest.mark.parametrize("phase", Phase)
def test_a_rebase_that_condenses_is_found(phase, monkeypatch):
    """Forget the REBASING row of any phase, and that phase is found with every context of a rebase."""
    key = (phase, Event.GIT_COMMIT)
    rest = tuple(row for row in transition._ANSWERS[key] if Fact.REBASING not in row.facts)
    monkeypatch.setitem(transition._ANSWERS, key, rest)
    rebases = [ctx for ctx in proofs.contexts() if Fact.REBASING in ctx]
    assert proofs.condensing_rebases() == [(phase, ctx) for ctx in rebases]
