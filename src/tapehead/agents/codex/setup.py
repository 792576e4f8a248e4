"""Codex, for install and doctor: `hooks.json` in its home, and whether the user trusts what stands in it.

config.toml is the user's and the agent's: of that, only the table of our MCP server is ever written (agents/toml_servers.py).
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from tapehead.agents import hook_command
from tapehead.agents.codex import trust
from tapehead.agents.hook_entries import HookEntries

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME = "Codex"
PROGRAM = "codex"
SCOPES: tuple[str, ...] = ("user",)
COMPATIBILITY = None  # an event that the client does not know is passed over
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "PostCompact", "SessionEnd", "PermissionRequest")
# The most that the agent gives a session's end; one second where nothing is said. What is written here is part of what the user
# trusts, like the command: it must not change with our versions.
_SECONDS = dict.fromkeys(EVENTS, 10) | {"SessionEnd": 3}
_HOW = "start `codex` and choose “Trust all and continue” (or `/hooks` to look at each); `codex exec` skips them until then, without a word"


def _group_of(event: str, command: str) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": command, "timeout": _SECONDS[event]}]}


ENTRIES = HookEntries("codex", EVENTS, _group_of)


def own_directory(home: str, env: Mapping[str, str]) -> str:
    """Give the directory that is there where the agent is."""
    return _home(home, env)


def settings_path(scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:  # noqa: ARG001 - one shape for all agents
    """Give the path of the user's hooks."""
    return os.path.join(_home(home, env), "hooks.json")


def command_for(scope: str, executable: str, script: str) -> str:  # noqa: ARG001 - as above
    """Give the command line that the hooks run: the same from version to version, or the user's trust is lost."""
    return hook_command.make_guarded_command(script, executable, "codex")


def to_do(path: str) -> str:  # noqa: ARG001 - as above
    """Tell that nothing runs before the user trusts it."""
    return f"Codex runs new hooks only after you trust them: {_HOW}"


def complaints(path: str, text: str, *, home: str, env: Mapping[str, str], project: str) -> list[tuple[str, str]]:  # noqa: ARG001 - as above
    """Tell what keeps hooks that stand in the file from running."""
    known = trust.read(os.path.join(_home(home, env), "config.toml"))
    if known is None:
        return [("config.toml can't be read, so it is unknown whether the hooks are trusted", "correct that file")]
    if not known.hooks_on:
        return [
            ("the feature `hooks` is switched off in config.toml, so no hook runs", "`codex features enable hooks`")
        ]
    found: dict[str, list[str]] = {}
    for hook in ENTRIES.hooks_of_ours(text):
        found.setdefault(trust.standing(known, path, text, hook), []).append(hook.event)
    return [(words.format(", ".join(found[what])), hint) for what, (words, hint) in _SAID.items() if what in found]


_SAID = {
    trust.NEW: ("not trusted, so Codex does not run them: {}", _HOW),
    trust.CHANGED: ("changed since they were trusted, so Codex does not run them: {}", _HOW),
    trust.OFF: ("switched off in Codex: {}", "`/hooks` in codex switches them on"),
}


def _home(home: str, env: Mapping[str, str]) -> str:
    return env.get("CODEX_HOME") or os.path.join(home, ".codex")
