"""Each action by itself, all of them together, and what happens when one fails."""

from __future__ import annotations

import attrs
import pytest

import scenes
from tapehead.actions import absorb, bookkeeping
from tapehead.actions.breaker import BLOCKED_AFTER
from tapehead.actions.fold import BOOKKEEPER, facts_of, replay, step
from tapehead.actions.handler import BOOKKEEPING, EFFECTS, ERRANDS, ActionHandler, Note, already_done
from tapehead.actions.ports import Ports
from tapehead.statemachine.table import ROWS
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase
from tapehead.store.state import Failure, State

NOTHING_DONE = frozenset()


class Recorder:
    """Every port at once: remembers who was called, and can be told to fail."""

    def __init__(self, failing=(), answer=None):
        self.called = []
        self.failing = failing
        self.answer = {"ok": True} if answer is None else answer

    def __getattr__(self, name):
        def port(state, line):
            self.called.append(name)
            if name in self.failing:
                raise OSError(28, f"{name} failed " + "x" * 500)
            return self.answer

        return port


def handler(recorder):
    return ActionHandler(Ports(recorder, recorder, recorder, recorder))


def test_every_action_is_performed():
    """What the machine can ask for, someone does; nobody does what it cannot ask for."""
    assert BOOKKEEPING.keys() | EFFECTS.keys() | ERRANDS == set(Action)


def test_an_action_is_bookkeeping_or_an_effect_or_an_errand():
    """One of the three: a replay must know which it may repeat, and the fold which it leaves to the worker."""
    kinds = (BOOKKEEPING.keys(), EFFECTS.keys(), ERRANDS)
    assert sum(map(len, kinds)) == len({action for kind in kinds for action in kind})


def test_every_effect_reaches_its_own_port():
    """Each effect calls exactly one thing, and no two the same thing; a condense can be conditional."""
    touched = State("s", files_touched=("a",))
    called = {}
    for action in EFFECTS:
        recorder = Recorder()
        state = State("s") if action is Action.RETIRE_IF_UNTOUCHED else touched
        _, notes = handler(recorder).run((action,), state, scenes.line(Event.TURN_END, id="x"), NOTHING_DONE)
        assert notes == [Note(action.value, "x", {"ok": True})]
        [called[action]] = recorder.called
    assert called.pop(Action.CONDENSE_IF_TOUCHED) == called[Action.CONDENSE]
    assert len(set(called.values())) == len(called)


@pytest.mark.parametrize(("action", "files"), [(Action.CONDENSE_IF_TOUCHED, ()), (Action.RETIRE_IF_UNTOUCHED, ("a",))])
def test_conditions_are_kept(action, files):
    """Nothing is condensed where no file was touched, and nothing discarded where one was."""
    recorder = Recorder()
    _, notes = handler(recorder).run((action,), State("s", files_touched=files), scenes.line("x"), NOTHING_DONE)
    assert (recorder.called, notes) == ([], [])


@pytest.mark.parametrize("action", EFFECTS)
def test_a_part_that_is_not_there_is_no_error(action):
    """Without its port an effect is a word in the table and nothing more."""
    for state in (State("s"), State("s", files_touched=("a",))):
        assert ActionHandler(Ports()).run((action,), state, scenes.line("x"), NOTHING_DONE) == (state, [])


@pytest.mark.parametrize("action", EFFECTS)
def test_a_replay_reaches_nowhere(action):
    """Without ports at all, no effect is tried."""
    assert BOOKKEEPER.run((action,), State("s"), scenes.line("x"), NOTHING_DONE) == (State("s"), [])


