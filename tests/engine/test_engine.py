"""settle, with the real store, the real handler and real files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import scenes
from tapehead.actions.handler import ActionHandler, Note
from tapehead.actions.ports import Ports
from tapehead.engine.chores import take_survey
from tapehead.engine.engine import Own, Reply
from tapehead.statemachine.vocabulary import Event, Fact, Phase
from tapehead.store import batons, captures, tape
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
    assert scene.engine.replayed("s", scene.store.lines("s")[1]) == scene.engine.replayed("s")
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
    """Where no settle ever came to its end, the lines are still acted on: the brief of a session that ended is captured."""
    turn(scene)
    scene.hear("s", Event.SESSION_STOP, facts=[Fact.CLEARED])
    assert scene.settled("s").captured_at == scenes.when()
    assert captures.exists(scene.layout, "s")
    assert [batons.look(scene.layout, name)["session"] for name in batons.names(scene.layout, "main")] == ["s"]


def test_an_answer_does_not_hide_what_was_left_undone(scene):
    """A hook that ran out of time has answered its line, and nobody has acted on any: both captures are still made."""
    turn(scene)
    first = scene.hear("s", Event.COMPACTION)
    second = scene.hear("s", Event.COMPACTION)
    scene.engine.note("s", Note("steered", second, {}))
    scene.settled("s")
    assert [note.of for note in scene.notes("s", "capture")] == [first, second]


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


def test_a_restore_is_handed_over_once(scene):
    """The start that owes it says it; the same hook settled again, and the next prompt, say nothing more."""
    turn(scene, prompt="find the leak")
    scene.hear("s", Event.COMPACTION)
    scene.settled("s")
    reply = start(scene, source="compact")
    assert "find the leak" in reply.context
    state = scene.store.load("s")
    assert (state.phase, state.pending_restore, state.compaction_count) == (Phase.RESTORED, "", 1)
    [restored] = scene.notes("s", "restored")
    assert restored.data["characters"] == len(reply.context)
    line_id = scene.hear("s", Event.TURN_START)
    assert scene.engine.settle("s", Own(line_id, "claude", "UserPromptSubmit")) == Reply()


def test_a_restore_waits_for_a_hook_that_carries_it(scene):
    """What a hook that reaches nobody cannot say rides on the next one that can."""
    turn(scene, prompt="find the leak")
    scene.hear("s", Event.COMPACTION)
    scene.settled("s")
    done = scene.hear("s", Event.COMPACTED, data={"summary": "short"})
    assert scene.engine.settle("s", Own(done, "claude", "PostCompact")) == Reply()
    assert scene.store.load("s").pending_restore == done
    prompt = scene.hear("s", Event.TURN_START, data={"prompt": "go on"})
    assert "find the leak" in scene.engine.settle("s", Own(prompt, "claude", "UserPromptSubmit")).context
    assert scene.store.load("s").pending_restore == ""


def test_a_warning_is_said_once(scene):
    """A session left in mid-turn: the user is told by the next start, and by no other."""
    scene.hear("s", Event.TURN_START, data={"prompt": "x"})
    reply = start(scene)
    assert "left in mid-turn" in reply.person
    assert scene.store.load("s").pending_warnings == ()
    line_id = scene.hear("s", Event.TURN_START)
    assert scene.engine.settle("s", Own(line_id, "claude", "UserPromptSubmit")).person == ""


def test_a_steer_is_owed_to_its_own_hook_alone(scene):
    """The word to the summariser is recorded as said by the hook of that compaction; another hook leaves it owed."""
    turn(scene)
    line_id = scene.hear("s", Event.COMPACTION)
    other = scene.hear("s", "news")
    scene.engine.settle("s", Own(other, "claude", "Notification"))
    assert scene.store.load("s").pending_steer == line_id
    scene.engine.settle("s", Own(line_id, "claude", "PreCompact"))
    assert scene.store.load("s").pending_steer == ""
    assert [note.of for note in scene.notes("s", "steered")] == [line_id]


def test_a_steer_goes_with_its_own_compaction(scene):
    """Two compactions stand on the tape: the hook of the first, which comes late, does not take the words of the second."""
    turn(scene)
    first = scene.hear("s", Event.COMPACTION)
    second = scene.hear("s", Event.COMPACTION)
    assert not scene.engine.settle("s", Own(first, "claude", "PreCompact")).steer
    assert scene.engine.settle("s", Own(second, "claude", "PreCompact")).steer


@pytest.mark.parametrize(("said", "steered"), [("0", False), ("1", True), ("perhaps", True)])
def test_the_summariser_is_told_unless_a_setting_says_no(scene, monkeypatch, said, steered):
    """`TAPEHEAD_STEER=0`; a word that means nothing leaves it at the default. Either way the debt is settled."""
    monkeypatch.setenv("TAPEHEAD_STEER", said)
    turn(scene)
    line_id = scene.hear("s", Event.COMPACTION)
    assert bool(scene.engine.settle("s", Own(line_id, "claude", "PreCompact")).steer) is steered
    assert scene.store.load("s").pending_steer == ""


def test_a_restore_that_fails_is_recorded_and_stays_owed(scene, monkeypatch):
    """The agent is told nothing, doctor is told why, and the next event tries again."""
    turn(scene)
    scene.hear("s", Event.COMPACTION)
    scene.settled("s")

    def broken(*_):
        raise ValueError("no words")

    monkeypatch.setattr(scene.engine.briefs, "hand_back", broken)
    assert start(scene, source="compact") == Reply()
    state = scene.store.load("s")
    assert state.failures["restore"].reason == "ValueError: no words"
    assert state.pending_restore
    monkeypatch.undo()
    prompt = scene.hear("s", Event.TURN_START)
    assert scene.engine.settle("s", Own(prompt, "claude", "UserPromptSubmit")).context


def test_a_crash_between_an_action_and_the_save_repeats_nothing(scene, monkeypatch):
    """Killed after the actions and before the save, the next settle arrives at the same state, with one capture and one baton."""
    turn(scene)
    scene.settled("s")
    scene.hear("s", Event.COMPACTION)
    scene.settled("s")
    scene.hear("s", Event.TURN_START)
    scene.hear("s", Event.SESSION_STOP, facts=[Fact.CLEARED])

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(scene.store, "save", killed)
    with pytest.raises(KeyboardInterrupt):
        scene.engine.settle("s")
    monkeypatch.undo()
    acted = len(scene.notes("s"))
    state = scene.settled("s")
    assert len(scene.notes("s")) == acted
    assert state == scene.engine.replayed("s")
    archive = os.path.join(scene.layout.captures("s"), "archive")
    assert len(os.listdir(archive)) == 1
    assert [batons.look(scene.layout, name)["session"] for name in batons.names(scene.layout, "main")] == ["s"]


def test_a_crash_before_the_note_repeats_the_action_to_the_same_end(scene, monkeypatch):
    """Killed after the capture and before its note, the capture is made again, over itself: nothing is archived twice."""
    turn(scene)
    scene.hear("s", Event.COMPACTION)
    scene.settled("s")
    scene.clock.forward(1)
    scene.hear("s", Event.TURN_START)
    scene.hear("s", Event.SESSION_STOP, facts=[Fact.CLEARED])

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(scene.engine, "note", killed)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            scene.engine.settle("s")
    monkeypatch.undo()
    assert scene.settled("s") == scene.engine.replayed("s")
    assert len(os.listdir(os.path.join(scene.layout.captures("s"), "archive"))) == 1


def test_three_failed_captures_block_and_a_person_unblocks(scene):
    """After three in a row a compaction warns and tries no more; `repaired` lets it try again."""
    calls = []

    class Broken:
        def capture(self, state, line):
            calls.append(line.id)
            raise OSError(28, "full")

    scene.engine.handler = ActionHandler(Ports(briefs=Broken()))
    for _ in range(5):
        scene.hear("s", Event.COMPACTION)
        state = scene.settled("s")
    assert len(calls) == 3
    assert state.capture_failures == 3
    assert "3 captures" in state.pending_warnings[0]
    scene.engine.repaired("s")
    scene.hear("s", Event.COMPACTION)
    scene.settled("s")
    assert len(calls) == 4


def test_a_lost_process_is_an_event(scene):
    """Said by us, folded like any other: work in flight is halted and captured."""
    scene.hear("s", Event.TURN_START, data={"prompt": "x"})
    scene.engine.lost("s")
    state = scene.settled("s")
    assert (state.phase, state.agent) == (Phase.HALTED, "claude")
    assert captures.exists(scene.layout, "s")


def test_what_went_wrong_is_left_for_doctor(scene):
    """With its kind and its words, shortened."""
    scene.engine.failed("s", "settle", ValueError("x" * 1000))
    state = scene.settled("s")
    assert len(state.failures["settle"].reason) == 300
    assert state.failures["settle"].reason.startswith("ValueError: xx")


def test_the_survey_is_taken_once(scene, tmp_path):
    """Files that git does not know are recorded after the first start; a later survey changes nothing."""
    repo = scenes.repository(tmp_path / "repo")
    (repo / "mine").write_text("x")
    take_survey(scene.engine, "s")
    assert scene.notes("s") == []
    scene.hear("s", Event.SESSION_START, data={"worktree": str(repo)})
    scene.settled("s")
    take_survey(scene.engine, "s")
    assert scene.settled("s").untracked_files_at_start == ("mine",)
    (repo / "theirs").write_text("x")
    take_survey(scene.engine, "s")
    assert len(scene.notes("s", "survey")) == 1


def test_a_survey_of_an_unknown_place_says_nothing(scene):
    """Where the place is not known yet, nothing is recorded: none at all is not the same as nobody knows."""
    scene.hear("s", Event.TURN_END)
    scene.settled("s")
    take_survey(scene.engine, "s")
    assert scene.notes("s") == []


def test_a_damaged_line_stops_nobody(scene):
    """It is passed over, and the lines after it are folded."""
    scene.hear("s", Event.TURN_START)
    tape.append_raw(scene.layout.tape("s"), b"{damaged")
    tape.append_raw(scene.layout.tape("s"), b"")
    scene.hear("s", Event.TURN_END)
    state = scene.settled("s")
    assert (state.phase, state.turn_number) == (Phase.IDLE, 1)
    assert state == scene.engine.replayed("s")


def test_an_unknown_phase_keeps_its_word_until_the_next_event(scene):
    """Read as idle, named as it was found, cleared when the machine moves."""
    turn(scene)
    scene.settled("s")
    edit(scene, phase="dreaming", schema_version=9)
    assert scene.store.load("s").phase_as_found == "dreaming"
    scene.hear("s", "news")
    assert scene.settled("s").phase_as_found == "dreaming"
    scene.hear("s", Event.TURN_START)
    state = scene.settled("s")
    assert (state.phase, state.phase_as_found, state.schema_version) == (Phase.ACTIVE, "", 9)


def test_a_state_of_an_older_version_is_made_again_from_its_tape(scene):
    """It lacks what that version did not take from the lines; nothing is done a second time, and a replay agrees."""
    scene.hear("s", Event.TURN_START, data={"prompt": "do it", "worktree": "/w", "branch": "export"})
    turn(scene)
    scene.hear("s", Event.SESSION_STOP)
    state = scene.settled("s")
    captured = len(scene.notes("s", "capture"))
    edit(scene, branch="", unanswered=True, schema_version=1)
    old = scene.store.load("s")
    assert (old.branch, scene.store.behind("s", old)) == ("", True)
    assert scene.settled("s") == state
    assert len(scene.notes("s", "capture")) == captured


def test_fields_of_tomorrow_survive_a_settle(scene):
    """What a newer version keeps in the file is there after we folded more lines."""
    turn(scene)
    scene.settled("s")
    edit(scene, of_tomorrow={"deep": [1]})
    turn(scene)
    scene.settled("s")
    with open(scene.layout.state("s"), encoding="utf-8") as file:
        assert json.load(file)["of_tomorrow"] == {"deep": [1]}


def test_lines_of_two_sessions_do_not_mix(scene):
    """Each session has its own tape and its own state."""
    scene.hear("a", Event.TURN_START)
    scene.hear("b", Event.SESSION_START)
    assert (scene.settled("a").phase, scene.settled("b").phase) == (Phase.ACTIVE, Phase.IDLE)
    assert scene.store.list() == ["a", "b"]


def test_a_settled_session_folded_again_is_the_same_world(scene):
    """Every effect done twice: the state forgets its place, the lines and their notes are read once more, nothing is new."""
    turn(scene)
    scene.hear("s", Event.COMPACTION)
    scene.settled("s")
    start(scene, source="compact")
    turn(scene)
    scene.hear("s", Event.SESSION_STOP, facts=[Fact.CLEARED])
    before = scene.settled("s")
    world = snapshot(scene.layout.root)
    scene.store.save(State("s"))
    scene.engine.settle("s")
    assert scene.store.load("s") == before
    assert snapshot(scene.layout.root) == world


def snapshot(root):
    """Every file below a directory with its bytes."""
    return {path: path.read_bytes() for path in Path(root).rglob("*") if path.is_file()}
