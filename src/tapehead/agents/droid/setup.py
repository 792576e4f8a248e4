"""Factory Droid, for install and doctor: `settings.json` in its home, or `hooks.json` beside it.

Found by running it: where there is a `hooks.json`, the hooks in `settings.json` do not run; and in `hooks.json` the events stand in the file
itself: with `hooks` around them, as the documents have it, none runs.
"""

from __future__ import annotations

import json
import os.path
from typing import TYPE_CHECKING

from tapehead.agents import hook_command, settings_file
from tapehead.agents.hook_entries import HookEntries, switch
from tapehead.agents.json_text import JsonTextError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "Droid"
PROGRAM = "droid"
SCOPES: tuple[str, ...] = ("user",)
COMPATIBILITY = None  # an event that the client does not know is passed over
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
_SECONDS = 10


def _group_of(event: str, command: str) -> dict[str, Any]:  # noqa: ARG001 - one shape for all agents
    return {"hooks": [{"type": "command", "command": command, "timeout": _SECONDS}]}


ENTRIES = HookEntries("droid", EVENTS, _group_of, bare=True)


def own_directory(home: str, env: Mapping[str, str]) -> str:  # noqa: ARG001 - as above
    """Give the directory that is there where the agent is."""
    return os.path.join(home, ".factory")


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:  # noqa: ARG001 - as above
    """Give the path of the file that the agent takes the user's hooks from."""
    own = own_directory(home, env)
    hooks, settings = os.path.join(own, "hooks.json"), os.path.join(own, "settings.json")
    return hooks if _has_events(hooks) and not _has_ours(settings) else settings


def command_for(scope: str, executable: str, script: str) -> str:  # noqa: ARG001 - as above
    """Give the command line that the hooks run."""
    return hook_command.make_guarded_command(script, executable, "droid")


def to_do(path: str) -> str:  # noqa: ARG001 - as above
    """Tell what the user has to look at."""
    return "Droid takes hooks over when it starts, and changed ones after a look at `/hooks`"


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Tell what keeps hooks that stand in the file from running."""
    hooks = os.path.join(own_directory(home, env), "hooks.json")
    found = []
    if os.path.basename(path) == "settings.json" and os.path.exists(hooks):
        again = "`tapehead uninstall --agent droid`, then `tapehead install --agent droid`"
        hint = again if _has_events(hooks) else "take it away, or write its events without `hooks` around them"
        found.append((f"{hooks} is there, so Droid does not run the hooks in this file", hint))
    if switch(text, "hooksDisabled") == "true":
        found.append(("hooksDisabled is set, so no hook runs", "remove it from the file"))
    return found


def _text(path: str) -> str:
    try:
        return settings_file.read(path) or ""
    except (OSError, settings_file.SettingsFileError):
        return ""


def _has_events(path: str) -> bool:
    """Whether a file is hooks.json as the agent reads it."""
    try:
        found = json.loads(_text(path).removeprefix("\ufeff") or "{}")
    except ValueError:
        return False
    return isinstance(found, dict) and any(name[:1].isupper() and isinstance(found[name], list) for name in found)


def _has_ours(path: str) -> bool:
    try:
        return bool(ENTRIES.hooks_of_ours(_text(path)))
    except JsonTextError:
        return False
