"""The MCP server's part of install and uninstall: an entry in the agent's own settings, and out again byte for byte."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import frozen

from tapehead.agents import installation, settings_file
from tapehead.agents.json_text import JsonTextError
from tapehead.agents.registrations import SERVERS, path_of_servers
from tapehead.agents.settings_file import SettingsFileError
from tapehead.agents.setups import setup_of
from tapehead.agents.skill import skill_path, with_skill, without_skill
from tapehead.cli import install_git
from tapehead.cli.diff import list_difference
from tapehead.cli.install_request import attempt_change, backups_directory, home_directory
from tapehead.cli.output import console, show_note
from tapehead.engine.store_location import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHARED = "tapehead"
"""The program in a file that travels to teammates: theirs is found on their PATH."""
SERVER, SKILL = "MCP server", "skill"
INSTALLED = {SERVER: "MCP server registered in", SKILL: "skill written to"}
_THERE = {SERVER: "MCP server is already registered in", SKILL: "skill is already in"}
REMOVED = {SERVER: "MCP server removed from", SKILL: "skill removed:"}


@frozen
class ServerChange:
    """What became of one agent's file."""

    agent: str
    what: str
    """`MCP server` or `skill`."""
    change: installation.Change


def server_path(agent: str, scope: str) -> str:
    """The file that names an agent's servers, from where the user stands; empty where there is none."""
    project = place_of(install_git.here(), os.environ).worktree
    path = path_of_servers(agent, scope, home=home_directory(), env=os.environ, project=project)
    return os.path.abspath(path) if path else ""


def find_registered(agent: str, scope: str) -> str:
    """The program that an agent's entry of ours runs; empty where there is none, or the file cannot be read."""
    path = server_path(agent, scope)
    try:
        text = settings_file.read(path) if path else None
        return SERVERS[agent].command_in(text) if text else ""
    except (OSError, JsonTextError, SettingsFileError):
        return ""


def is_registered(agent: str) -> bool:
    """Whether any of an agent's files, from where we stand, names our server."""
    return any(find_registered(agent, scope) for scope in setup_of(agent).SCOPES)


def register(agents: tuple[str, ...], scope: str, program: str, *, dry_run: bool) -> list[ServerChange]:
    """Tell these agents of the server."""
    program = _SHARED if scope == "project" else program
    if scope == "local" and "claude" in agents and not is_registered("claude"):
        # Deep in a file that the client itself writes all the time: its own command changes that best.
        show_note("the MCP server for this project alone is registered by `claude mcp add tapehead -- tapehead mcp`")
    plan, perform = installation.planned_install, installation.install
    return _changed(agents, scope, program, plan if dry_run else perform)


def unregister(agents: tuple[str, ...], scope: str, *, dry_run: bool) -> list[ServerChange]:
    """Take the server out of their settings."""
    plan, perform = installation.planned_uninstall, installation.uninstall
    return _changed(agents, scope, "", plan if dry_run else perform)


def _changed(agents: tuple[str, ...], scope: str, program: str, perform: Any) -> list[ServerChange]:
    found = []
    for agent in agents:
        for what, settings in _files(agent, scope, program):
            found.append(ServerChange(agent, what, attempt_change(settings.path, partial(perform, settings))))
    return found


def _files(agent: str, scope: str, program: str) -> Iterator[tuple[str, installation.Settings]]:
    """The file that names the server, and the skill that says when to ask it."""
    if path := server_path(agent, scope):
        servers = SERVERS[agent]
        add = partial(servers.with_server, program=program)
        yield SERVER, installation.Settings.at(path, backups_directory(), add, servers.without_server)
        if beside := skill_path(agent, scope, home=home_directory(), env=os.environ):
            yield SKILL, installation.Settings.at(beside, backups_directory(), with_skill, without_skill)


def show(changes: list[ServerChange], done: dict[str, str], *, dry_run: bool) -> None:
    """What changed, and of an installation what was there already."""
    for each in changes:
        if each.change.changed and dry_run:
            install_git.show_diff(list_difference(each.change.before, each.change.after, each.change.path))
        elif each.change.changed:
            console().print(f"{done[each.what]} {each.change.path}", soft_wrap=True)
        elif done is INSTALLED:
            console().print(f"{_THERE[each.what]} {each.change.path}", soft_wrap=True)


def as_data(changes: list[ServerChange], agent: str) -> dict[str, Any] | None:
    """One agent's part of the answer; None where nothing was asked of it."""
    own = next((each.change for each in changes if (each.agent, each.what) == (agent, SERVER)), None)
    if own is None:
        return None
    return {
        "path": own.path,
        "changed": own.changed,
        "diff": "\n".join(list_difference(own.before, own.after, own.path)),
    }
