"""A line for each turn of a day, over all sessions, where it is asked for."""

from __future__ import annotations

from datetime import UTC, datetime

import scenes
from tapehead.documents import daily_log, hand_edited
from tapehead.engine.chores import keep_daily_log
from tapehead.settings.loading import Settings
from tapehead.store.paths import Layout
from world import World

AT = datetime(2026, 11, 18, 9, 30, tzinfo=UTC)


def test_a_turn_has_one_line(tmp_path):
    """Told again, it adds nothing; a long prompt is cut."""
    layout = Layout(str(tmp_path / "tapehead"))
    assert daily_log.note(layout, AT, "one", 1, "make\nit blue")
    assert not daily_log.note(layout, AT, "one", 1, "make it blue")
    assert daily_log.note(layout, AT, "one", 11, "x" * 500)
    lines = hand_edited.text_of(daily_log.path(layout, AT)).splitlines()
    assert lines[0] == f"# {AT.astimezone():%Y-%m-%d}"
    assert lines[2] == f"- {AT.astimezone():%H:%M} one turn 1: make it blue"
    assert lines[3].endswith("x…")
    assert len(lines) == 4


def test_only_where_it_is_asked_for(tmp_path):
    """By the setting log.daily, and when the turn is over."""
    world = World(scenes.repository(tmp_path / "repo"))
    world.session("one")
    at = world.engine.store.load("one").last_interaction_at
    keep_daily_log(world.engine, "one")
    assert hand_edited.text_of(daily_log.path(world.layout, at)) == ""
    world.engine.settings = Settings({"log.daily": (True, "")})
    keep_daily_log(world.engine, "one")
    assert " one turn 1: make it blue" in hand_edited.text_of(daily_log.path(world.layout, at))
