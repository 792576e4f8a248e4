"""Whether the hooks are in the agent's settings, once, with a command that is there; whether it is compiled; our own settings."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from tapehead.agents.setups import inspection_of, plugin_is_on, setup_of
from tapehead.cli import bytecode, off_period
from tapehead.cli.checks.clients import mending, required_events
from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.here import states_of
from tapehead.store import off_switch

if TYPE_CHECKING:
    from tapehead.agents.inspection import HookReport
    from tapehead.cli.here import Here


def check_switch(at: Here) -> list[Finding]:
    """Whether tapehead is off here, and whose sessions ran while it was."""
    found = []
    if period := off_period.current(at):
        what = f"tapehead is {off_period.told(period)} in this repository: nothing is recorded"
        found.append(Finding("off", NOTE, what, "`tapehead on` turns it on again"))
    for session_id in states_of(at):
        if off_switch.is_left_out(at.engine.layout, session_id):
            what = (
                "it went on while tapehead was off: what was said then is not recorded, and its transcript is not read"
            )
            found.append(
                Finding("off", NOTE, what, "`tapehead import` and `tapehead archive` still read it", session_id)
            )
    return found


def hooks(at: Here) -> list[Finding]:
    """The settings files of Claude Code. With our plugin, nothing need be in them; with both, each event is still written once."""
    home = os.path.expanduser("~")
    setup, inspection = setup_of("claude"), inspection_of("claude")
    paths = [setup.settings_path(scope, home=home, env=os.environ, project=at.place.worktree) for scope in setup.SCOPES]
    scopes = {os.path.realpath(path): scope for path, scope in reversed([*zip(paths, setup.SCOPES, strict=True)])}
    reports = inspection.inspect(paths, events=required_events("claude"))
    found = [finding for report in reports for finding in of_report(report, "claude", scopes[report.path])]
    if not any(report.installed for report in reports) and not plugin_is_on("claude", paths):
        found.append(_none_installed())
    if doubled := inspection.installed_twice(reports):
        what = f"tapehead's hooks are installed twice, with different commands, for {', '.join(doubled)}"
        found.append(Finding("hooks", WARNING, what, "remove one of them: `tapehead uninstall --scope …`"))
    return found


def _none_installed() -> Finding:
    if shutil.which("claude") is None:
        return Finding(
            "hooks", NOTE, "Claude Code is not on the PATH, and no hooks are installed", "`tapehead install`"
        )
    return Finding("hooks", ERROR, "tapehead's hooks are not installed", "`tapehead install`")


def of_report(report: HookReport, host: str, scope: str) -> list[Finding]:
    """What is wrong with our hooks in one settings file, and what an install would do about it."""
    wrong = {
        f"{report.path}: no hook for {', '.join(report.missing)}": bool(report.missing),
        f"{report.path}: more than one hook for {', '.join(report.doubled)}": bool(report.doubled),
        f"{report.path}: runs {', '.join(report.gone)}, which does not exist": bool(report.gone),
    }
    found = [_fixable(ERROR, what, host, scope) for what, true in wrong.items() if true]
    if report.error:
        found.append(Finding("hooks", ERROR, f"{report.path}: {report.error}", "correct the file"))
    if report.installed and report.switched_off:
        what = f"{report.path}: disableAllHooks is set, so no hook runs"
        found.append(Finding("hooks", ERROR, what, "remove it from the file"))
    if report.unguarded and not report.gone:
        what = f"{report.path}: the hook command is from an older version, and would fail at every prompt after tapehead is removed"
        found.append(_fixable(WARNING, what, host, scope))
    return found


def _fixable(level: str, what: str, host: str, scope: str) -> Finding:
    return Finding("hooks", level, what, "`tapehead doctor --fix` corrects it", mend=mending(host, scope))


def check_bytecode(at: Here) -> list[Finding]:  # noqa: ARG001 - one shape for all checks
    """Bytecode."""
    lacking = bytecode.missing()
    if not lacking:
        return []
    what = f"{len(lacking)} modules are not compiled for {os.path.basename(sys.executable)}: every hook takes about three times as long"
    return [Finding("bytecode", WARNING, what, "`tapehead doctor --fix` compiles them", mend=_compile)]


def settings(at: Here) -> list[Finding]:
    """What config.toml or the environment says, and nobody can follow. The default serves meanwhile."""
    return [
        Finding("settings", WARNING, f"{wrong.where}: {wrong.what}", wrong.hint)
        for wrong in at.engine.settings.complaints
    ]


def _compile() -> None:
    bytecode.compile_now()
