"""OpenCode, for install and doctor: a plugin of our own among the user's."""

from __future__ import annotations

import json
import os.path
import re
from typing import TYPE_CHECKING

from tapehead.agents import hook_command
from tapehead.agents.own_file import OwnFile

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "OpenCode"
PROGRAM = "opencode"
SCOPES: tuple[str, ...] = ("user",)
COMPATIBILITY = None  # an event that the client does not know is passed over
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "StopFailure", "PreCompact", "PostCompact", "SessionEnd")
_COMMAND = re.compile(r'^const COMMAND = ("(?:[^"\\]|\\.)*")$', re.MULTILINE)


def _text_of(command: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), "plugin.js"), encoding="utf-8") as file:
        return _COMMAND.sub(lambda _: f"const COMMAND = {json.dumps(command)}", file.read(), count=1)


def _command_in(text: str) -> str:
    found = _COMMAND.search(text)
    try:
        return str(json.loads(found[1])) if found else ""
    except ValueError:
        return ""


ENTRIES = OwnFile("opencode", EVENTS, _text_of, _command_in)


def own_directory(home: str, env: Mapping[str, str]) -> str:
    """Give the directory that is there where the agent is."""
    chosen = env.get("XDG_CONFIG_HOME", "")
    return os.path.join(chosen if os.path.isabs(chosen) else os.path.join(home, ".config"), "opencode")


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:  # noqa: ARG001 - one shape for all agents
    """Give the path of our plugin: the agent loads every file beside it."""
    return os.path.join(own_directory(home, env), "plugins", "tapehead.js")


def command_for(scope: str, executable: str, script: str) -> str:  # noqa: ARG001 - as above
    """Give the command line that the plugin runs."""
    return hook_command.make_guarded_command(script, executable, "opencode")


def to_do(path: str) -> str:  # noqa: ARG001 - as above
    """Nothing: a plugin is loaded from the next start on."""
    return ""


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Tell what keeps the plugin from working."""
    found = []
    if env.get("OPENCODE_PURE"):
        found.append(("OPENCODE_PURE is set, so no plugin runs", "take it out of the environment"))
    if text != _text_of(_command_in(text)):
        found.append(("the plugin comes from another version of tapehead", "`tapehead install --agent opencode`"))
    return found