@pytest.mark.parametrize("row", ROWS, ids=repr)
def test_bookkeeping_is_done_whatever_fails(row):
    """In every row of the table, when every effect fails, the books are kept as if none had, and each failure is recorded."""
    line = scenes.line(row.event, id="x")
    fine, _ = handler(Recorder()).run(row.do, State("s"), line, NOTHING_DONE)
    broken = Recorder(failing=FAILING)
    kept, notes = handler(broken).run(row.do, State("s"), line, NOTHING_DONE)
    assert kept == fine
    tried = [action for action in row.do if action in EFFECTS and action is not Action.CONDENSE_IF_TOUCHED]
    assert [(note.kind, note.of, note.data["action"]) for note in notes] == [("failed", "x", a.value) for a in tried]


FAILING = {
    "snapshot",
    "ingest",
    "capture",
    "journal",
    "keep_summary",
    "offer",
    "lease",
    "take",
    "mark_lines",
    "condense",
    "retire",
}


def test_one_failure_takes_nothing_along():
    """What comes after a failing effect is done, and the reason is kept, shortened."""
    recorder = Recorder(failing={"ingest"})
    doing = (Action.INGEST, Action.CAPTURE, Action.CLOSE)
    state, [failed, captured] = handler(recorder).run(doing, State("s"), scenes.line("x", id="x"), NOTHING_DONE)
    assert state.ended_at == scenes.when()
    assert recorder.called == ["ingest", "capture"]
    assert failed.data["reason"].startswith("OSError: [Errno 28] ingest failed")
    assert len(failed.data["reason"]) == 300
    assert captured.kind == "capture"


def test_what_is_on_the_tape_is_not_done_again():
    """An action that a note of this very line speaks of is skipped, whether it succeeded or failed; that of another line is not."""
    lines = [
        scenes.line("capture", of="x"),
        scenes.line("failed", of="x", data={"action": "ingest"}),
        scenes.line("offer_baton", of="another"),
        scenes.line(Event.TURN_END),
    ]
    done = already_done(lines)
    assert done == {("x", "capture"), ("x", "ingest"), ("another", "offer_baton")}
    recorder = Recorder()
    doing = (Action.INGEST, Action.CAPTURE, Action.OFFER_BATON, Action.TOUCH)
    state, _ = handler(recorder).run(doing, State("s"), scenes.line("x", id="x"), done)
    assert recorder.called == ["offer"]
    assert state.last_interaction_at == scenes.when()


def test_nothing_to_do_leaves_no_note():
    """A port that had nothing to do answers None, and the tape is not told."""
    recorder = Recorder(answer=False)
    recorder.answer = None
    assert handler(recorder).run((Action.CAPTURE,), State("s"), scenes.line("x"), NOTHING_DONE)[1] == []


@pytest.mark.parametrize("action", BOOKKEEPING)
def test_bookkeeping_done_twice_is_done_once(action):
    """The same line folded twice leaves the same books."""
    line = scenes.line("x")
    state = State("s", ended_at=scenes.when(), fully_condensed=True, turn_number=2)
    once = BOOKKEEPING[action](state, line)
    assert BOOKKEEPING[action](once, line) == once
    assert once != state or action is Action.CLOSE


def changed(before, after):
    """The fields in which two states differ."""
    return {
        field.name: getattr(after, field.name)
        for field in attrs.fields(State)
        if getattr(before, field.name) != getattr(after, field.name)
    }


def test_each_page_of_the_books():
    """What each bookkeeping action changes, and nothing besides."""
    line = scenes.line("x", id="x")
    open_, closed = State("s"), State("s", ended_at=scenes.when(0), fully_condensed=True)
    assert changed(open_, bookkeeping.touch(open_, line)) == {"last_interaction_at": scenes.when()}
    assert changed(closed, bookkeeping.reopen(closed, line)) == {"ended_at": None, "fully_condensed": False}
    assert changed(open_, bookkeeping.close(open_, line)) == {"ended_at": scenes.when()}
    assert changed(open_, bookkeeping.restore(open_, line)) == {"pending_restore": "x"}
    assert changed(open_, bookkeeping.steer(open_, line)) == {"pending_steer": "x"}


