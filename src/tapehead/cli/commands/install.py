"""`install` and `uninstall`: our hooks into an agent's settings and into git, and out again."""

from __future__ import annotations

import os
import shutil
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve, frozen

from tapehead.agents import installation, settings_backup, settings_file
from tapehead.agents.claude import inspection, statusline_settings
from tapehead.agents.claude.scopes import SCOPES, below, command_for, settings_path, statusline_for
from tapehead.agents.json_text import JsonTextError
from tapehead.agents.settings_file import SettingsFileError, WriteProtectedError
from tapehead.cli import bytecode, git_setup
from tapehead.cli.diff import coloured, unified
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.places import place_of, state_home
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.cli.places import Place
    from tapehead.git.hooks_install import Change

AGENTS = ("claude",)
_HINTS: dict[type[Exception], str] = {
    JsonTextError: "correct the file and try again; nothing was written",
    WriteProtectedError: "nothing was written; `chmod u+w` it if you want it changed, or take another --scope",
    OSError: "nothing was changed; see who may write there, or take another --scope",
}


@frozen
class Request:
    """What was asked for: which file, with which command, and how to answer."""

    scope: str
    path: str
    backups: str
    command: str
    dry_run: bool
    as_json: bool
    statusline: str = ""
    """The command of our status line."""
    wants_statusline: bool = False

    @property
    def settings(self) -> installation.Settings:
        """The file, with what Claude Code's settings look like."""
        add = partial(
            statusline_settings.with_ours,
            command=self.command,
            statusline=self.statusline,
            wanted=self.wants_statusline,
        )
        return installation.Settings.at(self.path, self.backups, add, statusline_settings.without_ours)


def _options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Answer in JSON."),
        click.option("--dry-run", is_flag=True, help="Show the difference and write nothing."),
        click.option(
            "--scope",
            type=click.Choice(SCOPES),
            default="user",
            show_default=True,
            help="All your work; this project, shared through git; or this project for you alone.",
        ),
        click.option(
            "--git/--no-git",
            "git",
            default=None,
            help="The hooks of this git repository alone, or all but those. Both, if neither is said.",
        ),
        click.option("--agent", type=click.Choice(AGENTS), default="claude", show_default=True, help="Which agent."),
    ):
        command = option(command)
    return command


@click.command()
@click.option("--statusline", is_flag=True, help="Our status line too, if you have none; yours is never overwritten.")
@_options
def install(agent: str, scope: str, *, statusline: bool, git: bool | None, dry_run: bool, as_json: bool) -> None:  # noqa: PLR0913 - one for each option
    """Put tapehead's hooks into an agent's settings, and into the git repository you stand in. All else stays as it is."""
    program = _program(scope)
    request = _request(scope, command_for(scope, program), dry_run=dry_run, as_json=as_json)
    hooks = (
        _git_hooks(lambda place: git_setup.set_up(place, program, dry_run=dry_run))
        if program and git is not False
        else []
    )
    if git:
        _answer_git(request, hooks, "hooks installed in", "hooks are already installed in")
        return
    taken = _statusline_elsewhere(scope) if statusline else ""
    request = evolve(request, statusline=statusline_for(scope, program), wants_statusline=statusline and not taken)
    perform = installation.planned_install if dry_run else installation.install
    change = _attempt(request, perform)
    uncompiled = () if dry_run else bytecode.compile_now()
    _answer(request, change, agent, "hooks installed in", "hooks are already installed in", uncompiled, hooks)
    if change.changed and change.before is not None and not dry_run and not as_json:
        console().print(f"backup: {settings_backup.copy_path(request.backups, change.path)}")
    _answer_git(request, hooks, "hooks installed in", "", alone=False)
    _tell_what_to_know(request, uncompiled)
    if taken:
        show_note(
            f"{taken} has a status line already, and it stays; yours can run `tapehead statusline` with the same stdin"
        )


@click.command()
@_options
def uninstall(agent: str, scope: str, *, git: bool | None, dry_run: bool, as_json: bool) -> None:
    """Take tapehead's hooks out of an agent's settings and out of this git repository, and leave all as it was before."""
    request = _request(scope, "", dry_run=dry_run, as_json=as_json)
    hooks = _git_hooks(lambda place: git_setup.take_down(place, dry_run=dry_run)) if git is not False else []
    if git:
        _answer_git(request, hooks, "hooks removed from", "no hooks of tapehead in")
        return
    perform = installation.planned_uninstall if dry_run else installation.uninstall
    change = _attempt(request, perform)
    _answer(request, change, agent, "hooks removed from", "no hooks of tapehead in", hooks=hooks)
    _answer_git(request, hooks, "hooks removed from", "", alone=False)


def _git_hooks(perform: Callable[[Place], list[Change]]) -> list[Change]:
    """What becomes of the hooks of the repository that we stand in; nothing outside of one."""
    place = place_of(_here(), os.environ)
    if place.repository is None or not place.repository.worktree:
        return []
    try:
        return perform(place)
    except (OSError, GitFailed) as error:
        raise Failure(f"the hooks of git: {error}", hint="`--no-git` leaves them out") from None


