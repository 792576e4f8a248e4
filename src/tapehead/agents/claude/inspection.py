"""How our hooks and our status line stand in Claude Code's settings files, for doctor."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from attrs import evolve

from tapehead.agents import settings_file
from tapehead.agents.claude.scopes import SHARED_COMMAND
from tapehead.agents.claude.settings import ENTRIES, EVENTS, hooks_are_off, hooks_of_ours
from tapehead.agents.claude.statusline_settings import command_in, is_ours
from tapehead.agents.inspection import HookReport, gone, standing
from tapehead.agents.json_text import JsonTextError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["HookReport", "inspect", "installed_twice"]


def inspect(
    paths: Iterable[str], command: str | None = None, events: tuple[str, ...] = EVENTS
) -> tuple[HookReport, ...]:
    """Look at settings files; `command` is what an install would write now, if known, and `events` what must be asked for."""
    return tuple(_report(path, command, events) for path in dict.fromkeys(map(os.path.realpath, paths)))


def installed_twice(reports: Iterable[HookReport]) -> tuple[str, ...]:
    """Events that more than one file has our hook for with different commands: the agent runs both, and each is recorded."""
    pairs = {(hook.event, hook.command) for report in reports for hook in report.hooks}
    counted = Counter(event for event, _command in pairs)
    return tuple(event for event in EVENTS if counted[event] > 1)


def _report(path: str, command: str | None, events: tuple[str, ...]) -> HookReport:
    try:
        text = settings_file.read(path)
        if text is None:
            return HookReport(path)
        known = None if command is None else (command, SHARED_COMMAND)
        report = standing(path, ENTRIES.limited_to(events), hooks_of_ours(text), known, off=hooks_are_off(text))
        line = command_in(text)
        return evolve(report, gone=(*report.gone, *gone([line]))) if line and is_ours(line) else report
    except (OSError, JsonTextError, settings_file.SettingsFileError) as error:
        return HookReport(path, exists=True, error=str(error))
