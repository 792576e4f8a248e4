"""Qwen Code, for install and doctor: `settings.json` in its home."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from tapehead.agents import hook_command
from tapehead.agents.hook_entries import HookEntries, switch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "Qwen Code"
PROGRAM = "qwen"
SCOPES: tuple[str, ...] = ("user",)
COMPATIBILITY = None  # an event that the client does not know is passed over
EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
    "StopFailure",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
    "PermissionRequest",
    "Notification",
)
_SECONDS = 10
_MATCHERS = {"Notification": "idle_prompt"}
"""A notice of every login means nothing, and an approval has a hook of its own."""


def _group_of(event: str, command: str) -> dict[str, Any]:
    handler = {"name": "tapehead", "type": "command", "command": command, "timeout": _SECONDS}
    return {**({"matcher": _MATCHERS[event]} if event in _MATCHERS else {}), "hooks": [handler]}


ENTRIES = HookEntries("qwen", EVENTS, _group_of)


def own_directory(home: str, env: Mapping[str, str]) -> str:
    """Give the directory that is there where the agent is."""
    named = env.get("QWEN_HOME", "")
    return os.path.join(home, named[1:].lstrip("/")) if named.startswith("~") else named or os.path.join(home, ".qwen")


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:  # noqa: ARG001 - one shape for all agents
    """Give the path of the user's settings."""
    return os.path.join(own_directory(home, env), "settings.json")


def command_for(scope: str, executable: str, script: str) -> str:  # noqa: ARG001 - as above
    """Give the command line that the hooks run."""
    return hook_command.make_guarded_command(script, executable, "qwen")


def to_do(path: str) -> str:  # noqa: ARG001 - as above
    """Tell what the user has to do: nothing, they just run."""
    return ""


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Tell what keeps hooks that stand in the file from running."""
    if switch(text, "disableAllHooks") == "true":
        return [("disableAllHooks is set, so no hook runs", "remove it from the file")]
    return []
