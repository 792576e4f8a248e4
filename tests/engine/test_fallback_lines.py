"""Lines that were written elsewhere come home to their place in time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import scenes
from tapehead.engine import fallback_lines
from tapehead.statemachine.vocabulary import Event, Phase
from tapehead.store import tape


def test_lines_from_the_middle_of_a_turn_lead_where_they_would_have_led(tmp_path):
    """The store was full while a turn ended and the next began: the state is as if it never had been, and nothing is done twice."""
    scene, away = scenes.Scene(tmp_path / "store"), scenes.Scene(tmp_path / "away")
    away.clock = scene.clock
    scene.hear("s", Event.TURN_START, data={"prompt": "one"})
    scene.settled("s")
    scene.clock.forward(1)
    away.hear("s", Event.TURN_END)
    away.hear("s", Event.TURN_START, data={"prompt": "two"})
    scene.clock.forward(1)
    scene.hear("s", Event.TURN_END)
    scene.hear("s", Event.SESSION_STOP)
    assert scene.settled("s").turn_number == 1
    captured = len(scene.notes("s", "capture"))
    lines = away.store.lines("s")[0]
    for _ in range(2):
        fallback_lines.bring(scene.engine, "s", lines)
        state = scene.settled("s")
    assert (state.phase, state.turn_number, state.last_prompt) == (Phase.ENDED, 2, "two")
    assert state == scene.engine.replayed("s")
    assert len(scene.notes("s", "capture")) == captured
    events = [line for line in scene.store.lines("s")[0] if b'"event"' in line]
    assert len(events) == 5
    assert events[1:3] == lines


def test_newer_lines_are_appended(tmp_path):
    """Then the tape is not written anew."""
    scene, away = scenes.Scene(tmp_path / "store"), scenes.Scene(tmp_path / "away")
    away.clock = scene.clock
    scene.hear("s", Event.TURN_START)
    before = scene.settled("s")
    away.hear("s", Event.TURN_END)
    fallback_lines.bring(scene.engine, "s", away.store.lines("s")[0])
    assert scene.store.load("s") == before
    assert scene.settled("s").phase is Phase.IDLE


def line(minute):
    return b'{"id":"%d","at":"2027-01-15T09:%02d:00Z","note":"x"}' % (minute, minute)


minutes = st.lists(st.integers(0, 59), max_size=8)


@given(minutes, minutes)
def test_neither_order_changes_and_nothing_is_lost(home, new):
    """Whatever the times are."""
    one, two = [line(each) for each in home], [line(each) + b" " for each in new]
    merged = fallback_lines.in_order(one, two)
    assert [each for each in merged if each in one] == one
    assert [each for each in merged if each in two] == two
    assert len(merged) == len(one) + len(two)


@given(minutes, minutes)
def test_sorted_lines_stay_sorted(home, new):
    """Two tapes in order give one in order."""
    one, two = [line(each) for each in sorted(home)], [line(each) for each in sorted(new)]
    assert fallback_lines.in_order(one, two) == sorted([*one, *two], key=lambda each: each.split(b'"at":')[1])


def test_a_torn_line_stays_behind_its_neighbour():
    """It has no time of its own."""
    assert fallback_lines.in_order([line(1), b"torn", line(5)], [line(3)]) == [line(1), b"torn", line(3), line(5)]


def test_what_another_writes_meanwhile_comes_along(tmp_path, monkeypatch):
    """A hook that had the old file open wrote its line there."""
    scene = scenes.Scene(tmp_path / "store")
    scene.hear("s", Event.TURN_START)
    scene.clock.forward(60)
    scene.hear("s", Event.TURN_END)
    real = fallback_lines.atomic.write

    def write(path, data):
        if path.endswith("s.tape"):
            tape.append_raw(path, line(59))
        real(path, data)

    monkeypatch.setattr(fallback_lines.atomic, "write", write)
    middle = scenes.as_written(Event.COMPACTION, scene.clock.now - 30 * 10**9)
    away = scenes.Scene(tmp_path / "away")
    away.write("s", middle)
    fallback_lines.bring(scene.engine, "s", away.store.lines("s")[0])
    lines = scene.store.lines("s")[0]
    assert [each for each in lines if b"compaction" in each] == lines[1:2]
    assert lines[-1] == line(59)
