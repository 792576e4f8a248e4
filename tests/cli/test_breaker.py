"""The circuit breaker: three failed captures in a row are enough, and what lets them be tried again."""

from __future__ import annotations

import os

import pytest

import scenes
from tapehead.actions.breaker import BLOCKED_AFTER, PROBE, is_blocked
from tapehead.actions.handler import ActionHandler
from tapehead.actions.ports import Ports
from tapehead.engine import chores, worker
from tapehead.engine.engine import Own
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store import captures


class Broken:
    """A port whose captures fail, each for its reason."""

    def __init__(self, *reasons):
        self.reasons = list(reasons)
        self.tried = 0

    def capture(self, state, line):
        self.tried += 1
        raise self.reasons[min(self.tried, len(self.reasons)) - 1]


@pytest.fixture
def scene(tmp_path):
    return scenes.Scene(tmp_path / "store")


def blocked(scene, reason=None):
    """A session whose captures are blocked, and its port."""
    port = Broken(reason or OSError(28, "No space left on device"))
    healthy, scene.engine.handler = scene.engine.handler, ActionHandler(Ports(briefs=port))
    scene.hear("s", Event.TURN_START, data={"prompt": "do it"})
    for _ in range(BLOCKED_AFTER):
        scene.hear("s", Event.COMPACTION)
        state = scene.settled("s")
    assert is_blocked(state)
    return port, healthy


def said(scene, event, hook):
    line_id = scene.hear("s", event, data={"prompt": "x"})
    return scene.engine.settle("s", Own(line_id, "claude", hook)).person


def test_none_is_tried_while_it_is_open(scene):
    """Neither by a compaction nor by a failed turn or a start after a compaction; an end is the last chance, and is taken."""
    port, _ = blocked(scene)
    for event in (Event.COMPACTION, Event.TURN_FAILED):
        scene.hear("s", event)
        scene.settled("s")
    scene.hear("s", Event.SESSION_START, facts=[Fact.AFTER_COMPACTION], data={"source": "compact"})
    scene.settled("s")
    assert port.tried == BLOCKED_AFTER
    scene.hear("s", Event.SESSION_STOP)
    scene.settled("s")
    assert port.tried == BLOCKED_AFTER + 1


def test_the_person_is_told_once(scene):
    """At the next event that reaches them, with the reason and what to do; not again at later compactions."""
    blocked(scene)
    scene.hear("s", Event.COMPACTION)
    first = said(scene, Event.TURN_START, "UserPromptSubmit")
    assert "3 captures" in first
    assert "No space left" in first
    assert "doctor --fix" in first
    scene.hear("s", Event.COMPACTION)
    assert said(scene, Event.TURN_START, "UserPromptSubmit") == ""
    assert scene.settled("s") == scene.engine.replayed("s")


def test_once_the_reason_is_gone_they_are_tried_again(scene):
    """A disk that was full takes a file again: the worker notices, and the next boundary is captured. A new row of failures is told anew."""
    _, healthy = blocked(scene)
    scene.hear("s", Event.COMPACTION)
    said(scene, Event.TURN_START, "UserPromptSubmit")
    scene.engine.handler = healthy
    worker.work(scene.engine, "s")
    state = scene.store.load("s")
    assert (state.capture_failures, state.blocked_told) == (0, False)
    scene.hear("s", Event.COMPACTION)
    assert scene.settled("s").captured_at
    assert captures.exists(scene.layout, "s")
    assert PROBE not in os.listdir(scene.layout.captures("s"))
    blocked(scene)
    scene.hear("s", Event.COMPACTION)
    assert "3 captures" in said(scene, Event.TURN_START, "UserPromptSubmit")


def test_while_it_is_not_gone_nothing_changes(scene):
    """A directory that cannot be written stays a reason; a fault of our own is nothing that waiting cures."""
    blocked(scene)
    os.makedirs(os.path.dirname(scene.layout.captures("s")), exist_ok=True)
    with open(scene.layout.captures("s"), "w", encoding="utf-8"):
        pass  # a file where the directory should be
    assert not chores.unblock(scene.engine, "s")
    os.unlink(scene.layout.captures("s"))
    assert chores.unblock(scene.engine, "s")


def test_a_fault_of_our_own_waits_for_a_person(scene):
    """Whatever the disk says."""
    blocked(scene, KeyError("section"))
    assert not chores.unblock(scene.engine, "s")
    assert is_blocked(scene.settled("s"))


def test_one_that_succeeds_by_hand_closes_it(scene):
    """The capture is made at once, and the count begins anew; one that fails by hand says why and counts."""
    blocked(scene, KeyError("section"))
    assert chores.capture(scene.engine, "s") == ""
    state = scene.store.load("s")
    assert (state.capture_failures, bool(state.captured_at)) == (0, True)
    assert state == scene.engine.replayed("s")
    scene.engine.captures.capture = Broken(OSError(28, "full")).capture
    assert "full" in chores.capture(scene.engine, "s")
    assert scene.store.load("s").capture_failures == 1
    assert chores.capture(scene.engine, "nobody") == "nothing is known of it"
