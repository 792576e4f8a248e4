"""How our hooks stand in Claude Code's settings files, for doctor."""

from __future__ import annotations

import os
import shlex
from collections import Counter

from attrs import evolve, frozen

from tapehead.agents import settings_file
from tapehead.agents.claude.scopes import SHARED_COMMAND
from tapehead.agents.claude.settings import EVENTS, InstalledHook, hooks_are_off, hooks_of_ours
from tapehead.agents.claude.statusline_settings import command_in, is_ours
from tapehead.agents.json_text import JsonTextError

TYPE_CHECKING = False  # typing is not loaded at run time
if TYPE_CHECKING:
    from collections.abc import Iterable


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


def inspect(paths: Iterable[str], command: str | None = None) -> tuple[HookReport, ...]:
    """Look at settings files; `command` is what an install would write now, if known."""
    return tuple(_report(path, command) for path in dict.fromkeys(map(os.path.realpath, paths)))


def installed_twice(reports: Iterable[HookReport]) -> tuple[str, ...]:
    """Events that more than one file has our hook for with different commands: the host runs both, and each is recorded."""
    pairs = {(hook.event, hook.command) for report in reports for hook in report.hooks}
    counted = Counter(event for event, _command in pairs)
    return tuple(event for event in EVENTS if counted[event] > 1)


def _report(path: str, command: str | None) -> HookReport:
    try:
        text = settings_file.read(path)
        if text is None:
            return HookReport(path)
        report = _standing(path, hooks_of_ours(text), command, off=hooks_are_off(text))
        line = command_in(text)
        return evolve(report, gone=(*report.gone, *_gone([line]))) if line and is_ours(line) else report
    except (OSError, JsonTextError, settings_file.SettingsFileError) as error:
        return HookReport(path, exists=True, error=str(error))


def _standing(path: str, hooks: tuple[InstalledHook, ...], command: str | None, *, off: bool) -> HookReport:
    counted = Counter(hook.event for hook in hooks)
    commands = tuple(dict.fromkeys(hook.command for hook in hooks))
    known = {command, SHARED_COMMAND}
    return HookReport(
        path,
        exists=True,
        hooks=hooks,
        missing=tuple(event for event in EVENTS if not counted[event]) if hooks else (),
        doubled=tuple(event for event, count in counted.items() if count > 1),
        other_commands=tuple(each for each in commands if command is not None and each not in known),
        gone=_gone(commands),
        switched_off=off,
    )


def _gone(commands: Iterable[str]) -> tuple[str, ...]:
    return tuple(program for program in map(_program, commands) if program and not _runs(program))


def _program(command: str) -> str:
    """The program at a command's start, if it has a path of its own: bare names are the shell's to find."""
    try:
        word = (shlex.split(command) or [""])[0]
    except ValueError:
        return ""
    return word if os.path.isabs(word) else ""


def _runs(program: str) -> bool:
    return os.path.isfile(program) and os.access(program, os.X_OK)
