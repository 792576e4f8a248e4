"""A new phase, event, fact or action: this fails at every place that must know it. CONTRIBUTING.md has the recipe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofs import PROVEN
from tapehead.actions import absorb
from tapehead.actions.fold import facts_of
from tapehead.actions.handler import BOOKKEEPING, EFFECTS, ERRANDS
from tapehead.cli.commands import status
from tapehead.cli.monitor import view
from tapehead.diagrams import rows_page
from tapehead.statemachine.table import ROWS
from tapehead.statemachine.vocabulary import Action, Event, Fact, Phase
from tapehead.store.state import State

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tapehead"

PHASES = {Phase.IDLE, Phase.ACTIVE, Phase.COMPACTING, Phase.RESTORED, Phase.HALTED, Phase.ENDED}
SAID_BY = {
    Event.SESSION_START: "agents",
    Event.TURN_START: "agents",
    Event.TURN_END: "agents",
    Event.TURN_FAILED: "agents",
    Event.COMPACTION: "agents",
    Event.COMPACTED: "agents",
    Event.COMPACTION_FAILED: "cli/upkeep.py",
    Event.SESSION_STOP: "agents",
    Event.GIT_COMMIT: "engine/git_hook.py",
    Event.PROCESS_LOST: "engine/engine.py",
}
"""Who puts it on a tape: an agent, as recorded, or a file of ours."""
PROVES_NOTHING = {Event.COMPACTED, Event.COMPACTION_FAILED, Event.GIT_COMMIT}
TOLD_BY = {
    Fact.AFTER_COMPACTION: "agents/hook_defaults.py",
    Fact.CLEARED: "agents/hook_defaults.py",
    Fact.HAS_STORY: "engine/start.py",
    Fact.REBASING: "engine/recording.py",
    Fact.FILES_TOUCHED: "state",
    Fact.CAPTURE_BLOCKED: "state",
    Fact.ENDED_BEFORE: "state",
    Fact.UNANSWERED: "state",
}
"""Which file finds it out and writes it on the tape; or it follows from the state."""
MOVES_A_SESSION = {Fact.ENDED_BEFORE, Fact.UNANSWERED}
"""Facts of the state by which a row leads elsewhere: a glance (engine/current_phase.py) must know them."""


def text_of(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def test_every_phase_is_known():
    """A row for each event, a way in and out, a colour wherever sessions are listed, a line in the legend."""
    assert set(Phase) == PHASES
    assert {(row.phase, row.event) for row in ROWS} == {(phase, event) for phase in Phase for event in Event}
    assert {row.to for row in ROWS if row.to is not row.phase} == set(Phase)
    plain = {Phase.IDLE}
    assert set(status._STYLES) | plain == set(view._PHASES) | plain == set(Phase)


@pytest.mark.parametrize("event", Event)
def test_every_event_is_said_by_somebody(event):
    """Where its list says; and it proves a phase, or is known to prove none."""
    place = SAID_BY[event]
    if place == "agents":
        recorded = (ROOT / "tests" / "agents" / "contract" / "recorded").glob("*/heard.json")
        heard = {one["event"] for path in recorded for one in json.loads(path.read_text(encoding="utf-8")).values()}
        assert event.value in heard
    else:
        assert f"Event.{event.name}" in text_of(place) or f'"{event.value}"' in text_of(place)
    assert (event in PROVEN) != (event in PROVES_NOTHING)


@pytest.mark.parametrize("fact", Fact)
def test_every_fact_is_found_out_by_somebody(fact):
    """Some row asks for it; its place writes it, or the fold finds it in some state."""
    assert any(fact in row.facts for row in ROWS)
    if TOLD_BY[fact] == "state":
        filled = State("s", files_touched=("a",), capture_failures=3, ended_at=0, unanswered=True)
        assert fact in facts_of(filled)
        assert fact not in facts_of(State("s"))
    else:
        assert f"Fact.{fact.name}" in text_of(TOLD_BY[fact])


def test_a_glance_knows_the_facts_that_move_a_session():
    """Those of the state without which some row would lead to another phase."""
    moving = set()
    for fact in Fact:
        for row in ROWS:
            others = [each for each in ROWS if (each.phase, each.event) == (row.phase, row.event)]
            if TOLD_BY[fact] == "state" and fact in row.facts and any(each.to is not row.to for each in others):
                moving.add(fact)
    assert moving - {Fact.CAPTURE_BLOCKED} == MOVES_A_SESSION
    assert all(f'"{fact.value}"' in text_of("engine/current_phase.py") for fact in MOVES_A_SESSION)


@pytest.mark.parametrize("action", Action)
def test_every_action_is_carried_out_by_somebody(action):
    """Some row names it, one of three does it, and where it is an effect the engine has its port and the state knows what came of it."""
    assert any(action in row.do for row in ROWS)
    assert sum(action in kind for kind in (BOOKKEEPING, EFFECTS, ERRANDS)) == 1
    if action in EFFECTS:
        leaves_no_trace = {"journal", "keep_summary", "offer_baton", "lease_baton", "take_baton"}
        assert (action.value in absorb._NOTES) != (action.value in leaves_no_trace)


@pytest.mark.parametrize("words", [Phase, Event, Fact, Action])
def test_every_word_is_in_the_legend(words):
    """With its sentence, so that whoever reads the table knows what it says."""
    legend = rows_page.table()
    assert all(f"{word.name}" in legend for word in words)
