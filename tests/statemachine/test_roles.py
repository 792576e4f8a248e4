"""Who speaks and who works follows from the rows."""

from tapehead.statemachine.roles import SPEAKING, WORKING
from tapehead.statemachine.vocabulary import Event


def test_who_speaks():
    """A start and a compaction have words whatever the phase; what a prompt or the end of a compaction owes rides along."""
    assert {Event.SESSION_START, Event.COMPACTION} == SPEAKING


def test_who_works():
    """What an agent says in passing leaves work behind; a commit's own hook starts the worker, and a lost process is found by a command."""
    assert {
        Event.SESSION_START,
        Event.TURN_START,
        Event.TURN_END,
        Event.TURN_FAILED,
        Event.COMPACTED,
        Event.SESSION_STOP,
    } == WORKING
