"""The status line's part of an install: whether there is room for ours, and that it was set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents import settings_file
from tapehead.agents.json_text import JsonTextError
from tapehead.agents.settings_file import SettingsFileError
from tapehead.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.agents.installation import Change
    from tapehead.agents.setups import StatusLine


def elsewhere(line: StatusLine, path_of: Callable[[str], str], scope: str) -> str:
    """The file whose status line ours would take the place of: this one, or one that this one goes before."""
    for path in (path_of(each) for each in (scope, *line.scopes_below(scope))):
        try:
            command = line.command_in(settings_file.read(path))
        except (OSError, JsonTextError, SettingsFileError):
            continue  # the install itself says what is wrong with it, where it is the one to be changed
        if command is not None and not line.is_ours(command):
            return path
    return ""


def tell(line: StatusLine, change: Change) -> None:
    """That ours is below the prompt from now on, where it was not before."""
    had, has = map(line.command_in, (change.before, change.after))
    if has and has != had and line.is_ours(has):
        console().print(f"status line set in {change.path}", soft_wrap=True)
