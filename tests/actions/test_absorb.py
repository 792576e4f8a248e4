from __future__ import annotations

import attrs
import pytest

import scenes
from tapehead.actions.absorb import absorb
from tapehead.statemachine.vocabulary import Event, Fact, Phase
from tapehead.store.state import Failure, State, TokenUsage

KNOWN = State("s", started_at=scenes.when(0), agent="claude")
"""A session of which the common things are known, so that only what a line adds is seen."""


def told(word, before=KNOWN, was=Phase.IDLE, **fields):
    """The fields that a line changes."""
    after = absorb(before, scenes.line(word, **fields), was)
    return {
        field.name: getattr(after, field.name)
        for field in attrs.fields(State)
        if getattr(before, field.name) != getattr(after, field.name)
    }


def test_the_first_line_is_the_beginning():
    """The time of the first line and the agent's name are taken; git and tapehead are no agents."""
    assert told("news", State("s")) == {"started_at": scenes.when(), "agent": "claude"}
    assert told("news") == {}
    for host in ("git", "tapehead", ""):
        assert "agent" not in told("news", State("s"), host=host)


def test_any_line_may_say_where_and_who():
    """Process, terminal, worktree, model, transcript and first HEAD are taken from whichever line carries them."""
    data = {"pid": 7, "pid_started": "99", "terminal": "/dev/pts/1", "worktree": "/w", "worktree_id": "w1"}
    data |= {"model": "m", "transcript_path": "/t", "head": "abc"}
    assert told("news", data=data) == {
        "host_pid": 7,
        "host_started": "99",
        "terminal": "/dev/pts/1",
        "worktree_path": "/w",
        "worktree_id": "w1",
        "model": "m",
        "transcript_path": "/t",
        "base_commit": "abc",
        "attribution_base_commit": "abc",
    }


def test_what_a_line_does_not_carry_stays():
    """A line without a worktree leaves the worktree; a later HEAD does not move the base; no pid leaves the process."""
    before = attrs.evolve(KNOWN, worktree_id="w1", base_commit="abc", host_pid=7, terminal="/dev/pts/1", model="m")
    assert told("news", before, data={"head": "def", "worktree_id": "other", "model": "", "pid": True}) == {}


def test_a_worktree_can_become_the_main_one():
    """A line that names the main worktree, which has no id, clears the id."""
    before = attrs.evolve(KNOWN, worktree_id="w1", worktree_path="/w")
    assert told("news", before, data={"worktree": "/m", "worktree_id": ""}) == {
        "worktree_id": "",
        "worktree_path": "/m",
    }


@pytest.mark.parametrize(
    "event", [e for e in Event if e not in (Event.SESSION_START, Event.TURN_START, Event.COMPACTED)]
)
def test_other_events_tell_nothing_by_themselves(event):
    """What they change is the table's business."""
    assert told(event, data={"source": "x", "prompt": "x", "summary": "x"}) == {}


def test_a_start_says_why_and_after_whom():
    """Source, predecessor and rule, the fill of the window; a word to a summariser is owed no more."""
    before = attrs.evolve(KNOWN, pending_steer="x")
    data = {"source": "clear", "predecessor": "p", "rule": 2, "context_tokens": 5}
    assert told(Event.SESSION_START, before, data=data) == {
        "start_source": "clear",
        "predecessor": "p",
        "predecessor_rule": 2,
        "context_tokens": 5,
        "pending_steer": "",
    }
    assert told(Event.SESSION_START) == {"start_source": "startup"}
    assert told(Event.SESSION_START, data={"predecessor": "p"})["predecessor"] == "p"


def test_a_compaction_is_counted_once():
    """By the start after it, or by COMPACTED where no start came first; never by both, never when only announced."""
    assert told(Event.SESSION_START, facts=[Fact.AFTER_COMPACTION])["compaction_count"] == 1
    once = told(Event.COMPACTED, was=Phase.COMPACTING)
    assert (once.keys(), once["compaction_count"]) == ({"compaction_count", "compacted_at", "start_source"}, 1)
    assert "compaction_count" not in told(Event.SESSION_START, facts=[Fact.AFTER_COMPACTION], was=Phase.RESTORED)
    for was in set(Phase) - {Phase.COMPACTING}:
        assert told(Event.COMPACTED, was=was) == {}
    assert told(Event.COMPACTION) == {}
    assert told(Event.COMPACTED, attrs.evolve(KNOWN, pending_steer="x")) == {"pending_steer": ""}


