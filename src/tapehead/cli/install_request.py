"""What an install asks of one settings file, and what a person is told where the file does not let it be done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.agents import installation
from tapehead.agents.claude import statusline_settings
from tapehead.agents.json_text import JsonTextError
from tapehead.agents.settings_file import SettingsFileError, WriteProtectedError
from tapehead.agents.setups import setup_of
from tapehead.cli.output import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

_HINTS: dict[type[Exception], str] = {
    JsonTextError: "correct the file and try again; nothing was written",
    WriteProtectedError: "nothing was written; `chmod u+w` it if you want it changed, or take another --scope",
    OSError: "nothing was changed; see who may write there, or take another --scope",
}


@frozen
class Request:
    """What was asked for: whose file, which, with which command, and how to answer."""

    agent: str
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
        """The file, with what the agent's settings look like."""
        if self.agent != "claude":
            entries = setup_of(self.agent).ENTRIES
            add = partial(entries.with_hooks, command=self.command)
            return installation.Settings.at(self.path, self.backups, add, entries.without_hooks)
        add = partial(
            statusline_settings.with_ours,
            command=self.command,
            statusline=self.statusline,
            wanted=self.wants_statusline,
        )
        return installation.Settings.at(self.path, self.backups, add, statusline_settings.without_ours)


def attempt(request: Request, perform: Callable[[installation.Settings], installation.Change]) -> installation.Change:
    """Do it, or say in a sentence why it cannot be done."""
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
