"""Factory Droid, for install and doctor: `hooks.json` in its home. From the vendor's documents; not run with the real client."""

from __future__ import annotations

import os.path
import shlex

from tapehead.agents.hook_entries import HookEntries

TYPE_CHECKING = False  # typing is not loaded at run time
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "Droid"
PROGRAM = "droid"
SCOPES: tuple[str, ...] = ("user",)
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
_SECONDS = 10


def _group_of(event: str, command: str) -> dict[str, Any]:  # noqa: ARG001 - one shape for all agents
    return {"hooks": [{"type": "command", "command": command, "timeout": _SECONDS}]}


ENTRIES = HookEntries("droid", EVENTS, _group_of)


def own_directory(home: str, env: Mapping[str, str]) -> str:  # noqa: ARG001 - as above
    """Give the directory that is there where the agent is."""
    return os.path.join(home, ".factory")


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:  # noqa: ARG001 - as above
    """Give the path of the user's hooks."""
    return os.path.join(home, ".factory", "hooks.json")


def command_for(scope: str, executable: str) -> str:  # noqa: ARG001 - as above
    """Give the command line that the hooks run."""
    return f"{shlex.quote(executable)} hook droid"


def to_do(path: str) -> str:  # noqa: ARG001 - as above
    """Tell what the person has to look at."""
    return "Droid takes hooks over when it starts, and changed ones after a look at `/hooks`; tapehead was not run with it yet"


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Nothing is known that would keep them from running."""
    return []
