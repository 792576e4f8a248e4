"""How our hooks stand in an agent's settings files, for doctor."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from attrs import frozen

from tapehead.agents import hook_command, settings_file
from tapehead.agents.json_text import JsonTextError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.agents.base import Entries
    from tapehead.agents.hook_entries import InstalledHook


@frozen
class HookReport:
    """One settings file."""

    path: str
    exists: bool = False
    error: str = ""
    """Why it cannot be read; nothing else is known then."""
    hooks: tuple[InstalledHook, ...] = ()
    missing: tuple[str, ...] = ()
    """Events without a hook of ours; empty where none has one: then it is simply not installed here."""
    doubled: tuple[str, ...] = ()
    """Events with more than one."""
    other_commands: tuple[str, ...] = ()
    """Commands of ours that are not the one that an install would write now."""
    gone: tuple[str, ...] = ()
    """Programs that our commands start and that are not there (or cannot be run)."""
    unguarded: bool = False
    """Whether a command is of the older form, which fails in every prompt where the program is gone."""
    switched_off: bool = False
    """The file says `disableAllHooks`."""

    @property
    def installed(self) -> bool:
        """Whether any hook of ours is here."""
        return bool(self.hooks)

    @property
    def sound(self) -> bool:
        """Whether nothing is to be said about this file."""
        faults = self.missing or self.doubled or self.other_commands or self.gone or self.error
        return not faults and not (self.installed and self.switched_off)


def report(path: str, entries: Entries) -> HookReport:
    """Look at one settings file."""
    try:
        text = settings_file.read(path)
        return HookReport(path) if text is None else standing(path, entries, entries.hooks_of_ours(text))
    except (OSError, JsonTextError, settings_file.SettingsFileError) as error:
        return HookReport(path, exists=True, error=str(error))


def standing(
    path: str,
    entries: Entries,
    hooks: tuple[InstalledHook, ...],
    known: Iterable[str | None] | None = None,
    *,
    off: bool = False,
) -> HookReport:
    """Tell how entries of ours stand; `known` are the commands that an install would write now, if anybody asks."""
    counted = Counter(hook.event for hook in hooks)
    commands = tuple(dict.fromkeys(hook.command for hook in hooks))
    return HookReport(
        path,
        exists=True,
        hooks=hooks,
        missing=tuple(event for event in entries.events if not counted[event]) if hooks else (),
        doubled=tuple(event for event, count in counted.items() if count > 1),
        other_commands=tuple(each for each in commands if known is not None and each not in known),
        gone=gone(commands),
        unguarded=not all(map(hook_command.is_guarded, commands)),
        switched_off=off,
    )


def gone(commands: Iterable[str]) -> tuple[str, ...]:
    """Name the programs that commands start, and the scripts, that are not there."""
    named = dict.fromkeys(part for command in commands for part in hook_command.parts_of(command))
    return tuple(part for part in named if not _is_there(part))


def _is_there(part: str) -> bool:
    return os.path.isfile(part) and os.access(part, os.R_OK if part.endswith(hook_command.SCRIPT) else os.X_OK)
