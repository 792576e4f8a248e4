"""`install` and `uninstall`: our hooks into an agent's settings, and out again."""

from __future__ import annotations

import os
import sys
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from tapehead.agents import inspection, installation, settings_backup
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import found, setup_of, statusline_of
from tapehead.cli import bytecode, install_git, install_server, install_statusline, install_summary, purge
from tapehead.cli.diff import list_difference
from tapehead.cli.install_notes import tell_what_to_know
from tapehead.cli.install_request import (
    Request,
    attempt,
    home_directory,
    path_of,
    program_for,
    remove_script_if_unused,
    request_for,
)
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.slow_work import show_if_slow
from tapehead.engine import git_setup
from tapehead.engine.store_location import place_of, state_home

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.git.hooks_install import Change

ALL = "all"
AGENTS = (*HOSTS, ALL)


def _options(which: str, git: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The options that both commands have, each in its own words."""
    options = (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing."),
        click.option(
            "--scope",
            type=click.Choice(setup_of("claude").SCOPES),  # it has all that there are
            default="user",
            show_default=True,
            help="Which settings file. user: yours, for all projects. project: this project's, shared through git. local: this project's, not shared. project and local need Claude Code.",
        ),
        click.option(
            "--agent",
            type=click.Choice(AGENTS),
            help=which,
        ),
        click.option(
            "--git/--no-git",
            "git",
            default=None,
            help=git,
        ),
    )
    return lambda command: reduce(lambda made, option: option(made), options, command)


@click.command()
@click.option("--statusline", is_flag=True, help="Also set the status line, unless you have one.")
@click.option(
    "--all-events",
    is_flag=True,
    help="With --scope project: add hooks for newer events. Everyone in the project then needs Claude Code 2.1.78 or newer: older versions ignore such a settings file.",
)
@click.option(
    "--mcp/--no-mcp",
    "mcp",
    default=True,
    help="Register the MCP server and a skill, or do not. Default: --mcp.",
)
@_options(
    "Which agent. Default: it asks about each agent that it finds. Without a terminal it takes the first.",
    "Default: the agent's hooks and git's. --no-git leaves out git's. --git adds git's alone, for another clone.",
)
def install(  # noqa: PLR0913 - one for each option
    agent: str | None,
    scope: str,
    *,
    statusline: bool,
    all_events: bool,
    mcp: bool,
    git: bool | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Install the hooks into your agent and this git repository.

    Claude Code, Codex and Gemini also get an MCP server, through which the agent can search the history. Your other
    settings stay as they are.

    \b
    Examples:
      tapehead install                  asks about each agent that it finds
      tapehead install --agent codex
      tapehead install --agent all --dry-run
    """
    install_git.check(git=git, agent=agent)
    program = program_for(scope)
    told = ("hooks installed in", "hooks are already installed in")
    hooks = (
        install_git.changes(lambda place: git_setup.set_up(place, program, dry_run=dry_run))
        if program and git is not False
        else []
    )
    if git:
        install_git.answer(hooks, *told, dry_run=dry_run, as_json=as_json, alone=True)
        return
    hosts = _with_scope(_offered(scope, as_json=as_json) if agent is None else _named(agent), scope)
    requests = [request_for(host, scope, program, all_events=all_events) for host in hosts]
    requests = [evolve(each, dry_run=dry_run, as_json=as_json) for each in requests]
    taken = ""
    if statusline and (line := statusline_of("claude")):
        taken = install_statusline.elsewhere(line, partial(path_of, "claude"), scope)
    requests = [_with_statusline(each, program, wanted=statusline and not taken) for each in requests]
    changes = [attempt(each) for each in requests]
    servers = install_server.register(hosts, scope, program, dry_run=dry_run) if mcp else []
    with show_if_slow("Compiling, so that hooks start fast …"):
        uncompiled = () if dry_run else bytecode.compile_now()
    _answer(requests, changes, *told, uncompiled, hooks, servers)
    if not as_json:
        install_server.show(servers, install_server.INSTALLED, dry_run=dry_run)
    install_git.answer(hooks, *told, dry_run=dry_run, as_json=as_json, alone=False)
    if not (as_json or dry_run):
        settings = (*changes, *(each.change for each in servers))
        changed = any(each.changed for each in settings) or any(hook.changed for hook in hooks)
        install_summary.show(changed=changed, server=bool(servers))
    tell_what_to_know(requests, changes, uncompiled)
    if taken:
        show_note(f"{taken} has a status line, which stays. It can call `tapehead statusline` with the same stdin")


@click.command()
@click.option(
    "--purge", "purges", is_flag=True, help="Also delete all recorded data on this machine, after showing what."
)
@click.option("--yes", is_flag=True, help="With --purge: do not ask.")
@_options(
    "Which agent. Default: all.",
    "Default: the agents' hooks, and git's in this repository. --no-git leaves git's. --git removes git's alone. With --agent, git's hooks stay while another agent needs them.",
)
def uninstall(  # noqa: PLR0913 - one for each option
    agent: str | None, scope: str, *, purges: bool, yes: bool, git: bool | None, dry_run: bool, as_json: bool
) -> None:
    """Remove the hooks from all agents and from this git repository.

    Your settings are then as before the install. Recorded data stays, unless you use --purge.

    \b
    Examples:
      tapehead uninstall --dry-run
      tapehead uninstall
      tapehead uninstall --agent codex --no-git
      tapehead uninstall --purge
    """
    if purges:
        purge.check(agent=agent, git=git, yes=yes, dry_run=dry_run, as_json=as_json)
    install_git.check(git=git, agent=agent)
    told = ("hooks removed from", "no tapehead hooks in")
    if git:
        hooks = install_git.changes(lambda place: git_setup.take_down(place, dry_run=dry_run))
        install_git.answer(hooks, *told, dry_run=dry_run, as_json=as_json, alone=True)
        return
    hosts = _with_scope(_installed(scope) if agent is None else _named(agent), scope)
    requests = [evolve(request_for(host, scope, None), dry_run=dry_run, as_json=as_json) for host in hosts]
    others = _elsewhere(requests)
    takes = git is None and not others
    hooks = install_git.changes(lambda place: git_setup.take_down(place, dry_run=dry_run)) if takes else []
    changes = [attempt(each) for each in requests]
    servers = install_server.unregister(hosts, scope, dry_run=dry_run)
    if not dry_run:
        remove_script_if_unused()
    _answer(requests, changes, *told, hooks=hooks, servers=servers)
    if purges and not dry_run:
        purge.carry_out(as_json=as_json)
    if not as_json:
        install_server.show(servers, install_server.REMOVED, dry_run=dry_run)
    install_git.answer(hooks, *told, dry_run=dry_run, as_json=as_json, alone=False)
    if as_json:
        return
    if others and git is None:
        show_note(
            f"hooks are still in {', '.join(others)}, so the git hooks stay. To remove them: `tapehead uninstall --git`"
        )
    install_git.tell_of_others(state_home(os.environ), (*place_of(install_git.here(), os.environ).roots, "")[0])


def _elsewhere(requests: list[Request]) -> list[str]:
    """The settings that have hooks of ours and keep them: git's hooks are for those agents too."""
    going = {os.path.realpath(request.path) for request in requests}
    paths = {path_of(host, scope): setup_of(host).ENTRIES for host in HOSTS for scope in setup_of(host).SCOPES}
    others = {path: entries for path, entries in paths.items() if os.path.realpath(path) not in going}
    return [path for path, entries in others.items() if inspection.report(path, entries).installed]


def _named(agent: str) -> tuple[str, ...]:
    return HOSTS if agent == ALL else (agent,)


def _with_scope(hosts: tuple[str, ...], scope: str) -> tuple[str, ...]:
    """Those of the agents whose settings have such a scope."""
    able = tuple(host for host in hosts if scope in setup_of(host).SCOPES)
    if not able:
        names = ", ".join(setup_of(host).NAME for host in hosts)
        raise Failure(f"{names} has no --scope {scope}", hint="leave out --scope")
    return able


def _offered(scope: str, *, as_json: bool) -> tuple[str, ...]:
    """The agents that are here, as far as the user wants them; where nobody can be asked, the first, and a word on the others."""
    here = [host for host in found(home_directory(), os.environ) if scope in setup_of(host).SCOPES] or ["claude"]
    if len(here) == 1:
        return (here[0],)
    if sys.stdin.isatty() and sys.stdout.isatty() and not as_json:
        wanted = tuple(host for host in here if click.confirm(f"hooks for {setup_of(host).NAME}?", default=True))
        if not wanted:
            raise Failure("No agent chosen", hint="choose one: `tapehead install --agent NAME`")
        return wanted
    if without := [
        host for host in here[1:] if not inspection.report(path_of(host, scope), setup_of(host).ENTRIES).hooks
    ]:
        others = " and ".join(setup_of(host).NAME for host in without)
        which = without[0] if len(without) == 1 else ALL
        show_note(
            f"{others} {'is' if len(without) == 1 else 'are'} installed too. Add hooks: `tapehead install --agent {which}`"
        )
    return (here[0],)


def _installed(scope: str) -> tuple[str, ...]:
    """The agents that have hooks or the server of ours; where none has, the one that most have, so that there is an answer."""
    able = [host for host in HOSTS if scope in setup_of(host).SCOPES]
    having = (
        host
        for host in able
        if inspection.report(path_of(host, scope), setup_of(host).ENTRIES).hooks
        or install_server.find_registered(host, scope)
    )
    return tuple(having) or ("claude",)


def _answer(  # noqa: PLR0913, PLR0917 - what was done, and how it is told
    requests: list[Request],
    changes: list[installation.Change],
    done: str,
    idle: str,
    uncompiled: tuple[str, ...] = (),
    hooks: list[Change] | None = None,
    servers: list[install_server.ServerChange] | None = None,
) -> None:
    if requests[0].as_json:
        git = {"git": install_git.as_data(hooks or [])}
        told = [
            {**_as_data(*both, uncompiled), "mcp": install_server.as_data(servers or [], both[0].agent), **git}
            for both in zip(requests, changes, strict=True)
        ]
        show_json(told if len(told) > 1 else told[0])
        return
    for request, change in zip(requests, changes, strict=True):
        if not change.changed:
            console().print(f"{idle} {change.path}")
        elif request.dry_run:
            install_git.show_diff(list_difference(change.before, change.after, change.path))
        else:
            console().print(f"{done} {change.path}", soft_wrap=True)
            if request.wants_statusline and (line := statusline_of(request.agent)):
                install_statusline.tell(line, change)
            if request.command and change.before is not None:
                console().print(f"backup: {settings_backup.copy_path(request.backups, change.path)}")


def _with_statusline(request: Request, program: str, *, wanted: bool) -> Request:
    if line := statusline_of(request.agent):
        return evolve(request, statusline=line.command_for(request.scope, program), wants_statusline=wanted)
    return request


def _as_data(request: Request, change: installation.Change, uncompiled: tuple[str, ...]) -> dict[str, Any]:
    line = statusline_of(request.agent)
    return {
        "agent": request.agent,
        "scope": request.scope,
        "path": change.path,
        "changed": change.changed,
        "dry_run": request.dry_run,
        "command": request.command or None,
        **({"statusline": line.command_in(change.after)} if line else {}),
        "diff": "\n".join(list_difference(change.before, change.after, change.path)),
        "uncompiled": len(uncompiled),
    }