def test_a_turn_has_a_number_an_id_and_a_prompt():
    """The agent's id, or the line's; the prompt in one line, shortened; checkpoints of the turn start anew."""
    before = attrs.evolve(KNOWN, turn_number=4, turn_checkpoint_ids=("c",))
    data = {"prompt": " fix\n\tit ", "prompt_id": "p9"}
    assert told(Event.TURN_START, before, data=data) == {
        "turn_number": 5,
        "turn_id": "p9",
        "last_prompt": "fix it",
        "turn_checkpoint_ids": (),
        "unanswered": True,
    }
    assert told(Event.TURN_START, id="own") == {"turn_number": 1, "turn_id": "own", "unanswered": True}
    assert [len(told(Event.TURN_START, data={"prompt": "x" * n})["last_prompt"]) for n in (199, 200, 201)] == [
        199,
        200,
        200,
    ]
    assert told(Event.TURN_START, data={"prompt": "x" * 201})["last_prompt"].endswith("x…")


def test_a_capture_clears_the_count_of_failures():
    """A success ends the row of failures and has its time."""
    assert told("capture", attrs.evolve(KNOWN, capture_failures=2)) == {
        "captured_at": scenes.when(),
        "capture_failures": 0,
    }


def test_an_ingest_adds_up():
    """Usage grows, files are listed once in the order they came, and the place in the transcript moves."""
    before = attrs.evolve(KNOWN, token_usage=TokenUsage(1, 2, 3, 4), files_touched=("a",))
    data = {"input": 10, "output": 20, "cache_creation": 40, "files": ["b", "a"], "offset": 99, "context_tokens": 7}
    data |= {"context_window": 8, "identifier": "m1", "agent_version": "2.0"}
    assert told("ingest", before, data=data) == {
        "token_usage": TokenUsage(11, 22, 3, 44),
        "files_touched": ("a", "b"),
        "transcript_offset": 99,
        "context_tokens": 7,
        "context_window": 8,
        "transcript_identifier": "m1",
        "agent_version": "2.0",
    }
    assert told("ingest", before, data={}) == {}


def test_failures_are_counted_by_action():
    """Each has its count, last time and last reason; only captures count towards the block."""
    once = told("failed", data={"action": "ingest", "reason": "one"})
    assert once == {"failures": {"ingest": Failure(1, scenes.when(), "one")}}
    before = attrs.evolve(KNOWN, **once)
    assert told("failed", before, data={"action": "capture"}) == {
        "failures": {**once["failures"], "capture": Failure(1, scenes.when(), "")},
        "capture_failures": 1,
    }
    assert told("failed", before, data={"action": "ingest", "reason": "two"})["failures"]["ingest"].count == 2
    assert list(told("failed")["failures"]) == ["unknown"]


@pytest.mark.parametrize(("kind", "field"), [("restored", "pending_restore"), ("steered", "pending_steer")])
def test_only_what_was_said_is_settled(kind, field):
    """A newer one may be owed by now: it stays."""
    before = attrs.evolve(KNOWN, **{field: "new"})
    assert told(kind, before, of="old") == {}
    assert told(kind, before, of="new") == {field: ""}


def test_only_warnings_that_were_said_are_gone():
    """Those that came later are still to be said."""
    before = attrs.evolve(KNOWN, pending_warnings=("one", "two"))
    assert told("warned", before, data={"warnings": ["one", 3]}) == {"pending_warnings": ("two",)}
    assert told("warned", before) == {}


def test_the_first_survey_counts():
    """What was there before the agent worked is recorded once, even if it was nothing."""
    assert told("survey", data={"untracked": ["a"]}) == {"untracked_files_at_start": ("a",)}
    assert told("survey", data={"untracked": []}) == {"untracked_files_at_start": ()}
    for first in ((), ("a",)):
        assert told("survey", attrs.evolve(KNOWN, untracked_files_at_start=first), data={"untracked": ["b"]}) == {}


def test_a_person_who_looked_clears_the_failures():
    """`doctor --fix` says so, and captures are tried again."""
    before = attrs.evolve(KNOWN, failures={"capture": Failure(3)}, capture_failures=3)
    assert told("repaired", before) == {"failures": {}, "capture_failures": 0}


def test_news_changes_nothing():
    """A kind of note that nobody knows is news."""
    assert told("of_tomorrow", data={"untracked": ["a"], "action": "capture"}) == {}


def test_a_part_of_the_transcript_that_two_lines_read_counts_once():
    """Stop and SessionEnd in one batch both read on from the same byte; the second adds nothing."""
    read = {"since": 0, "offset": 90, "input": 100, "files": ["a"]}
    state = absorb(KNOWN, scenes.line("ingest", data=read), Phase.IDLE)
    again = absorb(state, scenes.line("ingest", data={**read, "offset": 95}), Phase.IDLE)
    assert (again.token_usage.input, again.transcript_offset) == (100, 90)


def test_a_shown_prompt_moves_no_terminal():
    """It is printed by status."""
    assert told(Event.TURN_START, data={"prompt": "a\x1b[2Jb\x07c"})["last_prompt"] == "a [2Jb c"
