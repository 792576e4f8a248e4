"""Where each agent is told of our MCP server, and how. For install and doctor; an agent that is not named here is told by hand."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from tapehead.agents.json_servers import JsonServers
from tapehead.agents.setups import setup_of
from tapehead.agents.toml_servers import TomlServers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Servers = JsonServers | TomlServers

SERVERS: Mapping[str, Servers] = {"claude": JsonServers(typed=True), "codex": TomlServers(), "gemini": JsonServers()}
"""How an agent's file is written, for those that we know."""


def path_of_servers(host: str, scope: str, *, home: str, env: Mapping[str, str], project: str) -> str:
    """The file of a scope; empty where there is none for it."""
    place = _PLACES.get(host)
    return place(scope, home, env, project) if place else ""


def _claude(scope: str, home: str, env: Mapping[str, str], project: str) -> str:
    """The client's own file, or the one that a project shares. What is for one user and one project alone stands deep in the first."""
    if scope == "project":
        return os.path.join(project, ".mcp.json")
    return os.path.join(env.get("CLAUDE_CONFIG_DIR") or home, ".claude.json") if scope == "user" else ""


def _codex(_scope: str, home: str, env: Mapping[str, str], _project: str) -> str:
    return os.path.join(setup_of("codex").own_directory(home, env), "config.toml")


def _gemini(scope: str, home: str, env: Mapping[str, str], project: str) -> str:
    return setup_of("gemini").settings_path(scope, home=home, env=env, project=project)


_PLACES: dict[str, Callable[[str, str, Mapping[str, str], str], str]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
}
