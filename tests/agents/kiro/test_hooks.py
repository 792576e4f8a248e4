"""Kiro's hooks, as documented."""

import pytest

from tapehead.agents.hook_event import NotOurs
from tapehead.agents.kiro import hooks, setup
from tapehead.statemachine.vocabulary import Event
from tapehead.system import processes as process


def test_without_a_session_the_process_is_it(monkeypatch):
    """The same in one process, another in another; where nobody can tell, nothing is heard."""
    hosts = iter(
        [process.Process(7, "kiro-cli", 1, "Mon 1 2:03", ""), process.Process(7, "kiro-cli", 1, "99", ""), None]
    )
    monkeypatch.setattr(process, "host_above", lambda _pid: next(hosts))
    sent = {"hook_event_name": "agentSpawn", "cwd": "/home/me/project"}
    assert [hooks.heard(sent, {}).session_id for _ in range(2)] == ["kiro-7-Mon1203", "kiro-7-99"]
    with pytest.raises(NotOurs, match="no session id"):
        hooks.heard(sent, {})


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("agentSpawn", Event.SESSION_START), ("SessionStart", Event.SESSION_START),
        ("userPromptSubmit", Event.TURN_START), ("UserPromptSubmit", Event.TURN_START),
        ("stop", Event.TURN_END), ("Stop", Event.TURN_END),
        ("PreCompact", Event.COMPACTION), ("PostCompact", Event.COMPACTED),
    ],
)  # fmt: skip
def test_the_names_of_both_versions(name, event):
    """Version 2 calls them otherwise."""
    found = hooks.heard({"hook_event_name": name, "session_id": "s", "summary": "short"}, {})
    assert found.event is event
    assert found.data.get("summary") == ("short" if event is Event.COMPACTED else None)


def test_a_projects_hooks_are_for_everybody():
    """They run where tapehead is, and say nothing where it is not."""
    path = setup.settings_path("project", home="/home/someone", env={}, project="/home/me/project")
    assert path == "/home/me/project/.kiro/hooks/tapehead.json"
    command = setup.command_for("project", "/opt/tapehead", "/x/hook.sh")
    assert "/opt" not in command
    assert setup.ENTRIES.is_ours(command)
    assert setup.ENTRIES.hooks_of_ours(setup.ENTRIES.with_hooks(None, command))[0].command == command
