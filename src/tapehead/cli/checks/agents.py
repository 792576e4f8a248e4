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
    paths = {scope: setup.settings_path(scope, home=home, env=os.environ, project=project) for scope in setup.SCOPES}
    reports = {scope: inspection.report(path, setup.ENTRIES) for scope, path in paths.items()}
    installed = {scope: report for scope, report in reports.items() if report.installed}
    if installed:
        return [finding for scope, report in installed.items() for finding in _of_file(host, scope, report, project)]
    if not setups.is_there(host, home, os.environ):
        return []
    failed = {scope: report for scope, report in reports.items() if report.error}
    return [finding for scope, report in failed.items() for finding in of_report(report, host, scope)] or [_offer(host)]


def _of_file(host: str, scope: str, report: inspection.HookReport, project: str) -> list[Finding]:
    text = settings_file.read(report.path) or ""
    told = setups.setup_of(host).complaints(
        report.path, text, home=os.path.expanduser("~"), env=os.environ, project=project
    )
    return [
        *of_report(report, host, scope),
        *(Finding("hooks", WARNING, f"{report.path}: {what}", hint) for what, hint in told),
    ]


def _offer(host: str) -> Finding:
    what = f"{setups.setup_of(host).NAME} is installed, but has no tapehead hooks"
    return Finding("hooks", NOTE, what, f"`tapehead install --agent {host}`")
