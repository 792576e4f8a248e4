"""Asking the memory."""

from datetime import timedelta

from record import BEGINS, SESSION, Record
from tapehead.history.recall import Counts

OTHER = "99999999-2222-4333-8444-555555555555"


def test_sessions(memory):
    """Each with what is known of it, the newest last; one that was only named is none."""
    memory.told(Record().turn("new", "yes").prompt("last"))
    memory.told(Record(OTHER, begins=BEGINS - timedelta(days=1)).turn("old", "yes"))
    assert [(told.id, told.turns, told.began, told.ended) for told in memory.recall.sessions()] == [
        (OTHER, 1, "2027-01-14T08:00:00.000Z", "2027-01-14T08:00:01.000Z"),
        (SESSION, 2, "2027-01-15T08:00:00.000Z", "2027-01-15T08:00:02.000Z"),
    ]
    assert [told.id for told in memory.recall.sessions(OTHER)] == [OTHER]
    assert memory.recall.sessions("nobody") == []


def test_a_session_without_times(memory):
    """It began and ended some time: whoever asks gets a time."""
    memory.told(Record().prompt("x", timestamp="yesterday"))
    assert memory.recall.sessions()[0].began.startswith("1970-01-01T00:00")


def test_ids_by_their_beginning(memory):
    """All that begin so, and nothing that only looks like a pattern."""
    memory.told(Record().prompt("x"))
    assert memory.recall.known("1111") == [SESSION]
    assert memory.recall.known("%") == []
    assert memory.recall.known("") == [SESSION]


def test_a_turn(memory):
    """Everything of it in order, and nothing of another."""
    memory.told(Record().turn("one", "two").call("Bash", "three", command="x").turn("four", "five"))
    assert [entry.body for entry in memory.recall.turn(SESSION, 1)] == [
        "one → two",
        "one",
        "two",
        "command: x",
        "three",
    ]
    assert memory.recall.turn(SESSION, 9) == []
    assert memory.recall.turn("nobody", 1) == []


def test_what_came_before_the_first_prompt(memory):
    """Is turn 0."""
    memory.told(Record().line("system", content="hello").prompt("one").line("system", content="bye"))
    assert [entry.body for entry in memory.recall.turn(SESSION, 0)] == ["hello"]


def test_turns_between_two_times(memory):
    """Those with an entry in between, whatever the form of the time; and which one was running."""
    record = Record(step=60.0).turn("one", "two").turn("three", "four")
    memory.told(record.prompt("five", timestamp="2027-01-15T10:04:00+02:00"))
    between = memory.recall.turns_between
    assert between(SESSION, "2027-01-15T08:01:00Z", "2027-01-15T08:02:00Z") == [1]
    assert between(SESSION, "2027-01-15T08:01:00Z", "2027-01-15T08:02:01Z") == [1, 2]
    assert between(SESSION, "2027-01-15T08:04:00Z", "2027-01-15T08:05:00Z") == [3]
    assert between(SESSION, "2027-01-15T08:02:30Z", "2027-01-15T08:02:31Z") == []
    assert memory.recall.running_at(SESSION, "2027-01-15T08:02:30Z") == [2]
    assert memory.recall.running_at(SESSION, "2027-01-15T09:00:00Z") == []
    assert between(SESSION, "2027-01-15T07:00:00Z", "2027-01-15T07:01:00Z") == []
    assert between(SESSION, "2027-01-15T09:00:00Z", "2027-01-15T09:01:00Z") == []
    assert between("nobody", "2027-01-15T08:00:00Z", "2027-01-15T09:01:00Z") == []


def test_counts(memory):
    """Sessions, turns, and rows of each layer."""
    assert memory.recall.counts() == Counts(0, 0, {})
    memory.told(Record().turn("one", "two").call("Bash", "three", command="x"))
    assert memory.recall.counts() == Counts(1, 1, {1: 1, 2: 2, 3: 2})
