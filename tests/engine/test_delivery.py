"""What became of a text that was handed over, by the agent's own record."""

from __future__ import annotations

import attr
import pytest

from tapehead.engine.chores import look_for_delivery
from tapehead.engine.delivery import receipt
from tapehead.statemachine.vocabulary import Event, Phase
from tapehead.store import captures


@pytest.fixture
def handed(told):
    """A session that was compacted, and the text that its start was given; the turn after it is over."""
    told.asked("Rename to_csv in tidewatch/export.py", "Done.")
    text = told.compacted()
    assert text
    told.asked("Go on", "Going on.")
    return text


def recorded(told, *texts):
    for text in texts:
        told.script.hook_said(text)
    told.write()
    return receipt(told.layout, told.state())


def test_what_is_on_record_as_it_was_is_delivered(told, handed):
    """To the letter, whatever else hooks said."""
    assert recorded(told, "another hook's words", handed) == {
        "delivery": "delivered", "handed": len(handed), "received": len(handed),
    }  # fmt: skip


@pytest.mark.parametrize("frame", ["\n\n{}\n", "SessionStart hook additional context: {}"])
def test_a_host_may_put_words_of_its_own_around_it(frame, told, handed):
    """White space and a frame change nothing of what the model got."""
    assert recorded(told, frame.format(handed))["delivery"] == "delivered"


@pytest.mark.parametrize("frame", ["{}", "Output too large. Preview: {} …"])
def test_a_text_that_does_not_go_on_is_cut(frame, told, handed):
    """Its beginning is there and its end is not, in a frame or without."""
    assert recorded(told, frame.format(handed[:300]))["delivery"] == "cut"


def test_without_a_record_of_it_it_is_missing(told, handed):
    """Only of others'. Where the client writes down nothing of hooks, nobody can tell."""
    assert receipt(told.layout, told.state()) == {"delivery": "unknown", "handed": len(handed), "received": 0}
    assert recorded(told, "another hook's words") == {"delivery": "missing", "handed": len(handed), "received": 20}


def test_where_our_copy_is_gone_the_checksum_still_tells(told, handed):
    """Delivered is known by the state alone; anything else cannot be told from missing."""
    captures.keep_handed(told.layout, "one", "")
    assert recorded(told, handed[:300])["delivery"] == "missing"
    assert recorded(told, handed)["delivery"] == "delivered"


@pytest.mark.parametrize("phase", [Phase.ACTIVE, Phase.COMPACTING, Phase.RESTORED, Phase.HALTED])
def test_before_a_turn_is_over_nothing_is_missing(phase, told, handed):
    """The agent writes its record as the turn goes along."""
    assert receipt(told.layout, attr.evolve(told.state(), phase=phase)) is None


def test_a_start_that_ended_without_a_prompt_has_no_receipt(told):
    """Nothing was written down, because nothing was asked: that is no loss."""
    told.asked("Rename to_csv", "Done.")
    assert told.compacted()
    told.hears(Event.SESSION_STOP, reason="other")
    assert told.state().awaiting_receipt
    assert receipt(told.layout, told.state()) is None


def test_without_a_record_to_look_at_there_is_no_receipt(told, handed):
    """A transcript that is gone, or an agent whose record nobody here can read."""
    assert receipt(told.layout, attr.evolve(told.state(), transcript_path="/nowhere")) is None
    assert receipt(told.layout, attr.evolve(told.state(), agent="an-agent-to-come")) is None


def test_the_engine_keeps_the_receipt_once(told, handed):
    """On the tape and in the state, where status and doctor find it; it is not looked for again."""
    told.script.hook_said(handed)
    told.write()
    for _ in range(2):
        look_for_delivery(told.engine, "one")
        told.state()
    assert [note["delivery"] for note in told.notes("receipt")] == ["delivered"]
    assert (told.state().delivery, told.state().awaiting_receipt) == ("delivered", "")
