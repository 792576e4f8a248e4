"""settle, with the real store, the real handler and real files."""

from __future__ import annotations

import json
import os

import attrs
import pytest
import scenes

from tapehead.actions.handler import ActionHandler
from tapehead.actions.ports import Ports
from tapehead.cli.engine import Engine, Own, Reply
from tapehead.statemachine.vocabulary import Event, Fact, Phase
from tapehead.store import batons, captures, tape
from tapehead.store.line import readable
from tapehead.store.state import State


@pytest.fixture
def scene(tmp_path):
    return scenes.Scene(tmp_path / "store")


def start(scene, session="s", **data):
    """A start through its own hook; returns what it is told."""
    facts = [Fact.HAS_STORY] if captures.exists(scene.layout, session) or "predecessor" in data else []
    if data.get("source") == "compact":
        facts.append(Fact.AFTER_COMPACTION)
    line_id = scene.hear(session, Event.SESSION_START, facts=facts, data={"source": "startup", **data})
    return scene.engine.settle(session, Own(line_id, "claude", "SessionStart"))


def turn(scene, session="s", prompt="do it"):
    scene.hear(session, Event.TURN_START, data={"prompt": prompt})
    scene.hear(session, Event.TURN_END, data={"reply": "done"})


def edit(scene, session="s", **changes):
    """Garbles a saved state."""
    path = scene.layout.state(session)
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**document, **changes}, file)


def test_nothing_to_read_writes_nothing(scene):
    """A session without a tape has no state, and a settle makes none."""
    assert scene.engine.settle("s") == Reply()
    assert scene.store.load("s") is None


def test_a_settle_reads_to_the_end(scene):
    """After it, the state stands where the tape ends, and says what a replay says."""
    turn(scene)
    state = scene.settled("s")
    assert (state.phase, state.turn_number, state.last_prompt) == (Phase.IDLE, 1, "do it")
    assert state.tape_offset == os.stat(scene.layout.tape("s")).st_size
    assert state == scene.engine.replayed("s")


def test_a_settle_without_news_saves_nothing(scene):
    """Where nothing changed, the file is not written again."""
    turn(scene)
    scene.settled("s")
    before = os.stat(scene.layout.state("s")).st_ino
    scene.engine.settle("s")
    assert os.stat(scene.layout.state("s")).st_ino == before


def test_a_settle_that_finds_the_lock_taken_leaves(scene):
    """Whoever holds the session reads our line too: there is nothing to say, and nothing is lost."""
    scene.hear("s", Event.TURN_START)
    with scene.store.transaction("s", 0):
        assert scene.engine.settle("s", wait=0) == Reply()
    assert scene.store.load("s") is None
    assert scene.settled("s").phase is Phase.ACTIVE


def test_a_replay_stops_where_it_is_told(scene):
    """Read up to a byte, the replay is the state of that moment."""
    scene.hear("s", Event.TURN_START)
    first = scene.settled("s")
    scene.hear("s", Event.TURN_END)
    assert scene.engine.replayed("s", first.tape_offset) == first
    assert scene.engine.replayed("s").phase is Phase.IDLE


def test_an_unreadable_state_is_set_aside_and_rebuilt(scene):
    """A garbled file is kept with its reason, and the tape gives the same state again."""
    turn(scene)
    before = scene.settled("s")
    with open(scene.layout.state("s"), "w", encoding="utf-8") as file:
        file.write("{garbled")
    assert scene.settled("s") == before
    kept = sorted(os.listdir(scene.layout.aside))
    assert [name.endswith(end) for name, end in zip(kept, (".json", ".json.reason"), strict=True)] == [True, True]


@pytest.mark.parametrize("offset", [3, 10_000, -2])
def test_a_place_that_no_line_ends_at_is_not_believed(scene, offset):
    """A state that stands within a line, or beyond the tape, would never read another line: it is set aside and rebuilt."""
    turn(scene)
    before = scene.settled("s")
    edit(scene, tape_offset=offset)
    assert scene.settled("s") == before
    assert len(os.listdir(scene.layout.aside)) == 2


def test_a_lost_state_comes_back_from_the_tape(scene):
    """Without the file the tape knows it all, and nothing that was done is done again."""
    turn(scene)
    scene.hear("s", Event.SESSION_STOP, facts=[Fact.CLEARED])
    before = scene.settled("s")
    size = os.stat(scene.layout.tape("s")).st_size
    os.unlink(scene.layout.state("s"))
    assert scene.settled("s") == before
    assert os.stat(scene.layout.tape("s")).st_size == size


def test_work_that_nobody_did_is_done_without_a_state(scene):
    """Where no settle ever came to its end, the lines are still acted on: the story of a session that ended is captured."""
    turn(scene)
    scene.hear("s", Event.SESSION_STOP, facts=[Fact.CLEARED])
    assert scene.settled("s").captured_at == scenes.when()
    assert captures.exists(scene.layout, "s")
    assert batons.look(scene.layout, "main")["session"] == "s"


def test_a_lost_state_does_not_hide_what_was_left_undone(scene):
    """Lines after the last one that was acted on are acted on, those before it are not acted on again."""
    turn(scene)
    compaction = scene.hear("s", Event.COMPACTION)
    scene.settled("s")
    os.unlink(scene.layout.state("s"))
    scene.hear("s", Event.COMPACTED, data={"summary": "short"})
    stop = scene.hear("s", Event.SESSION_STOP)
    scene.settled("s")
    assert captures.summary(scene.layout, "s", 1) == "short"
    assert [note.of for note in scene.notes("s", "capture")] == [compaction, stop]
