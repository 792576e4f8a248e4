"""What the tape heard of work beside a session."""

from __future__ import annotations

import json

import pytest

from tapehead.brief.background_work import beside
from tapehead.brief.session_work import Accounts
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store.line import readable
from tapehead.work_record.work_in_flight import NOTHING_HEARD, Heard


def line(event, second=0, *, facts=(), **data):
    named = {"event": event.value} if isinstance(event, Event) else {"note": event}
    at = f"2027-01-15T12:00:{second:02}+02:00"
    said = {"id": f"l{second}", "at": at, "host": "claude", "facts": [fact.value for fact in facts], "data": data}
    return readable([json.dumps({**said, **named}).encode()])[0]


def at(second):
    return f"2027-01-15T10:00:{second:02}"


def test_the_newest_list_counts():
    """By the agent's names; an empty one says that nothing runs, a missing or broken one says nothing."""
    lines = [line(Event.TURN_END, 1, running=["a make all", "b"]), line(Event.TURN_END, 2), line(Event.TURN_START, 3)]
    assert beside(lines) == Heard(at(1), {"a": "make all", "b": ""})
    assert beside([*lines, line(Event.TURN_END, 4, running=[])]) == Heard(at(4), {})
    assert beside([line(Event.TURN_END, 4, running="a")]) == NOTHING_HEARD


def test_a_subagent_s_end_counts_until_the_next_list():
    """It may be sent to work again; the nameless one is the agent's summariser."""
    ended = [line("subagent_stop", 1, agent_id="x"), line("subagent_stop", 2)]
    assert beside(ended).over == {"x"}
    assert beside([*ended, line(Event.TURN_END, 3, running=["x"])]) == Heard(at(3), {"x": ""})


FIRST, SECOND = {"pid": 7, "pid_started": "100"}, {"pid": 7, "pid_started": "900"}


@pytest.mark.parametrize(
    ("lines", "gone"),
    [
        ([line(Event.SESSION_STOP, 1, reason="other")], (at(1),)),
        ([line(Event.PROCESS_LOST, 1)], (at(1),)),
        ([line(Event.SESSION_STOP, 1, reason="clear", facts=[Fact.CLEARED])], ()),
        ([line(Event.TURN_FAILED, 1), line(Event.COMPACTION, 2)], ()),
        ([line(Event.SESSION_START, 1, **FIRST), line(Event.SESSION_START, 2, **FIRST)], ()),
        ([line(Event.SESSION_START, 1, **FIRST), line(Event.SESSION_START, 2, **SECOND)], (at(2),)),
        ([line(Event.SESSION_START, 1, **FIRST), line(Event.SESSION_START, 2)], ()),
        (
            [
                line(Event.SESSION_START, 1, **FIRST),
                line(Event.PROCESS_LOST, 2),
                line(Event.SESSION_START, 3, **SECOND),
            ],
            (at(2),),
        ),
    ],
)
def test_when_a_process_was_gone(lines, gone):
    """It ended, was found lost, or another one goes on with the session; `/clear` and a compaction leave it as it is."""
    assert beside(lines).gone == gone


def test_an_account_says_what_is_known_of_work_in_the_background(told):
    """From the transcript's start of it and the tape's news: running, over, lost with its process."""
    told.now += 7_200_000_000_000  # after the times that the script writes
    told.asked("serve it")
    told.script.call("Bash", "started", command="npm run dev", run_in_background=True)
    told.script.lines[-1] = told.script.lines[-1][:-1] + ',"toolUseResult":{"backgroundTaskId":"b1"}}'
    told.write()

    def said():
        return [fact.note.partition(" 20")[0] for fact in Accounts(told.layout).of(told.state()).background]

    assert said() == ["in the background"]
    told.hears(Event.TURN_END, reply="It runs.", running=["b1 npm run dev"])
    assert said() == ["in the background, running at"]
    assert "in the background, running at 2027-01-15" in told.hand_back().text
    told.hears(Event.TURN_END, reply="It is done.", running=[])
    assert said() == []
    told.hears(Event.TURN_END, reply="It runs.", running=["b1 npm run dev"])
    told.hears(Event.PROCESS_LOST)
    assert said() == ["lost with its process by"]
    assert "(it may have to be started again), begun in t1: Bash npm run dev" in told.hand_back().text


def test_a_subagent_that_the_tape_heard_the_end_of_is_over(told):
    """Also where its notice is not yet in the transcript."""
    told.asked("ask someone")
    told.script.call("Agent", "launched", description="count", prompt="count the files")
    told.script.lines[-1] = told.script.lines[-1][:-1] + ',"toolUseResult":{"isAsync":true,"agentId":"a1"}}'
    told.write()
    accounts = Accounts(told.layout)
    assert [fact.text for fact in accounts.of(told.state()).background] == ["Agent count"]
    told.hears("subagent_stop", agent_id="a1", reply="42")
    assert accounts.of(told.state()).background == ()
