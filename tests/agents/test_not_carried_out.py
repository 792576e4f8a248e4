"""A prompt `/clear` that the agent did not carry out is no turn."""

from __future__ import annotations

import pytest

import scenes
from tapehead.agents.registry import AGENTS
from tapehead.statemachine.vocabulary import Event, Phase
from world import World


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_it_is_a_note(agent):
    """The agent's own command has no UserPromptSubmit; where one comes, the words went to the model."""
    payload = {"session_id": "one", "hook_event_name": "UserPromptSubmit", "cwd": "/"}
    for prompt in ("/clear", " /clear\n"):
        heard = AGENTS[agent].heard({**payload, "prompt": prompt}, {})
        assert (heard.event, heard.note) == (None, "not_carried_out")
    assert AGENTS[agent].heard({**payload, "prompt": "/clear the cache"}, {}).event is Event.TURN_START


def test_the_session_stands_as_it_did(tmp_path):
    """No turn is counted, no prompt is remembered, and the tape has it."""
    world = World(scenes.repository(tmp_path / "repo"))
    world.session("one")
    before = world.engine.store.load("one")
    world.hook("UserPromptSubmit", "one", prompt="/clear")
    world.hook("Stop", "one", last_assistant_message="there is nothing to clear")
    world.engine.settle("one")
    after = world.engine.store.load("one")
    assert (after.turn_number, after.last_prompt, after.phase) == (before.turn_number, "make it blue", Phase.IDLE)
    assert b"not_carried_out" in b"".join(world.engine.store.lines("one")[0])
    assert world.engine.replayed("one") == after
