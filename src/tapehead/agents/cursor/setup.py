"""Cursor, for install and doctor: `hooks.json` in its home. From documents alone; not run with the real client."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from tapehead.agents import hook_command
from tapehead.agents.hook_entries import HookEntries

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "Cursor"
PROGRAM = "cursor-agent"
SCOPES: tuple[str, ...] = ("user",)
COMPATIBILITY = None  # an event that the client does not know is passed over
EVENTS = ("sessionStart", "beforeSubmitPrompt", "stop", "preCompact", "sessionEnd")
_SECONDS = 10


def _handler_of(event: str, command: str) -> dict[str, Any]:  # noqa: ARG001 - one shape for all agents
    return {"command": command, "timeout": _SECONDS}


ENTRIES = HookEntries("cursor", EVENTS, _handler_of, flat=True, fresh='{\n  "version": 1\n}\n')


def own_directory(home: str, env: Mapping[str, str]) -> str:  # noqa: ARG001 - as above
    """Give the directory that is there where the agent is."""
    return os.path.join(home, ".cursor")


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:  # noqa: ARG001 - as above
    """Give the path of the user's hooks."""
    return os.path.join(own_directory(home, env), "hooks.json")


def command_for(scope: str, executable: str, script: str) -> str:  # noqa: ARG001 - as above
    """Give the command line that the hooks run."""
    return hook_command.make_guarded_command(script, executable, "cursor")


def to_do(path: str) -> str:  # noqa: ARG001 - as above
    """Tell what to expect."""
    return "Cursor takes words from hooks only where a conversation begins, and tapehead was not run with it yet"


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Nothing is known that would keep them from running."""
    return []
