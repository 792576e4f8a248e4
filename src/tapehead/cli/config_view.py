"""The settings as `tapehead config` prints them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rich.table import Table

from tapehead.cli.output import console, show_json, show_note
from tapehead.engine.store_location import config_home
from tapehead.settings.setting_list import DURATION, SETTINGS
from tapehead.settings.setting_values import duration, literal, value_of

if TYPE_CHECKING:
    from tapehead.settings.loading import Settings
    from tapehead.settings.setting_list import Setting


def show_settings(settings: Settings, *, as_json: bool) -> None:
    """Print every setting: a table for a terminal, a line each for a pipe."""
    if as_json:
        show_json([as_data(row, settings) for row in SETTINGS.values()])
        return
    out = console()
    seen = out.is_terminal  # in a pipe a line is a setting, and the meaning would make it long
    table = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
    for title in ("setting", "value", "from", *(("meaning",) if seen else ())):
        table.add_column(title, no_wrap=title != "meaning", overflow="fold")
    files: dict[str, str] = {}
    for name, row in SETTINGS.items():
        origin = settings.origin(name) or "default"
        told = (_level(origin, files), row.meaning) if seen else (origin,)
        table.add_row(name, shown_value(row, settings), *told, style="dim" if origin == "default" else None)
    out.print(table)
    for level, path in files.items():
        out.print(f"{level}: {path}", style="dim", soft_wrap=True)
    for wrong in settings.complaints:
        show_note(f"{wrong.where}: {wrong.what} ({wrong.hint})")


def _level(origin: str, files: dict[str, str]) -> str:
    """Where a value comes from, in a word; the files behind the words are told below the table."""
    path, _, line = origin.rpartition(":")
    if not (os.path.isabs(path) and line.isdigit()):
        return origin
    level = "you" if os.path.dirname(path) == config_home(os.environ) else "project"
    files[level] = path
    return level


def shown_value(setting: Setting, settings: Settings) -> str:
    """Give a setting's value as a user would write it."""
    value = settings.value(setting.name)
    if not settings.origin(setting.name):
        value = setting.default if isinstance(setting.default, str) else value
    elif setting.kind == DURATION and isinstance(value, float):
        return duration(value)
    return value if isinstance(value, str) else literal(list(value) if isinstance(value, tuple) else value)


def as_data(setting: Setting, settings: Settings) -> dict[str, object]:
    """Give a setting for `--json`."""
    return {
        "name": setting.name,
        "value": settings.value(setting.name),
        "origin": settings.origin(setting.name) or None,
        "default": value_of(setting, setting.default),
        "kind": setting.kind,
        "variable": setting.variable,
        "meaning": setting.meaning,
    }
