"""From a session to what its work consists of: the transcript first, then what only the tape knows."""

from __future__ import annotations

import os
from types import SimpleNamespace

import attr
import pytest

from tapehead.agents.claude import transcript
from tapehead.brief import session_work
from tapehead.brief.session_work import Accounts
from tapehead.statemachine.vocabulary import Event
from tapehead.store.state import State
from tapehead.transcript.turns import HUMAN, Said, Turn


def asks(told):
    return [ask.text for ask in Accounts(told.layout).of(told.state()).asks]


def test_a_prompt_that_only_the_tape_knows_is_told_with_its_reply(told):
    """An agent that is killed has not always written down what it was asked; commands of the agent are no prompts."""
    told.asked("first", "done")
    told.hears(Event.TURN_START, prompt="/compact")
    told.hears(Event.TURN_START, prompt="second")
    told.hears(Event.TURN_END, reply="half done")
    digest = Accounts(told.layout).of(told.state())
    assert [ask.text for ask in digest.asks] == ["first", "second"]
    assert digest.in_flight[0].text == "half done"


def test_a_prompt_in_both_is_told_once(told):
    """However the white space came out, and where the tape has the middle of a long one left out."""
    long = "many words " * 5_000
    told.script.human("one  two\nthree").agent("ok").human(long).agent("ok")
    told.write()
    told.hears(Event.TURN_START, prompt="one two three")
    told.hears(Event.TURN_START, prompt=long[:20_000] + " [… 15000 characters …] " + long[-12_000:])
    assert len(asks(told)) == 2


def test_what_a_timer_asked_is_not_the_person_s(told):
    """A turn that nobody typed is no ask."""
    told.asked("first", "done")
    told.hears(Event.TURN_START, prompt="check the build", asked_by="cron")
    told.hears(Event.TURN_END, reply="it is green")
    assert asks(told) == ["first"]


def test_subagents_stand_apart(told):
    """What a subagent was asked is not what the session was asked: a prompt of the tape is not hidden by it."""
    told.script.human("first")
    told.script._line("user", {"role": "user", "content": "second"}, isSidechain=True, agentId="a1")
    told.write()
    told.hears(Event.TURN_START, prompt="second")
    assert asks(told) == ["first", "second"]


@pytest.mark.parametrize("agent", ["claude", "an-agent-to-come"])
def test_without_a_transcript_the_tape_speaks(agent, told):
    """No file, or nobody who could read it."""
    told.asked("first", "done")
    os.unlink(told.path)
    state = attr.evolve(told.state(), agent=agent)
    assert [ask.text for ask in Accounts(told.layout).of(state).asks] == ["first"]


def test_a_transcript_that_cannot_be_read_is_passed_over(told, monkeypatch):
    """Also one that fails half-way: what was read until then counts, the tape knows the rest."""

    def fails(path, offset=0):
        yield from list(transcript.read(path, offset).turns)[:1]
        raise PermissionError(path)

    told.asked("first", "done")
    told.asked("second", "done, too")
    monkeypatch.setattr(transcript, "skim", fails)
    assert asks(told) == ["first", "second"]


def test_a_digest_is_made_once_while_nothing_is_new(told):
    """The same value for the same files; another one when either grew."""
    told.asked("first", "done")
    accounts = Accounts(told.layout)
    first = accounts.of(told.state())
    assert accounts.of(told.state()) is first
    told.asked("second", "done")
    assert accounts.of(told.state()) is not first


def test_the_summary_is_that_of_the_last_compaction(told):
    """Heard since the compaction began; an earlier one is forgotten when the next begins."""
    accounts = Accounts(told.layout)
    assert accounts.host_summary(State("nobody")) == ""
    told.asked("first", "done")
    told.hears(Event.COMPACTION, trigger="auto")
    told.hears("subagent_stop", summary="one")
    assert accounts.host_summary(told.state()) == "one"
    told.hears(Event.COMPACTED, summary="one, better")
    assert accounts.host_summary(told.state()) == "one, better"
    told.hears(Event.COMPACTION, trigger="auto")
    assert accounts.host_summary(told.state()) == ""


def test_a_summary_of_the_transcript_counts_until_work_follows(told):
    """A prompt after it changes nothing; words or a call of the agent do."""
    told.asked("first", "done")
    told.script.compacts("in the file").human("go on")
    told.write()
    assert Accounts(told.layout).host_summary(told.state()) == "in the file"
    told.script.run("make")
    told.write()
    assert Accounts(told.layout).host_summary(told.state()) == ""


def test_what_a_subagent_was_asked_is_no_prompt_of_the_person(told, monkeypatch):
    """Its turns are read with the rest; what only the tape heard is added after the last turn of the session itself."""
    told.asked("Explain the tides.", "High water comes twice a day.")
    told.hears(Event.TURN_START, prompt="And the springs?")
    own = Turn(1, (Said(HUMAN, "Explain the tides."),))
    other = Turn(7, (Said(HUMAN, "Look for moons."),), subagent="a1")
    monkeypatch.setattr(session_work, "reader_of", lambda _: SimpleNamespace(skim=lambda *_: iter((own, other))))
    found = Accounts(told.layout).of(told.state()).asks
    assert [(ask.turn, ask.text) for ask in found] == [(1, "Explain the tides."), (2, "And the springs?")]
