"""Who sent a payload: several agents read Claude Code's settings, and agents run other agents in their shells."""

import pytest

from tapehead.agents.claude import hooks as claude
from tapehead.agents.hook_event import NAMES, NotOurs, sender
from tapehead.agents.registry import AGENTS, HOSTS

START = {"session_id": "s", "hook_event_name": "SessionStart", "cwd": "/home/me/project"}
COPILOTS = {**START, "timestamp": "2026-11-16T06:49:54.925Z", "source": "new", "initial_prompt": "go"}
CURSORS = {**START, "conversation_id": "s", "cursor_version": "1"}


@pytest.mark.parametrize(
    ("sent", "env", "who"),
    [
        (COPILOTS, {"COPILOT_CLI": "1"}, "copilot"),
        (COPILOTS, {}, "copilot"),
        ({"sessionId": "s", "timestamp": 1, "cwd": "/home/me/project"}, {}, "copilot"),
        ({**START, "transcript_path": "/home/x/.copilot/session-state/s/events.jsonl"}, {}, "copilot"),
        (CURSORS, {"CLAUDE_PROJECT_DIR": "/home/me/project"}, "cursor"),
        ({**START, "agent": "opencode"}, {}, "opencode"),
        ({**START, "hook_event_name": "agentSpawn"}, {}, "kiro"),
        ({**START, "permission_mode": "auto-low"}, {}, "droid"),
        ({**START, "transcript_path": "/home/me/.qwen/projects/p/chats/s.jsonl"}, {}, "qwen"),
        (START, {"QWEN_CODE_SESSION_ID": START["session_id"]}, "qwen"),
        (START, {"FACTORY_PROJECT_DIR": "/home/me/project"}, "droid"),
    ],
)
def test_another_agent_that_runs_claude_codes_hook(sent, env, who):
    """It is left alone, and the reason says who it was: its own hook tells the same, once."""
    with pytest.raises(NotOurs, match=f"sent by {NAMES[who]}, not by Claude Code"):
        claude.heard(sent, env)


@pytest.mark.parametrize(
    ("env", "host", "more"),
    [
        ({"COPILOT_CLI": "1", "CLAUDE_CODE_SESSION_ID": "s"}, "claude", {}),
        ({"COPILOT_CLI": "1", "GEMINI_SESSION_ID": "s"}, "gemini", {"timestamp": "t"}),
        ({"COPILOT_CLI": "1"}, "droid", {"permission_mode": "off"}),
        ({"COPILOT_CLI": "1"}, "codex", {"turn_id": "t"}),
        ({"COPILOT_CLI": "1"}, "opencode", {"agent": "opencode"}),
        ({"CLAUDE_CODE_SESSION_ID": "another"}, "copilot", {"timestamp": "t"}),
        ({"GEMINI_SESSION_ID": "another", "COPILOT_CLI": "1"}, "copilot", {"timestamp": "t"}),
        ({"OPENCODE": "1", "CLAUDE_CODE_SESSION_ID": "s"}, "claude", {}),
    ],
)
def test_an_agent_in_another_ones_shell(env, host, more):
    """What it says of itself goes before the environment that it was handed."""
    found = AGENTS[host].heard({**START, **more}, env)
    assert (found.host, found.session_id) == (host, "s")


def test_everybody_has_a_name():
    """For doctor and for successors."""
    assert set(HOSTS) == NAMES.keys()
    assert sender({}, {}) == ""
