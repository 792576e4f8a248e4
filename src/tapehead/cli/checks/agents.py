"""The other agents: whether our hooks are in their settings, and whether anything keeps them from running there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents import inspection, settings_file, setups
from tapehead.agents.registry import HOSTS
from tapehead.cli.checks.finding import NOTE, WARNING, Finding
from tapehead.cli.checks.setup import of_report

if TYPE_CHECKING:
    from tapehead.cli.here import Here


def other_agents(at: Here) -> list[Finding]:
    """Every agent but Claude Code, which has a check of its own."""
    return [finding for host in HOSTS if host != "claude" for finding in _of_agent(host, at.place.worktree)]


def _of_agent(host: str, project: str) -> list[Finding]:
    setup, home = setups.setup_of(host), os.path.expanduser("~")
    path = setup.settings_path("user", home=home, env=os.environ, project=project)
    report = inspection.report(path, setup.ENTRIES)
    if report.installed:
        text = settings_file.read(path) or ""
        told = setup.complaints(path, text, home=home, env=os.environ, project=project)
        return [*of_report(report), *(Finding("hooks", WARNING, f"{path}: {what}", hint) for what, hint in told)]
    if report.error and setups.is_there(host, home, os.environ):
        return of_report(report)
    return [_offer(host)] if setups.is_there(host, home, os.environ) else []


def _offer(host: str) -> Finding:
    what = f"{setups.setup_of(host).NAME} is here, and its hooks are not installed"
    return Finding("hooks", NOTE, what, f"`tapehead install --agent {host}`")
