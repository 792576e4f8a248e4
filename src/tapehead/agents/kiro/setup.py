"""Kiro, for install and doctor: a file of our own among the hooks. From documents alone; not run with the real client."""

from __future__ import annotations

import json
import os.path
from typing import TYPE_CHECKING

from tapehead.agents import hook_command
from tapehead.agents.own_file import OwnFile

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "Kiro"
PROGRAM = "kiro-cli"
SCOPES: tuple[str, ...] = ("user", "project")
COMPATIBILITY = None  # an event that the client does not know is passed over
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "PostCompact")
_SECONDS = 10


def _text_of(command: str) -> str:
    action = {"type": "command", "command": command}
    hooks = [
        {"name": f"tapehead-{event}", "trigger": event, "action": action, "timeout": _SECONDS, "enabled": True}
        for event in EVENTS
    ]
    return json.dumps({"version": "v1", "hooks": hooks}, indent=2) + "\n"


def _command_in(text: str) -> str:
    try:
        return str(json.loads(text)["hooks"][0]["action"]["command"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""


ENTRIES = OwnFile("kiro", EVENTS, _text_of, _command_in)


def own_directory(home: str, env: Mapping[str, str]) -> str:  # noqa: ARG001 - one shape for all agents
    """Give the directory that is there where the agent is."""
    return os.path.join(home, ".kiro")


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:
    """Give the path of our own hooks."""
    own = own_directory(home, env) if scope == "user" else os.path.join(project, ".kiro")
    return os.path.join(own, "hooks", "tapehead.json")


def command_for(scope: str, executable: str, script: str) -> str:
    """Give the command line that the hooks of a scope run."""
    return (
        hook_command.make_shared_command("kiro")
        if scope == "project"
        else hook_command.make_guarded_command(script, executable, "kiro")
    )


def to_do(path: str) -> str:  # noqa: ARG001 - as above
    """Tell what to expect."""
    return (
        "Kiro's documents name only a project's own hooks (version 3): where these do not run, "
        "`tapehead install --agent kiro --scope project`; tapehead was not run with it yet"
    )


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Nothing is known that would keep them from running."""
    return []
