"""Whether our plugin is switched on in Claude Code's settings: then the hooks run without standing in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.agents import settings_file

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "tapehead"


def is_on(paths: Iterable[str]) -> bool:
    """Look at settings files, the weakest first: what a later one says of a plugin counts. One loaded by `--plugin-dir` is in none."""
    switches: dict[str, bool] = {}
    for path in paths:
        switches |= {name: value is True for name, value in _enabled(path).items() if name.split("@")[0] == NAME}
    return any(switches.values())


def _enabled(path: str) -> dict[str, object]:
    try:
        document = json.loads(settings_file.read(path) or "{}")
    except (OSError, ValueError, RecursionError, settings_file.SettingsFileError):
        return {}  # what is wrong with the file is said elsewhere
    found = document.get("enabledPlugins") if isinstance(document, dict) else None
    return found if isinstance(found, dict) else {}
