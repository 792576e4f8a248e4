"""A store with very many sessions stays quick: closed ones beyond the newest go to the archive."""

import os

import pytest

import scenes
from tapehead.engine import crowding
from tapehead.statemachine.vocabulary import Event
from tapehead.store import batons


@pytest.fixture
def crowd(tmp_path, monkeypatch):
    """Eight sessions, the first the oldest; `open` never ended. Three may stay, five are too many."""
    monkeypatch.setattr(crowding, "KEPT", 3)
    monkeypatch.setattr(crowding, "CROWDED", 5)
    scene = scenes.Scene(tmp_path / "store")
    for number, name in enumerate(["open", "a", "b", "c", "d", "e", "f", "g"]):
        scene.hear(name, Event.SESSION_START)
        scene.hear(name, Event.TURN_START, data={"prompt": "do it"})
        scene.hear(name, Event.TURN_END)
        if name != "open":
            scene.hear(name, Event.SESSION_STOP)
        scene.engine.settle(name)
        os.utime(scene.engine.layout.tape(name), (1000 + number, 1000 + number))
    return scene


def test_closed_ones_beyond_the_newest_are_archived(crowd):
    """An open one stays however old it is, and nothing is deleted."""
    assert crowding.is_crowded(crowd.engine)
    told = []
    assert crowding.make_room(crowd.engine, lambda done, every: told.append((done, every))) == 4
    assert crowd.store.list() == ["e", "f", "g", "open"]
    assert {name for name in os.listdir(crowd.engine.layout.archive) if name.endswith(".tape")} == {
        "a.tape",
        "b.tape",
        "c.tape",
        "d.tape",
    }
    assert told == [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5)]
    assert not crowding.is_crowded(crowd.engine)


def test_one_with_unread_lines_stays(crowd):
    """Whoever settles it needs it where it is."""
    crowd.engine.append("a", {"event": Event.SESSION_START.value})
    os.utime(crowd.engine.layout.tape("a"), (1001, 1001))
    crowding.make_room(crowd.engine)
    assert "a" in crowd.store.list()


def test_one_that_somebody_holds_stays(crowd):
    """It is at work on it."""
    with crowd.store.transaction("b", 0):
        crowding.make_room(crowd.engine)
    assert "b" in crowd.store.list()


def test_one_that_cannot_be_read_stays(crowd):
    """Doctor names it."""
    with open(crowd.engine.layout.state("b"), "w", encoding="utf-8") as file:
        file.write("{")
    crowding.make_room(crowd.engine)
    assert "b" in crowd.store.list()


def test_one_that_waits_for_the_next_start_stays(crowd, monkeypatch):
    """A handoff names it."""
    monkeypatch.setattr(batons, "list_offered", lambda *_: {"c"})
    crowding.make_room(crowd.engine)
    assert crowd.store.list() == ["c", "e", "f", "g", "open"]


def test_an_empty_store_is_not_crowded(tmp_path):
    """Nothing is made by looking."""
    assert not crowding.is_crowded(scenes.Scene(tmp_path / "nothing").engine)


def test_one_whose_tape_is_gone_counts_as_the_oldest(crowd):
    """Its state alone is archived."""
    os.unlink(crowd.engine.layout.tape("g"))
    crowding.make_room(crowd.engine)
    assert "g" not in crowd.store.list()
