"""What is shown of a session, from what was read of it."""

from __future__ import annotations

from datetime import UTC, datetime

import attrs
import pytest

from tapehead.actions.window_room import room_of
from tapehead.cli.monitor.rows import Context, Read, contexts, row
from tapehead.settings.loading import DEFAULTS
from tapehead.statemachine.vocabulary import Phase
from tapehead.store import agent_figures
from tapehead.store.paths import Layout
from tapehead.store.state import State, TokenUsage
from tapehead.tokens.prices import Price, Prices
from tapehead.tokens.window import Margins
from tapehead.transcript.turns import AGENT, HUMAN, Boundary, Call, Said, Turn
from tapehead.transcript.usage import Usage

EARLIER, LATER = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
ASKED, SPOKE, CALLED = Said(HUMAN, "go"), Said(AGENT, "done"), Call("1", "Bash", "run")
BOUNDARY = Boundary("manual", 100)


def turn(context, *steps, subagent=""):
    return Turn(1, steps or (ASKED, SPOKE), usage=Usage(context=context), subagent=subagent)


@pytest.mark.parametrize(
    ("turns", "known"),
    [
        ([], []),
        ([turn(5), turn(0), turn(9)], [5, 9]),
        ([turn(5), turn(9, subagent="x")], [5]),
        ([turn(5), turn(9, ASKED, SPOKE, BOUNDARY)], []),
        ([turn(5), turn(9, ASKED, SPOKE, BOUNDARY, ASKED)], []),
        ([turn(5), turn(9, ASKED, BOUNDARY, SPOKE)], [5, 9]),
        ([turn(5), turn(9, ASKED, BOUNDARY, CALLED)], [5, 9]),
        ([turn(5), turn(9, SPOKE, Boundary("auto", 1, partial=True))], [5, 9]),
    ],
)
def test_how_full_it_was(turns, known):
    """Subagents have windows of their own; after a compaction nothing is known until the agent is heard from again."""
    assert contexts(turns) == known


def made(state=None, **read):
    return row(state or State("s"), Read(**read), Margins(), "p")


def test_the_transcript_goes_before_what_the_host_said_before_the_state():
    """Where the agent said it before the last turn: the newest that is known."""
    state = State("s", context_tokens=1, context_window=100_000, last_interaction_at=EARLIER)
    assert made(state).context.used == 1
    assert made(state, said={"used": 2}).context.used == 2
    assert made(state, said={"used": 2}, turns=()).context.used == 2
    assert made(state, said={"used": 2}, turns=(turn(3),)).context.used == 3
    assert made(state, said={"used": 2}, turns=(turn(3, SPOKE, BOUNDARY),)).context.used is None


@pytest.mark.parametrize("when", [EARLIER, LATER])
@pytest.mark.parametrize("turns", [None, (), (turn(30_000),)])
def test_what_the_host_said_since_is_what_status_tells_too(when, turns, tmp_path):
    """Two commands asked at the same moment do not differ: the agent's own number of after the last turn goes first in both."""
    layout = Layout(str(tmp_path))
    (tmp_path / "sessions").mkdir()
    state = State("s", context_tokens=30_000, context_window=200_000, last_interaction_at=EARLIER, compacted_at=EARLIER)
    agent_figures.keep(layout, "s", {"used": 90_000, "window": 200_000}, when.timestamp())
    found = made(state, said=agent_figures.look(layout, "s"), turns=turns).context
    status = room_of(layout, DEFAULTS, state)
    assert (found.used, found.percent_left) == (status.used, status.percent_left) == (90_000, 46)


def test_without_a_window_nothing_is_reckoned():
    """It is never guessed; with one there are marks, a level, and a forecast."""
    assert made(turns=(turn(3),)).context == Context(used=3)
    found = made(turns=(turn(80_000), turn(90_000)), said={"window": 200_000}).context
    assert (found.window, found.level, found.percent_left, found.turns_left) == (200_000, "fine", 46, 8)
    assert made(State("s", context_window=1_000_000)).context.window == 1_000_000
    assert made(said={"window": "x"}).context.window is None


def test_some_hosts_write_the_window_into_their_transcript():
    """What the agent says of this very session on its status line goes before it; a subagent's is another one."""
    told = Turn(1, (ASKED, SPOKE), usage=Usage(context=5, window=258_400))
    beside = Turn(1, (ASKED, SPOKE), usage=Usage(context=5, window=99), subagent="x")
    assert made(turns=(told, turn(9), beside)).context.window == 258_400
    assert made(turns=(told,), said={"window": 300_000}).context.window == 300_000
    assert made(State("s", context_window=7), turns=(turn(9),)).context.window == 7


@pytest.mark.parametrize(("phase", "shown"), [(Phase.ACTIVE, Phase.HALTED), (Phase.IDLE, Phase.ENDED)])
def test_a_process_that_is_gone(phase, shown):
    """The phase is the one that the machine will say."""
    found = made(State("s", phase=phase), gone=True)
    assert (found.phase, found.gone, found.is_open) == (shown, True, False)


def test_when_it_was_last_heard_of():
    """By its hooks, or by its transcript, whichever is later."""
    assert made(State("s", started_at=EARLIER)).active_at == EARLIER
    assert made(State("s", last_interaction_at=LATER, started_at=EARLIER)).active_at == LATER
    assert made(State("s", last_interaction_at=EARLIER), written_at=LATER).active_at == LATER
    assert made().active_at is None


@pytest.mark.parametrize(
    ("said", "model"), [({"model": "new"}, "new"), ({"model": ""}, "old"), ({"model": 5}, "old"), ({}, "old")]
)
def test_the_model_may_change_in_mid_session(said, model):
    """What the agent said last counts."""
    assert made(State("s", model="old"), said=said).model == model


def test_what_was_counted_before_a_compaction_is_of_the_past():
    """Although the transcript does not tell of it yet: nobody knows how full the window is until the next answer."""
    before, after = (
        turn(50_000)._replace(ended="2027-01-15T09:00:00Z"),
        turn(9_000)._replace(ended="2027-01-15T09:00:02Z"),
    )
    state = State("one", compacted_at=datetime(2027, 1, 15, 9, 0, 1, tzinfo=UTC))
    assert made(state, turns=(before,)).context.used is None
    assert made(state, turns=(before, after)).context.used == 9_000
    told = int(state.compacted_at.timestamp())
    assert made(state, turns=(before,), said={"used": 7_000, "at": told - 1}).context.used is None
    assert made(state, turns=(before,), said={"used": 7_000, "at": told + 1}).context.used == 7_000


def test_the_money():
    """What the agent says; else about the list price of all tokens, with a sign; nothing where the model has no price."""
    prices = Prices({"m": Price(1.0, 2.0, 3.0, 4.0, 9.0)})
    state = State("s", model="m-20260101", token_usage=TokenUsage(1_000_000, 1_000_000, 1_000_000, 1_000_000))
    assert row(state, Read(), Margins(), "p", prices).money == "~$10.00"
    assert row(state, Read(said={"cost": 1.5}), Margins(), "p", prices).money == "$1.50"
    assert row(attrs.evolve(state, model="x"), Read(), Margins(), "p", prices).money == ""
