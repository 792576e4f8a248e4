"""Copilot CLI, for install and doctor: a file of our own among the user's hooks."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from tapehead.agents import hook_command, settings_file
from tapehead.agents.hook_entries import HookEntries, switch
from tapehead.agents.json_text import JsonTextError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "Copilot"
PROGRAM = "copilot"
SCOPES: tuple[str, ...] = ("user",)
COMPATIBILITY = None  # an event that the client does not know is passed over
EVENTS = ("UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
_SECONDS = 10


def _group_of(event: str, command: str) -> dict[str, Any]:  # noqa: ARG001 - one shape for all agents
    return {"hooks": [{"type": "command", "command": command, "timeoutSec": _SECONDS}]}


ENTRIES = HookEntries("copilot", EVENTS, _group_of)


def own_directory(home: str, env: Mapping[str, str]) -> str:
    """Give the directory that is there where the agent is."""
    return env.get("COPILOT_HOME") or os.path.join(home, ".copilot")


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:  # noqa: ARG001 - as above
    """Give the path of our own hooks: the agent reads every file beside it."""
    return os.path.join(own_directory(home, env), "hooks", "tapehead.json")


def command_for(scope: str, executable: str, script: str) -> str:  # noqa: ARG001 - as above
    """Give the command line that the hooks run."""
    return hook_command.make_guarded_command(script, executable, "copilot")


def to_do(path: str) -> str:  # noqa: ARG001 - as above
    """Nothing: the user's own hooks just run."""
    return ""


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Tell what keeps hooks that stand in the file from running."""
    settings = os.path.join(own_directory(home, env), "settings.json")
    try:
        off = switch(settings_file.read(settings) or "", "disableAllHooks") == "true"
    except (OSError, JsonTextError, settings_file.SettingsFileError):
        return []
    return [(f"{settings} says disableAllHooks, so no hook runs", "take it out")] if off else []