def test_warnings_say_what_is_the_matter():
    """The user is told the turn, or the count and the reason, even where no reason is on record."""
    line = scenes.line("x")
    [stale] = bookkeeping.warn_stale(State("s", turn_number=4), line).pending_warnings
    assert "turn 4" in stale
    failing = State("s", capture_failures=3, failures={"capture": Failure(3, scenes.when(), "OSError: full")})
    [blocked] = bookkeeping.warn_blocked(failing, line).pending_warnings
    assert "3 captures" in blocked
    assert "OSError: full" in blocked
    [blocked] = bookkeeping.warn_blocked(State("s"), line).pending_warnings
    assert "no reason on record" in blocked


def test_facts_follow_from_the_state():
    """Three facts are never on the tape: they are read off the state, at their exact bounds."""
    assert facts_of(State("s")) == frozenset()
    assert facts_of(State("s", files_touched=("a",))) == {Fact.FILES_TOUCHED}
    assert facts_of(State("s", ended_at=scenes.when())) == {Fact.ENDED_BEFORE}
    assert facts_of(State("s", capture_failures=BLOCKED_AFTER - 1)) == frozenset()
    assert facts_of(State("s", capture_failures=BLOCKED_AFTER)) == {Fact.CAPTURE_BLOCKED}


def test_a_step_is_the_table_and_the_books():
    """An event moves the phase, remembers the one before, clears an unknown one, and runs the row's actions."""
    state = State("s", phase=Phase.ACTIVE, phase_as_found="dreaming")
    move = step(state, scenes.line(Event.TURN_FAILED, id="x"), handler(Recorder()))
    assert (move.was, move.state.phase, move.state.phase_before) == (Phase.ACTIVE, Phase.HALTED, Phase.ACTIVE)
    assert move.state.phase_as_found == ""
    assert move.actions == (Action.SNAPSHOT, Action.INGEST, Action.CAPTURE, Action.TOUCH, Action.TEND)
    assert [note.kind for note in move.notes] == ["snapshot", "ingest", "capture"]


def test_a_note_moves_nothing():
    """A note changes what is known, never the phase, and asks for nothing."""
    state = State("s", phase=Phase.ACTIVE)
    move = step(state, scenes.line("subagent_stop"), handler(Recorder()))
    assert (move.was, move.state.phase, move.actions, move.notes) == (Phase.ACTIVE, Phase.ACTIVE, (), ())


def test_a_replay_is_the_same_moves_without_acting():
    """Each line gives one move, and each starts where the one before it ended."""
    lines = [scenes.line(Event.TURN_START), scenes.line("news"), scenes.line(Event.TURN_END)]
    moves = list(replay("s", lines))
    assert [move.state.phase for move in moves] == [Phase.ACTIVE, Phase.ACTIVE, Phase.IDLE]
    assert [move.was for move in moves] == [Phase.IDLE, Phase.ACTIVE, Phase.ACTIVE]
    assert all(move.notes == () for move in moves)


WRITTEN_BY_THE_ENGINE = {action.value for action in EFFECTS} | {
    "carried",
    "finished",
    "failed",
    "neighbours",
    "pointed",
    "told_neighbours",
    "receipt",
    "repaired",
    "unblocked",
    "restored",
    "rewound",
    "steered",
    "survey",
    "warned",
    "answered",
    "notified",
}
HEARD = {"waiting", "subagent_stop"}
"""Kinds that a hook writes, and that the state takes over."""
NEWS = {"journal", "keep_summary", "offer_baton", "lease_baton", "take_baton", "rewound", "carried", "pointed"}
"""Kinds that only say that something was done: no field of the state follows from them."""


def test_every_note_is_absorbed_or_known_to_be_news():
    """A kind of note that the engine writes changes the state, or is on the list of those that change nothing: none is forgotten."""
    assert set(absorb._NOTES) | NEWS == WRITTEN_BY_THE_ENGINE | HEARD
    assert not set(absorb._NOTES) & NEWS
