"""Compressions that only the session file tells of."""

import json

import chats
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.gemini.compressions import compressions
from tapehead.agents.hook_event import Heard
from tapehead.statemachine.vocabulary import Event

SNAPSHOT = chats.person("snap", chats.SNAPSHOT)
BEFORE = [chats.HEADER, chats.person("u1", "open the door"), chats.agent("m1", "Looking.")]
COMPRESSED = chats.history(chats.person("c", chats.CONTEXT), SNAPSHOT, chats.agent("t", chats.THANKS))


def bytes_of(*entries):
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


def heard(path, event=Event.TURN_START):
    found = Heard("gemini", "BeforeAgent", "s")
    found.event = event
    found.data = {"transcript_path": str(path)}
    return found


def looked(record, event="turn_end"):
    return json.dumps({"event": event, "data": {"record": record}}, separators=(",", ":")).encode()


@pytest.fixture
def record(tmp_path):
    path = tmp_path / chats.NAME
    path.write_bytes(bytes_of(*BEFORE))
    return path


def test_found_between_two_looks(record):
    """It is told as what it was, with the summary, before the event that found it; and that event says how far it looked."""
    since = record.stat().st_size
    record.write_bytes(record.read_bytes() + bytes_of(COMPRESSED, chats.person("u2", "thanks")))
    found = heard(record)
    told = compressions(found, lambda: looked(since))
    assert [each.event for each in told] == [Event.COMPACTION, Event.COMPACTED]
    assert {each.session_id for each in told} == {"s"}
    assert told[1].data["summary"] == "<overall_goal>open the door</overall_goal>"
    assert found.data["record"] == told[1].data["record"] == record.stat().st_size
    assert "record" not in told[0].data, "one that is killed here looks again"
    assert compressions(heard(record), lambda: looked(record.stat().st_size)) == []


def test_asked_for(record):
    """The user's own was announced: it is over, and does not begin once more."""
    since = record.stat().st_size
    record.write_bytes(record.read_bytes() + bytes_of(COMPRESSED))
    told = compressions(heard(record), lambda: looked(since, "compaction"))
    assert [(each.event, each.data["trigger"]) for each in told] == [(Event.COMPACTED, "manual")]


def test_what_was_before_the_first_look_is_no_news(record):
    """A session that tapehead hears of late has its past behind it; a start looks at nothing."""
    record.write_bytes(record.read_bytes() + bytes_of(COMPRESSED))
    found = heard(record)
    assert compressions(found, lambda: b"") == []
    assert found.data["record"] == record.stat().st_size
    start = heard(record, Event.SESSION_START)
    assert compressions(start, lambda: looked(5)) == []
    assert start.data["record"] == 5


def test_the_same_again_after_a_resume(record):
    """The agent writes the whole history once more, the old snapshot in it: nothing was compressed."""
    record.write_bytes(record.read_bytes() + bytes_of(COMPRESSED))
    since = record.stat().st_size
    record.write_bytes(record.read_bytes() + bytes_of(chats.HEADER, COMPRESSED))
    assert compressions(heard(record), lambda: looked(since)) == []


def test_twice_between_two_looks(record):
    """Each is told."""
    since = record.stat().st_size
    again = chats.history(chats.person("snap2", chats.SNAPSHOT))
    record.write_bytes(record.read_bytes() + bytes_of(COMPRESSED, again))
    assert [each.event for each in compressions(heard(record), lambda: looked(since))].count(Event.COMPACTED) == 2


def test_the_person_speaks_of_snapshots(record):
    """Words are no compression, wherever they stand."""
    since = record.stat().st_size
    said = [chats.person("u2", "what is a <state_snapshot>?"), chats.history(chats.person("u2", "a <state_snapshot>?"))]
    record.write_bytes(record.read_bytes() + bytes_of(*said))
    assert compressions(heard(record), lambda: looked(since)) == []


def test_a_line_that_is_still_being_written(record):
    """It waits for the next look."""
    since = record.stat().st_size
    torn = bytes_of(COMPRESSED)
    record.write_bytes(record.read_bytes() + torn[:-1])
    found = heard(record)
    assert compressions(found, lambda: looked(since)) == []
    assert found.data["record"] == since


def test_no_record(tmp_path):
    """Without a file, or without a word about one, nothing is told."""
    assert compressions(heard(tmp_path / "none"), lambda: looked(3)) == []
    found = heard(tmp_path)
    found.data = {}
    assert compressions(found, lambda: looked(3)) == []


@given(st.binary(max_size=200), st.integers(0, 10**6), st.binary(max_size=80))
def test_whatever_the_file_and_the_tape_say(tmp_path_factory, content, since, tape):
    """Nothing raises."""
    path = tmp_path_factory.mktemp("record") / chats.NAME
    path.write_bytes(content + b"<state_snapshot>\n" + content)
    compressions(heard(path), lambda: looked(since) + tape)
    compressions(heard(path), lambda: tape)
