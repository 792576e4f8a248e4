"""Prompts that the agent's own record has and the tape has not."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

import scenes
from tapehead.brief.unrecorded_prompts import gap
from tapehead.engine.engine import Own
from tapehead.statemachine.vocabulary import Event
from tapehead.transcript.turns import AGENT, HUMAN, Said, Turn

NOW = scenes.when()


def turn(minutes, words="do it", *, steps=(), **more):
    began = (NOW + timedelta(minutes=minutes)).isoformat()
    return Turn(1, (Said(HUMAN, words), *steps, Said(AGENT, "done")), began=began, ended=began, **more)


HEARD = [(NOW, "do it")]


@pytest.mark.parametrize(
    ("turns", "heard"),
    [
        ([], HEARD),
        ([turn(1, "other words")], HEARD),
        ([turn(50)], HEARD),
        ([turn(-50)], []),
        ([turn(50, "x", subagent="a")], HEARD),
        ([turn(50, "x", goes_on=True)], HEARD),
        ([turn(50, "x")._replace(steps=(Said(HUMAN, "x"),))], HEARD),
        ([turn(50, "x")._replace(steps=(Said(HUMAN, "x", queued=True), Said(AGENT, "y")))], HEARD),
        ([turn(50, "x")._replace(began="then")], HEARD),
        ([turn(50, "x")._replace(began="2027-01-15T10:00:00")], HEARD),
    ],
)
def test_what_is_no_gap(turns, heard):
    """Told of at about that time or in those words, older than the session, a subagent's, unanswered, or without a time."""
    assert gap(turns, heard, NOW - timedelta(minutes=1)) == {}


def test_a_gap():
    """From the first prompt that no hook told of to the end of the last, and how many."""
    found = gap(
        [turn(0), turn(20, "two"), turn(30, "three"), turn(60, "four")],
        [*HEARD, (NOW + timedelta(minutes=60), "four")],
        NOW,
    )
    times = [(NOW + timedelta(minutes=each)).isoformat() for each in (20, 30)]
    assert found == {"from": times[0], "to": times[1], "prompts": 2}


def test_a_short_gap():
    """Prompts that were lost within a minute of others are told too: one that was heard stands for one turn, and for none that came after its own."""
    heard = [*HEARD, (NOW + timedelta(minutes=1.5), "four")]
    turns = [turn(0.5, "two"), turn(1, "three"), turn(1.5, "four")]
    assert gap([turn(0), *turns], heard, NOW - timedelta(minutes=1))["prompts"] == 2
    assert gap(turns, heard, NOW, answered=1)["prompts"] == 2
    assert gap([turn(0.5, "/two"), turns[-1]], heard, NOW) == {}, "the first prompt in other words"


def test_after_a_loss_a_story_is_owed(tmp_path):
    """Store and fallback were full for two prompts: the next reading finds them, doctor can tell, and the next prompt brings the brief."""
    scene = scenes.Scene(tmp_path / "store")
    path = tmp_path / "t.jsonl"
    scene.hear("s", Event.SESSION_START, data={"predecessor": "p", "rule": 6, "transcript_path": str(path)})
    rows = [row for minutes, words in ((10, "mend the door"), (20, "paint it")) for row in exchange(minutes, words)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    scene.clock.forward(3600)
    scene.hear("s", Event.TURN_START, data={"prompt": "and now?"})
    scene.hear("s", Event.TURN_END)
    state = scene.settled("s")
    assert state.unrecorded["prompts"] == 2
    assert state == scene.engine.replayed("s")
    line = scene.hear("s", Event.TURN_START, data={"prompt": "go on"})
    assert "mend the door" in scene.engine.settle("s", Own(line, "claude", "UserPromptSubmit")).context
    scene.engine.repaired("s")
    assert scene.settled("s").unrecorded == {}


def exchange(minutes, words):
    time = (NOW + timedelta(minutes=minutes)).isoformat()
    common = {"timestamp": time, "sessionId": "s", "cwd": "/w"}
    answer = {"role": "assistant", "id": f"m{minutes}", "content": [{"type": "text", "text": "done"}]}
    yield {"type": "user", "uuid": f"u{minutes}", "message": {"role": "user", "content": words}, **common}
    yield {"type": "assistant", "uuid": f"a{minutes}", "message": answer, **common}
