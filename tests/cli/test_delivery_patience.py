"""The agent writes its record a little behind its events: bad news about a delivery waits, and can be taken back."""

import json

import pytest

from tapehead.brief.capture_file import checksum
from tapehead.engine import worker
from tapehead.engine.chores import look_for_delivery
from tapehead.engine.engine import Engine
from tapehead.store.paths import Layout

STORY = "where the work stood"
SESSION = "s1"


@pytest.fixture
def record(tmp_path):
    """The agent's own record, as it is when a turn ends: without what it has not yet written."""
    path = tmp_path / "transcript.jsonl"
    path.write_text(
        '{"type":"attachment","attachment":{"type":"queued_command"}}\n'
    )  # of a client that writes down what hooks say
    return path


@pytest.fixture
def engine(tmp_path, record):
    """A session that was handed a brief, and whose next turn is over."""
    clock = iter(range(10**18, 10**19, 10**9))
    engine = Engine(Layout(str(tmp_path / "store")), lambda: next(clock))
    for line in (
        {"event": "turn_start", "data": {"prompt": "go on", "transcript_path": str(record)}},
        {"note": "restored", "of": "x", "data": {"checksum": checksum(STORY)}},
        {"event": "turn_end"},
    ):
        engine.append(SESSION, {"host": "claude", **line})
    engine.settle(SESSION)
    return engine


def write_it_down(record):
    attachment = {"type": "hook_additional_context", "content": [STORY], "hookEvent": "SessionStart"}
    with record.open("a") as file:
        file.write(json.dumps({"type": "attachment", "attachment": attachment}) + "\n")


def delivery(engine):
    engine.settle(SESSION)
    state = engine.store.load(SESSION)
    return state.delivery, bool(state.awaiting_receipt)


def test_not_there_yet(engine, record):
    """A text that the record does not hold yet is not called missing, and found when it is there."""
    assert look_for_delivery(engine, SESSION) is False
    assert delivery(engine) == ("", True)
    write_it_down(record)
    assert look_for_delivery(engine, SESSION) is True
    assert delivery(engine) == ("delivered", False)


def test_given_up_and_found_after_all(engine, record):
    """A look that gives up says missing, once; a later one that finds the text takes it back."""
    for _ in range(2):
        assert look_for_delivery(engine, SESSION, give_up=True) is True
        assert delivery(engine) == ("missing", True)
    assert sum(b'"receipt"' in line for line in engine.store.lines(SESSION)[0]) == 1
    write_it_down(record)
    assert look_for_delivery(engine, SESSION) is True
    assert delivery(engine) == ("delivered", False)


def test_the_worker_waits(engine, record, monkeypatch):
    """The worker looks again after a while, and finds what the agent wrote in the meantime."""
    waited = []
    monkeypatch.setattr(worker.time, "sleep", lambda seconds: (waited.append(seconds), write_it_down(record)))
    worker.work(engine, SESSION)
    assert waited == [worker.PATIENCE[0]]
    assert delivery(engine) == ("delivered", False)


def test_the_worker_gives_up(engine, monkeypatch):
    """The worker's patience has an end."""
    waited = []
    monkeypatch.setattr(worker.time, "sleep", waited.append)
    worker.work(engine, SESSION)
    assert tuple(waited) == worker.PATIENCE
    assert delivery(engine) == ("missing", True)


def test_news_goes_first(engine, monkeypatch):
    """A line that comes while the worker waits is read before the next look."""
    seen = []

    def phase_when_looking(engine, session_id, **how):
        seen.append(engine.store.load(session_id).phase.value)
        return look_for_delivery(engine, session_id, **how)

    monkeypatch.setattr(worker, "look_for_delivery", phase_when_looking)
    monkeypatch.setattr(
        worker.time, "sleep", lambda _: engine.append(SESSION, {"host": "claude", "event": "session_stop"})
    )
    worker.work(engine, SESSION)
    assert seen[:2] == ["idle", "ended"]


def test_a_turn_that_ends_right_after_the_last_look(engine, record, monkeypatch):
    """The worker reads its end, and looks once more: no other one would come for it."""
    engine.append(SESSION, {"host": "claude", "event": "turn_start"})
    engine.settle(SESSION)
    write_it_down(record)
    looks = []

    def look_and_end(engine, session_id, **how):
        found = look_for_delivery(engine, session_id, **how)
        looks.append(engine.store.load(session_id).phase.value)
        if len(looks) == 2:
            engine.append(session_id, {"host": "claude", "event": "turn_end"})
        return found

    monkeypatch.setattr(worker, "look_for_delivery", look_and_end)
    worker.work(engine, SESSION)
    assert looks[:3] == ["active", "active", "idle"]
    assert delivery(engine) == ("delivered", False)
