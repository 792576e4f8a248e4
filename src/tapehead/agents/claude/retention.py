"""How long Claude Code keeps transcripts, and those of a project: what is older it deletes when it starts, without a word."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.agents.claude.scopes import SCOPES, settings_path

if TYPE_CHECKING:
    from collections.abc import Mapping

DAYS = 30
"""Where the settings say nothing else."""
_LARGEST = 4 * 1024 * 1024
_LONGEST_NAME = 200


def days_kept(home: str, env: Mapping[str, str], project: str) -> int:
    """Days after which a transcript that nobody writes is deleted: `cleanupPeriodDays`, the setting nearest to the project."""
    for scope in reversed(SCOPES):
        path = settings_path(scope, home=home, config_dir=env.get("CLAUDE_CONFIG_DIR"), project=project)
        said = _setting(path)
        if type(said) is int and said >= 0:
            return said
    return DAYS


def folder_of(home: str, env: Mapping[str, str], directory: str) -> str:
    """The folder with the transcripts of a directory; empty where its name is too long to be known without Claude Code."""
    name = re.sub("[^a-zA-Z0-9]", "-", directory)
    root = env.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    return os.path.join(root, "projects", name) if len(name) <= _LONGEST_NAME else ""


def _setting(path: str) -> object:
    try:
        return json.loads(door.read(path, _LARGEST)).get("cleanupPeriodDays")
    except (OSError, ValueError, AttributeError, RecursionError):
        return None
