"""Where Claude Code's settings lie, and the command that each of the files gets."""

from __future__ import annotations

import os.path

from tapehead.agents import hook_command

SCOPES = ("user", "project", "local")
SHARED_COMMAND = hook_command.make_shared_command("claude")


def settings_path(scope: str, *, home: str, config_dir: str | None, project: str) -> str:
    """Give the path of a scope's settings; `config_dir` is what CLAUDE_CONFIG_DIR says."""
    places = {
        "user": (config_dir or os.path.join(home, ".claude"), "settings.json"),
        "project": (project, ".claude", "settings.json"),
        "local": (project, ".claude", "settings.local.json"),
    }
    return os.path.join(*places[scope])


def command_for(scope: str, executable: str, script: str) -> str:
    """Give the command line that the hooks of a scope run."""
    return SHARED_COMMAND if scope == "project" else hook_command.make_guarded_command(script, executable, "claude")
