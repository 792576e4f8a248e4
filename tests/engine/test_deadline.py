"""A hook's time: whatever it is at when that is over is broken off, its words come first, and others do the rest."""

from __future__ import annotations

import signal
import time
from contextlib import suppress

import pytest

import scenes
from tapehead.engine.deadline import HOOK_SECONDS, Deadline, Late, seconds_for_hook
from tapehead.engine.engine import Engine, Own
from tapehead.statemachine.vocabulary import Event, Fact, Phase

FOR_EVER = 60.0
"""Seconds that nobody in here waits."""


@pytest.fixture
def scene(tmp_path):
    return scenes.Scene(tmp_path / "store")


def hurried(scene, seconds=1.0):
    """The engine of a hook that has so long, or had."""
    return Engine(scene.layout, scene.clock, deadline=Deadline(time.monotonic() + seconds))


def stuck(*_):
    """In short steps: where no signal breaks off a call that waits in the system, what runs after it is broken off."""
    until = time.monotonic() + FOR_EVER
    while time.monotonic() < until:
        time.sleep(0.01)
    raise AssertionError("waited to the end")


def broken_off_after_another(deadline):
    with suppress(Late), deadline.limit(seconds=0.02):
        stuck()
    stuck()


def test_what_takes_too_long_is_broken_off():
    """Late comes in the middle of it, is no Exception, and leaves the timer and its handler as they were."""
    before = signal.getsignal(signal.SIGALRM)
    deadline = Deadline(time.monotonic() + 0.05)
    with pytest.raises(Late), deadline.limit():
        time.sleep(FOR_EVER)
    assert not issubclass(Late, Exception)
    assert (deadline.was_missed, deadline.left()) == (True, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_moment_that_is_over_lets_nothing_begin():
    """What is begun after it is broken off at once; what ends before it is let be."""
    with pytest.raises(Late), Deadline(time.monotonic() - 1).limit():
        stuck()
    with Deadline(time.monotonic() + FOR_EVER).limit():
        pass


def test_a_limit_within_a_limit():
    """The earlier moment counts, and the reserve is kept; after the inner one the outer one holds again."""
    deadline = Deadline(time.monotonic() + FOR_EVER)
    with pytest.raises(Late), deadline.limit(seconds=0.05), deadline.limit():
        stuck()
    with pytest.raises(Late), deadline.limit(reserve=FOR_EVER - 0.05):
        stuck()
    with pytest.raises(Late), deadline.limit(seconds=0.1):
        broken_off_after_another(deadline)


def test_without_a_moment_there_is_no_timer(monkeypatch):
    """A command and the worker have all the time."""
    monkeypatch.setattr(signal, "setitimer", stuck)
    deadline = Deadline()
    with deadline.limit():
        assert deadline.left() == float("inf")


@pytest.mark.parametrize("port", ["capture", "ingest", "mark_lines"])
def test_words_do_not_wait_for_work(scene, port, monkeypatch):
    """An action that does not come to its end leaves the words in time; it is done by the next who settles, once."""
    scene.hear("s", Event.TURN_START, data={"prompt": "find the leak"})
    line = scene.hear("s", Event.COMPACTION)
    engine = hurried(scene)
    monkeypatch.setattr(engine, port, stuck)
    reply = engine.settle("s", Own(line, "claude", "PreCompact"))
    assert "find the leak" in reply.steer
    assert engine.deadline.was_missed
    assert scene.store.load("s") is None, "the rest is left to others"
    state = scene.settled("s")
    assert (state.phase, state.pending_steer) == (Phase.COMPACTING, "")
    assert len(scene.notes("s", "steered")) == len(scene.notes("s", "capture")) == 1
    assert state.failures == {}
    assert state == scene.engine.replayed("s")


def test_words_that_take_too_long_ride_on_the_next(scene, monkeypatch):
    """A brief that is not ready in time is not noted as said: the next hook that can carry it brings it."""
    scene.hear("s", Event.TURN_START, data={"prompt": "find the leak"})
    line = scene.hear("s", Event.SESSION_START, facts=[Fact.AFTER_COMPACTION], data={"source": "compact"})
    engine = hurried(scene, 1.5)
    monkeypatch.setattr(type(engine.briefs), "hand_back", stuck)
    assert engine.settle("s", Own(line, "claude", "SessionStart")).context == ""
    monkeypatch.undo()
    prompt = scene.hear("s", Event.TURN_START, data={"prompt": "and now?"})
    assert "find the leak" in scene.engine.settle("s", Own(prompt, "claude", "UserPromptSubmit")).context


def test_a_state_that_cannot_be_saved_in_time_keeps_nobody_silent(scene, monkeypatch):
    """What is noted as said is said; the place on the tape is kept by the next."""
    line = scene.hear("s", Event.COMPACTION, data={"trigger": "manual"})
    scene.hear("s", Event.TURN_START, data={"prompt": "find the leak"})
    line = scene.hear("s", Event.COMPACTION, data={"trigger": "manual"})
    engine = hurried(scene, 1.2)
    monkeypatch.setattr(engine.store, "save", stuck)
    assert engine.settle("s", Own(line, "claude", "PreCompact")).steer
    assert len(scene.notes("s", "steered")) == 1
    assert scene.settled("s").pending_steer == ""


def test_a_lock_is_waited_for_as_long_as_there_is_time(scene):
    """Another process holds the session: no word, and no wait beyond the moment."""
    line = scene.hear("s", Event.COMPACTION)
    with scene.store.transaction("s", 0) as held:
        assert held
        assert hurried(scene, 0.1).settle("s", Own(line, "claude", "PreCompact"), wait=FOR_EVER).steer == ""


def test_two_seconds_are_what_is_promised():
    """From when the payload was read; the rest is for Python, which starts before and ends after."""
    assert 1 <= HOOK_SECONDS < 2


@pytest.mark.parametrize(
    ("said", "seconds"), [("", 1.8), ("5", 5), ("0.1", 1.8), ("1e9", 60), ("nan", 1.8), ("soon", 1.8)]
)
def test_a_user_may_give_a_hook_more_time(said, seconds):
    """Never less than it has, and never so much that an agent would wait for minutes."""
    assert seconds_for_hook({"TAPEHEAD_HOOK_SECONDS": said} if said else {}) == seconds
