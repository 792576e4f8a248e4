"""Whether what was started beside the session still runs."""

import pytest

from tapehead.transcript import turns
from tapehead.transcript.turns import Call, Result, Said, Turn
from tapehead.work_record.step_row import Conversation
from tapehead.work_record.work_in_flight import Heard, background

STARTED = "2026-01-01T10:00:30.123Z"
BEFORE, AFTER, LATER = "2026-01-01T10:00:00", "2026-01-01T10:01:00", "2026-01-01T10:02:00"


def told(*steps):
    return Conversation([Turn(0, (Said(turns.HUMAN, "go"), *steps), began="2026-01-01T09:00:00.000Z")])


def serve(ident="c", *, task="t", time=STARTED):
    call = Call(ident, "Bash", turns.RUN, text="serve", background=True)
    return call, Result(ident, "started", task=task, time=time)


def notes(conversation, heard):
    return [(fact.note, fact.holds) for fact in background(conversation, heard)]


UNKNOWN = ("in the background", True)
RUNS = ("in the background, running at 2026-01-01 10:01Z", True)
LOST = ("lost with its process by 2026-01-01 10:01Z", False)


@pytest.mark.parametrize(
    ("heard", "said"),
    [
        (Heard(), [UNKNOWN]),
        (Heard(at=BEFORE), [UNKNOWN]),
        (Heard(at=AFTER, running={"t": "serve"}), [RUNS]),
        (Heard(at=AFTER), []),
        (Heard(over=frozenset("t")), []),
        (Heard(gone=(AFTER,)), [LOST]),
        (Heard(at=BEFORE, gone=(AFTER,)), [LOST]),
        (Heard(at=AFTER, running={"t": ""}, gone=(AFTER,)), [LOST]),
        (Heard(at=LATER, gone=(AFTER,)), []),
        (Heard(gone=(AFTER, LATER)), []),
        (Heard(gone=(BEFORE,)), [UNKNOWN]),
        (Heard(at=AFTER, running={"t": ""}, gone=(BEFORE,)), [RUNS]),
    ],
)
def test_what_was_started_is_told_as_it_is_now(heard, said):
    """A list counts if it is newer than the start, an end of the process if it is; nothing heard leaves it open."""
    assert notes(told(*serve()), heard) == said


def test_without_the_host_s_name_a_list_says_nothing():
    """It cannot be found on it; a process that ended ends it all the same."""
    conversation = told(*serve(task="", time=""))
    assert notes(conversation, Heard(at=AFTER)) == [UNKNOWN]
    assert notes(conversation, Heard(gone=(AFTER,))) == [LOST]


def test_what_was_started_again_counts_once():
    """As it is now: the newer one runs, whatever became of the older."""
    again = serve("d", task="u", time=LATER)
    assert notes(told(*serve(), *again), Heard(gone=(AFTER,))) == [UNKNOWN]
    over = (*serve("d", task="u", time=LATER), Result("d", "over"))
    assert notes(told(*serve(), *over), Heard(at=LATER, running={"t": ""})) == [
        ("in the background, running at 2026-01-01 10:02Z", True)
    ]


def test_a_call_that_turned_out_to_go_on_counts_too():
    """A subagent that nobody waits for, or a command that was sent to the background: the result says so."""
    conversation = told(
        Call("c", "Agent", turns.DELEGATE, text="count"), Result("c", "launched", task="t", time=STARTED)
    )
    assert notes(conversation, Heard(at=AFTER, running={"t": ""})) == [RUNS]
    assert notes(told(Call("c", "Agent", turns.DELEGATE, text="count"), Result("c", "42")), Heard()) == []


def test_what_a_session_before_this_one_started_is_told_too():
    """The agent lists it; where its process is gone since, or it is over, it is not."""
    heard = Heard(at=AFTER, running={"x": "npm  run dev"})
    assert [(fact.text, fact.turn) for fact in background(told(), heard)] == [("npm run dev", 0)]
    assert background(told(), heard._replace(gone=(LATER,))) == ()
    assert background(told(), heard._replace(over=frozenset("x"))) == ()
