"""Claude Code, for install and doctor. Where its settings lie and what they say is in scopes.py and settings.py."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from tapehead.agents.claude import scopes
from tapehead.agents.claude.compatibility import COMPATIBILITY
from tapehead.agents.claude.settings import ASKED_FOR, ENTRIES, hooks_are_off

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ASKED_FOR",
    "COMPATIBILITY",
    "ENTRIES",
    "NAME",
    "PROGRAM",
    "SCOPES",
    "command_for",
    "complaints",
    "own_directory",
    "settings_path",
    "to_do",
]

NAME = "Claude Code"
PROGRAM = "claude"
SCOPES: tuple[str, ...] = scopes.SCOPES
command_for = scopes.command_for


def own_directory(home: str, env: Mapping[str, str]) -> str:
    """Give the directory that is there where the agent is."""
    return env.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:
    """Give the path of a scope's settings."""
    return scopes.settings_path(scope, home=home, config_dir=env.get("CLAUDE_CONFIG_DIR"), project=project)


def to_do(path: str) -> str:  # noqa: ARG001 - one shape for all agents
    """Nothing: the hooks run from the next start on."""
    return ""


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Tell what keeps hooks that stand in the file from running."""
    return [("disableAllHooks is set, so no hook runs", "remove it from the file")] if hooks_are_off(text) else []
