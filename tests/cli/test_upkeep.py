"""What commands notice before they show anything."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

import scenes
from tapehead.cli.upkeep import attend
from tapehead.statemachine.vocabulary import Event, Phase


@pytest.mark.parametrize(("in_turn", "phase"), [(False, Phase.IDLE), (True, Phase.ACTIVE)])
def test_an_interrupted_compaction_is_seen_in_the_record(tmp_path, in_turn, phase):
    """No hook tells of Escape: the next look finds that the conversation went on, and says so on the tape, once."""
    scene = scenes.Scene(tmp_path / "store")
    path = tmp_path / "t.jsonl"
    path.write_text("", encoding="utf-8")
    scene.hear("s", Event.TURN_START, data={"prompt": "do it", "transcript_path": str(path)})
    if not in_turn:
        scene.hear("s", Event.TURN_END)
    scene.hear("s", Event.COMPACTION)
    assert attend(scene.engine)["s"].phase is Phase.COMPACTING
    time = (scene.store.load("s").last_interaction_at + timedelta(seconds=3)).isoformat()
    path.write_text(json.dumps({"type": "user", "timestamp": time}) + "\n", encoding="utf-8")
    state = attend(scene.engine)["s"]
    assert (state.phase, state.pending_steer) == (phase, "")
    assert attend(scene.engine)["s"] == state
    assert b"".join(scene.store.lines("s")[0]).count(b'"event":"compaction_failed"') == 1
