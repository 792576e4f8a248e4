"""What an install asks of one settings file, and what a user is told where the file does not let it be done."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.agents import clients, hook_command, installation
from tapehead.agents.json_text import JsonTextError
from tapehead.agents.settings_file import SettingsFileError, WriteProtectedError
from tapehead.agents.setups import events_on_request, setup_of, statusline_of
from tapehead.agents.toml_servers import TomlError
from tapehead.cli import install_git
from tapehead.cli.output import Failure
from tapehead.engine import hook_script, spool
from tapehead.engine.store_location import config_home, place_of, state_home
from tapehead.settings.loading import load
from tapehead.startup import warm_start

if TYPE_CHECKING:
    from collections.abc import Callable

_HINTS: dict[type[Exception], str] = {
    TomlError: "nothing was written. Correct the file and try again, or use --no-mcp",
    JsonTextError: "nothing was written. Correct the file and try again",
    WriteProtectedError: "nothing was written. `chmod u+w` the file, or use another --scope",
    OSError: "nothing was changed. Check the permissions, or use another --scope",
}


@frozen
class Request:
    """What was asked for: whose file, which, with which command, and how to answer."""

    agent: str
    scope: str
    path: str
    backups: str
    command: str
    """Empty where our hooks are to go."""
    events: tuple[str, ...] = ()
    """Those that every client that reads the file knows."""
    dry_run: bool = False
    as_json: bool = False
    statusline: str = ""
    """The command of our status line."""
    wants_statusline: bool = False

    @property
    def settings(self) -> installation.Settings:
        """The file, with what the agent's settings look like."""
        line = statusline_of(self.agent)
        if line is None:
            entries = setup_of(self.agent).ENTRIES
            add = partial(entries.with_hooks, command=self.command)
            return installation.Settings.at(self.path, self.backups, add, entries.without_hooks)
        add = partial(
            line.with_ours,
            command=self.command,
            statusline=self.statusline,
            wanted=self.wants_statusline,
            events=self.events,
        )
        return installation.Settings.at(self.path, self.backups, add, line.without_ours)


def attempt(request: Request) -> installation.Change:
    """Do it, or say in a sentence why it cannot be done."""
    try:
        return attempt_change(request.path, partial(_perform, request))
    except UnicodeEncodeError:
        raise Failure(f"the path of the program is not UTF-8: {request.command!a}", hint="move it elsewhere") from None


def attempt_change(path: str, perform: Callable[[], installation.Change]) -> installation.Change:
    """Change a settings file, or say in a sentence why it cannot be done."""
    try:
        return perform()
    except JsonTextError as error:
        raise Failure(f"{path}, {error}", hint=_hint(error)) from None
    except TomlError as error:
        raise Failure(f"{path}, {error}", hint=_hint(error)) from None
    except (OSError, SettingsFileError) as error:
        raise Failure(str(error), hint=_hint(error)) from None


def _perform(request: Request) -> installation.Change:
    """The script comes before the settings that name it."""
    if not request.command:
        return (installation.planned_uninstall if request.dry_run else installation.uninstall)(request.settings)
    if request.dry_run:
        return installation.planned_install(request.settings)
    request.command.encode()
    hook_script.put(_state())
    return installation.install(request.settings)


def request_for(agent: str, scope: str, program: str | None, *, all_events: bool = False) -> Request:
    """What an install of these hooks asks for; no program at all means that nothing is to be run any more."""
    backups, path = backups_directory(), path_of(agent, scope)
    if program is None:
        return Request(agent, scope, path, backups, "")
    command = setup_of(agent).command_for(scope, program, hook_command.script_in(_state()))
    return Request(agent, scope, path, backups, command, _events_for(agent, scope, all_events=all_events))


def _events_for(agent: str, scope: str, *, all_events: bool) -> tuple[str, ...]:
    """The events that every client here knows; in a file that travels, those that any client knows, unless told otherwise."""
    setup = setup_of(agent)
    known = setup.COMPATIBILITY
    if known is None:
        return setup.ENTRIES.events
    wanted = (*setup.ENTRIES.events, *(pointing_events() if agent == "claude" else ()))
    oldest = clients.oldest_of(clients.installed_clients(known, home_directory(), os.environ), known)
    version = (oldest.version if oldest else None) or known.assumed
    if oldest and version < known.oldest:
        what = f"{setup.NAME} {oldest.words} ({oldest.path}) is too old: it would reject your settings because of these hooks"
        raise Failure(what, hint=f"upgrade it to {'.'.join(map(str, known.oldest))} or newer")
    shared = scope == "project" and not all_events
    return known.events_of(wanted, min(version, known.assumed) if shared else version)


def pointing_events() -> tuple[str, ...]:
    """The events that the setting `recall.at` needs, as it stands where the user is."""
    roots = place_of(install_git.here(), os.environ).roots
    settings = load(roots[0] if roots else "", config_home(os.environ), os.environ)
    return events_on_request("claude", settings.texts("recall.at"))


def pointing_note(request: Request) -> str:
    """What the user is told where a client is too old for the setting `recall.at`."""
    without = [event for event in pointing_events() if event not in request.events] if request.agent == "claude" else []
    old = "which not every Claude Code that reads this file has: 2.1.76 or newer does"
    return f"recall.at needs {' and '.join(without)}, {old}" if without and request.command else ""


def repair(agent: str, scope: str, *, all_events: bool = False) -> None:
    """Install again what is installed: with the command and the events of now."""
    attempt(request_for(agent, scope, program_for(scope), all_events=all_events))


def remove_script_if_unused() -> None:
    """The script goes with the last settings that name it: each of those has a backup until it is uninstalled."""
    if not os.path.isdir(os.path.join(_state(), "settings")):
        files = (hook_command.script_in(_state()), hook_command.unheard_in(_state()), *warm_start.files_in(_state()))
        for path in files:
            with suppress(OSError):
                (os.rmdir if os.path.isdir(path) else os.unlink)(path)
        spool.remove(spool.folder_in(_state()))
        with suppress(OSError):
            os.rmdir(_state())


def backups_directory() -> str:
    """Where settings files are kept as they were before us."""
    return os.path.join(_state(), "settings")


def home_directory() -> str:
    """The user's home."""
    return os.path.expanduser("~")


def path_of(agent: str, scope: str) -> str:
    """The settings file of a scope, from where the user stands."""
    project = place_of(install_git.here(), os.environ).worktree
    path = setup_of(agent).settings_path(scope, home=home_directory(), env=os.environ, project=project)
    return os.path.abspath(path)


def program_for(scope: str) -> str:
    """The program that the hooks run: the one that was called, by the name it was called by, which outlives upgrades."""
    called = os.path.abspath(sys.argv[0]) if os.path.basename(sys.argv[0]) == "tapehead" else ""
    beside = os.path.join(os.path.dirname(sys.executable), "tapehead")
    found = next((path for path in (called, beside, shutil.which("tapehead")) if path and os.access(path, os.X_OK)), "")
    if not found and scope != "project":
        raise Failure(
            "The tapehead command is not installed", hint="install it with `pipx install .` in its source tree"
        )
    return found


def _state() -> str:
    state = state_home(os.environ)
    if not state:
        raise Failure("No home directory", hint="set HOME (or XDG_STATE_HOME) and try again")
    return state


def _hint(error: Exception) -> str:
    return next((hint for kind, hint in _HINTS.items() if isinstance(error, kind)), "nothing was written; try again")
