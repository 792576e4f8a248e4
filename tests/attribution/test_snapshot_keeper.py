"""Whose is what changes between two turns: the human's, unless a subagent of the session was at work."""

from __future__ import annotations

import pytest

import scenes
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.statemachine.vocabulary import Event


@pytest.fixture
def scene(tmp_path):
    repo = scenes.repository(tmp_path / "repo")
    scene = scenes.Scene(repo / ".git" / "tapehead")
    scene.repo = repo
    scene.hear("one", Event.SESSION_START, data=about(scene))
    scene.hear("one", Event.TURN_START, data={**about(scene), "prompt": "x"})
    scene.settled("one")
    return scene


def about(scene):
    return {"worktree": str(scene.repo)}


def between(scene, **ended):
    """A turn ends, a file appears, the next one begins."""
    scene.hear("one", Event.TURN_END, data=ended)
    scene.settled("one")
    (scene.repo / "new.txt").write_text("line\n")


def owners(scene):
    scene.hear("one", Event.TURN_START, data={**about(scene), "prompt": "y"})
    state = scene.settled("one")
    known = work_tree(scene.layout, state).chain.tip()
    return {owner for runs in known.files.values() for _, _, owner in runs}, state


def stopped(scene, **data):
    scene.hear("one", "subagent_stop", data=data)


def test_what_nobody_else_wrote_is_the_humans(scene):
    """Also while a server runs in the background: that is no agent."""
    between(scene, running=["b1 npm run dev"])
    owned, state = owners(scene)
    assert (owned, state.pending_prompt_attribution.user_lines_added) == (set(), 1)


def test_a_subagent_that_ended_meanwhile(scene):
    """What it wrote is the agent's."""
    between(scene)
    stopped(scene, agent_id="a1", agent_type="general-purpose")
    owned, state = owners(scene)
    assert (owned, state.pending_prompt_attribution.user_lines_added) == ({"one"}, 0)


def test_a_subagent_that_still_runs(scene):
    """The same."""
    between(scene, running=["a1 a task"], subagents=["a1"])
    assert owners(scene)[0] == {"one"}


def test_a_subagent_of_the_turn_before(scene):
    """It ended before the turn did: what came after that is the human's."""
    stopped(scene, agent_id="a1", agent_type="general-purpose")
    between(scene)
    assert owners(scene)[0] == set()


def test_the_summariser_writes_nothing(scene):
    """It has no kind."""
    between(scene)
    stopped(scene, agent_id="a1")
    assert owners(scene)[0] == set()
