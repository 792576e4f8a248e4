"""Gemini, for install and doctor: `settings.json` in its home, and whether the folder is trusted, without which no hook runs."""

from __future__ import annotations

import json
import os.path
from typing import TYPE_CHECKING

from tapehead.agents import hook_command
from tapehead.agents.hook_entries import HookEntries, switch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "Gemini"
PROGRAM = "gemini"
SCOPES: tuple[str, ...] = ("user",)
COMPATIBILITY = None  # an event that the client does not know is passed over
EVENTS = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd", "Notification")
_MILLISECONDS = 10_000
_TRUSTED = ("TRUST_FOLDER", "TRUST_PARENT")


def _group_of(event: str, command: str) -> dict[str, Any]:
    """The hook before a compression comes before every answer, and only one that the user asked for means something."""
    handler = {"name": "tapehead", "type": "command", "command": command, "timeout": _MILLISECONDS}
    return {**({"matcher": "manual"} if event == "PreCompress" else {}), "hooks": [handler]}


ENTRIES = HookEntries("gemini", EVENTS, _group_of)


def own_directory(home: str, env: Mapping[str, str]) -> str:
    """Give the directory that is there where the agent is."""
    return _home(home, env)


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:  # noqa: ARG001 - one shape for all agents
    """Give the path of the user's settings."""
    return os.path.join(_home(home, env), "settings.json")


def command_for(scope: str, executable: str, script: str) -> str:  # noqa: ARG001 - as above
    """Give the command line that the hooks run."""
    return hook_command.make_guarded_command(script, executable, "gemini")


def to_do(path: str) -> str:  # noqa: ARG001 - as above
    """Tell where no hook runs."""
    return "Gemini runs hooks only in folders that you trust: `/permissions` in gemini changes that"


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Tell what keeps hooks that stand in the file from running."""
    found = []
    if switch(text, "hooksConfig", "enabled") == "false":
        found.append(("hooksConfig.enabled is false, so no hook runs", "`/hooks enable-all` in gemini, or take it out"))
    if switch(text, "security", "folderTrust", "enabled") != "false" and not _is_trusted(
        project, _home(home, env), env
    ):
        found.append(
            (
                f"{project} is not a trusted folder, so Gemini runs no hook there",
                "answer its question at the start, or `/permissions`",
            )
        )
    return found


def _is_trusted(project: str, home: str, env: Mapping[str, str]) -> bool:
    """Whether the folder or one above it is trusted; the nearest that is named decides."""
    if env.get("GEMINI_CLI_TRUST_WORKSPACE") == "true":
        return True
    try:
        with open(
            env.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH") or os.path.join(home, "trustedFolders.json"), encoding="utf-8"
        ) as file:
            rules = json.load(file)
    except (OSError, ValueError):
        return False
    named = {_root(path, rule): rule in _TRUSTED for path, rule in rules.items()} if isinstance(rules, dict) else {}
    place = os.path.realpath(project)
    while place not in named and place != os.path.dirname(place):
        place = os.path.dirname(place)
    return named.get(place, False)


def _root(path: str, rule: object) -> str:
    """The folder that a rule is about: its own, or the one around it."""
    found = os.path.realpath(path)
    return os.path.dirname(found) if rule == "TRUST_PARENT" else found


def _home(home: str, env: Mapping[str, str]) -> str:
    return os.path.join(env.get("GEMINI_CLI_HOME") or home, ".gemini")
