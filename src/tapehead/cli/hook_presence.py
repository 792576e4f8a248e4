"""Whether an agent would hear of what is handed to it: whether hooks of ours are in any of its settings."""

from __future__ import annotations

import os

from tapehead.agents import inspection
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import plugin_is_on, setup_of
from tapehead.cli.output import show_note


def warn_if_deaf(host: str, project: str) -> None:
    """Says that an agent without our hooks never learns of a baton."""
    if not listens(host, project):
        setup = setup_of(host)
        show_note(
            f"{setup.NAME} has no tapehead hooks and would not receive the handoff. Install them: `tapehead install --agent {host}`"
        )


def has_hooks(project: str) -> bool:
    """Whether any agent would tell of its work here."""
    return any(listens(host, project) for host in HOSTS)


def listens(host: str, project: str) -> bool:
    """Whether hooks of ours are in one of its settings files, or our plugin is on."""
    setup, home = setup_of(host), os.path.expanduser("~")
    paths = [setup.settings_path(scope, home=home, env=os.environ, project=project) for scope in setup.SCOPES]
    if plugin_is_on(host, paths):
        return True
    return any(inspection.report(path, setup.ENTRIES).installed for path in paths)
