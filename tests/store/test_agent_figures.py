"""What an agent said of a session, beside its state."""

from __future__ import annotations

import os
import stat

import pytest

from tapehead.store import agent_figures
from tapehead.store.paths import Layout
from tapehead.store.sessions import StateStore

SAID = {"model": "m", "window": 200_000, "used": 50_000, "cost": 1.5}
NOW = 1_800_000_000.0


@pytest.fixture
def layout(tmp_path):
    os.mkdir(tmp_path / "sessions")
    return Layout(str(tmp_path))


def test_what_was_said_is_kept_with_its_time(layout):
    """For its owner alone, and whole."""
    assert agent_figures.look(layout, "s") == {}
    assert agent_figures.keep(layout, "s", SAID, NOW)
    assert agent_figures.look(layout, "s") == {**SAID, "at": int(NOW)}
    assert stat.S_IMODE(os.stat(layout.seen("s")).st_mode) == 0o600
    assert os.listdir(layout.sessions) == ["s.seen"]


@pytest.mark.parametrize(
    ("change", "seconds", "written"),
    [
        ({}, 1000, False),
        ({"used": 51_000}, 1, False),
        ({"used": 51_000}, 3, True),
        ({"used": 52_001}, 0, True),
        ({"used": None}, 0, True),
        ({"cost": 1.6}, 2, False),
        ({"cost": 1.6}, 4, True),
        ({"model": "n"}, 0, True),
        ({"window": 1_000_000}, 0, True),
        ({"cost": 1.6}, -100, True),
    ],
)
def test_only_news_is_written(layout, change, seconds, written):
    """Small changes a few seconds apart, large ones and another model at once, and what is the same never."""
    agent_figures.keep(layout, "s", SAID, NOW)
    assert agent_figures.keep(layout, "s", {**SAID, **change}, NOW + seconds) is written
    assert agent_figures.look(layout, "s")["at"] == int(NOW + seconds if written else NOW)


@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b"\xff", b"[" * 100_000])
def test_a_damaged_file_says_nothing_and_is_replaced(layout, raw):
    """Nothing depends on it."""
    with open(layout.seen("s"), "wb") as file:
        file.write(raw)
    assert agent_figures.look(layout, "s") == {}
    assert agent_figures.keep(layout, "s", SAID, NOW)


@pytest.mark.parametrize(("value", "whole"), [(5, 5), (-1, None), (True, None), ("5", None), (5.0, None), (None, None)])
def test_numbers_are_numbers(value, whole):
    """What is no whole number is not known."""
    assert agent_figures.number({"window": value}, "window") == whole


@pytest.mark.parametrize(("value", "dollars"), [(5, 5.0), (0.5, 0.5), (-1, None), (True, None), ("5", None)])
def test_a_cost_is_a_cost(value, dollars):
    """What is no amount is not known."""
    assert agent_figures.cost({"cost": value}) == dollars


def test_where_it_cannot_be_written_nothing_happens(layout):
    """A status line must not fail for it, and leaves no scratch behind."""
    os.mkdir(layout.seen("s"))
    assert not agent_figures.keep(layout, "s", SAID, NOW)
    assert os.listdir(layout.sessions) == ["s.seen"]
    os.rmdir(layout.seen("s"))
    os.rmdir(layout.sessions)
    assert not agent_figures.keep(layout, "s", SAID, NOW)


def test_it_goes_where_its_session_goes(layout):
    """Into the archive, out again, and away; it is no session of its own."""
    store = StateStore(layout)
    store.append("s", {"id": "1"})
    agent_figures.keep(layout, "s", SAID, NOW)
    assert store.list() == ["s"]
    store.archive("s")
    assert sorted(os.listdir(layout.archive)) == ["s.seen", "s.tape"]
    assert os.listdir(layout.sessions) == []
    assert store.unarchive("s")
    assert agent_figures.look(layout, "s")["model"] == "m"
    store.clear("s")
    assert os.listdir(layout.sessions) == []