def _answer_git(request: Request, hooks: list[Change], done: str, idle: str, *, alone: bool = True) -> None:
    """What was done, by folder; beside the agent's answer only what is worth a line."""
    changed = [change for change in hooks if change.changed]
    if request.as_json:
        if alone:
            show_json({"dry_run": request.dry_run, "git": _git_data(hooks)})
        return
    if request.dry_run:
        for change in changed:
            _show_diff(unified(change.before, change.after, change.path))
    elif changed:
        names = ", ".join(change.name for change in changed)
        console().print(f"{done} {os.path.dirname(changed[0].path)} ({names})", soft_wrap=True)
    elif alone:
        console().print(f"{idle} this repository" if hooks or "no " in idle else "not in a git repository")
    for change in hooks:
        if change.problem:
            show_note(f"{change.path} is left as it is: {change.problem}")


def _git_data(hooks: list[Change]) -> list[dict[str, Any]]:
    return [
        {"name": change.name, "path": change.path, "changed": change.changed, "problem": change.problem}
        for change in hooks
    ]


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        raise Failure("the current directory is gone", hint="change to a directory that is there") from None


def _request(scope: str, command: str, *, dry_run: bool, as_json: bool) -> Request:
    state = state_home(os.environ)
    if not state:
        raise Failure("there is no home directory", hint="set HOME (or XDG_STATE_HOME) and try again")
    return Request(scope, _path(scope), os.path.join(state, "settings"), command, dry_run, as_json)


def _path(scope: str) -> str:
    config_dir = os.environ.get("CLAUDE_CONFIG_DIR")
    project = place_of(_here(), os.environ).worktree
    path = settings_path(scope, home=os.path.expanduser("~"), config_dir=config_dir, project=project)
    return os.path.abspath(path)


def _statusline_elsewhere(scope: str) -> str:
    """The file whose status line ours would take the place of: this one, or one that this one goes before."""
    for path in map(_path, (scope, *below(scope))):
        try:
            command = statusline_settings.command_in(settings_file.read(path))
        except (OSError, JsonTextError, SettingsFileError):
            continue  # the install itself says what is wrong with it, where it is the one to be changed
        if command is not None and not statusline_settings.is_ours(command):
            return path
    return ""


def _program(scope: str) -> str:
    """The program that the hooks run: the one that was called, by the name it was called by, which outlives upgrades."""
    called = os.path.abspath(sys.argv[0]) if os.path.basename(sys.argv[0]) == "tapehead" else ""
    beside = os.path.join(os.path.dirname(sys.executable), "tapehead")
    found = next((path for path in (called, beside, shutil.which("tapehead")) if path and os.access(path, os.X_OK)), "")
    if not found and scope != "project":
        raise Failure(
            "the tapehead command is nowhere to be found", hint="install it with `pipx install .` in its source tree"
        )
    return found


def _attempt(request: Request, perform: Callable[[installation.Settings], installation.Change]) -> installation.Change:
    try:
        return perform(request.settings)
    except UnicodeEncodeError:
        raise Failure(f"the path of the program is not UTF-8: {request.command!a}", hint="move it elsewhere") from None
    except JsonTextError as error:
        raise Failure(f"{request.path}, {error}", hint=_hint(error)) from None
    except (OSError, SettingsFileError) as error:
        raise Failure(str(error), hint=_hint(error)) from None


def _hint(error: Exception) -> str:
    return next((hint for kind, hint in _HINTS.items() if isinstance(error, kind)), "nothing was written; try again")


def _answer(  # noqa: PLR0913, PLR0917 - the two sentences are what differs between the two commands
    request: Request,
    change: installation.Change,
    agent: str,
    done: str,
    idle: str,
    uncompiled: tuple[str, ...] = (),
    hooks: list[Change] | None = None,
) -> None:
    rows = unified(change.before, change.after, change.path)
    if request.as_json:
        show_json({**_as_data(request, change, agent, rows, uncompiled), "git": _git_data(hooks or [])})
    elif not change.changed:
        console().print(f"{idle} {change.path}")
    elif request.dry_run:
        _show_diff(rows)
    else:
        console().print(f"{done} {change.path}", soft_wrap=True)


def _show_diff(rows: tuple[str, ...]) -> None:
    """In a pipe the bare rows, tabs included: rich would set spaces for them."""
    screen = console()
    if screen.is_terminal:
        screen.print(coloured(rows), soft_wrap=True)
    else:
        click.echo("\n".join(rows))


def _as_data(
    request: Request, change: installation.Change, agent: str, rows: tuple[str, ...], uncompiled: tuple[str, ...]
) -> dict[str, Any]:
    return {
        "agent": agent,
        "scope": request.scope,
        "path": change.path,
        "changed": change.changed,
        "dry_run": request.dry_run,
        "command": request.command or None,
        "statusline": statusline_settings.command_in(change.after),
        "diff": "\n".join(rows),
        "uncompiled": len(uncompiled),
    }


def _tell_what_to_know(request: Request, uncompiled: tuple[str, ...]) -> None:
    if uncompiled:
        show_note(f"{len(uncompiled)} modules cannot be compiled here, and hooks will be slow: {uncompiled[0]}")
    elsewhere = [report.path for report in _others(request) if report.installed]
    if elsewhere:
        show_note(f"hooks are also in {', '.join(elsewhere)}: the agent runs both, so uninstall one of them")


def _others(request: Request) -> tuple[inspection.HookReport, ...]:
    paths = {os.path.realpath(_path(scope)) for scope in SCOPES} - {os.path.realpath(request.path)}
    return inspection.inspect(sorted(paths))
