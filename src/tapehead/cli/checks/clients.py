"""The clients that read the settings our hooks stand in: whether one of them rejects a file for an event of ours."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.agents import clients, hook_command, inspection, setups
from tapehead.agents.registry import HOSTS
from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.install_request import repair
from tapehead.cli.output import Failure, show_note
from tapehead.engine import hook_script, kept_payloads, spool
from tapehead.engine.store_location import state_home
from tapehead.text.wording import when

if TYPE_CHECKING:
    from tapehead.agents.base import Setup
    from tapehead.agents.clients import Compatibility, InstalledClient
    from tapehead.cli.here import Here

_FIX = "`tapehead doctor --fix`"
_WAITING = 60 * 1_000_000_000


def compatible(at: Here) -> list[Finding]:
    """Every agent's settings files against the oldest client that is here."""
    return [finding for host in HOSTS for finding in _of_agent(host, at.place.worktree)]


def script(at: Here) -> list[Finding]:  # noqa: ARG001 - one shape for all checks
    """The script that hooks go through: there where a settings file names it, and of this version."""
    state = state_home(os.environ)
    path = hook_command.script_in(state)
    if not os.path.exists(path) or hook_command.is_current(path):  # that it is gone is said of the file that names it
        return []
    what = f"{path} comes from another version of tapehead"
    return [
        Finding("hooks", WARNING, what, f"{_FIX} replaces it", mend=partial(hook_script.put, state)),
    ]


def unheard_payloads(at: Here) -> list[Finding]:  # noqa: ARG001 - one shape for all checks
    """What came while the program could not run, of any project."""
    kept = kept_payloads.kept_payloads(os.environ)
    if not kept:
        return []
    first, last = (when(datetime.fromtimestamp(kept[end].second, UTC)) for end in (0, -1))
    what = f"{len(kept)} hook payloads arrived while tapehead could not run, from {first} to {last}"
    mend = partial(kept_payloads.take_in, kept, os.environ)
    return [Finding("unheard", WARNING, what, f"{_FIX} records them", mend=mend)]


def spooled_payloads(at: Here) -> list[Finding]:  # noqa: ARG001 - one shape for all checks
    """What is still in the spool although every command takes it in, and what could not be recorded at all."""
    folder = spool.folder_in(state_home(os.environ))
    found = []
    waiting = [entry for entry in _listed(folder) if time.time_ns() - entry.at > _WAITING]
    if waiting:
        since = when(datetime.fromtimestamp(waiting[0].at / 1e9, UTC))
        what = f"{len(waiting)} hook payloads wait in {folder} since {since} and cannot be recorded"
        found.append(Finding("spool", WARNING, what, "check that the disk has room and the repositories are writable"))
    aside = os.path.join(folder, "aside")
    kept = [name for name in os.listdir(aside) if name.endswith(".reason")] if os.path.isdir(aside) else []
    if kept:
        reason = door.read(os.path.join(aside, max(kept)), 200, follow=False).decode("utf-8", "replace").strip()
        what = f"{len(kept)} hook payloads could not be recorded, the last one because: {reason}"
        found.append(Finding("spool", NOTE, what, f"they are kept in {aside}; delete them if you do not need them"))
    return found


def _listed(folder: str) -> list[spool.Entry]:
    return spool.entries(folder) if os.path.isdir(folder) else []


def required_events(host: str) -> tuple[str, ...]:
    """The events without which something is missing: those that every client knows, as far as the oldest one here does."""
    setup = setups.setup_of(host)
    if setup.COMPATIBILITY is None:
        return setup.ENTRIES.events
    version = _version(_oldest(setup.COMPATIBILITY), setup.COMPATIBILITY)
    return setup.COMPATIBILITY.events_of(setup.ENTRIES.events, min(version, setup.COMPATIBILITY.assumed))


def mending(host: str, scope: str, *, all_events: bool = False) -> partial[None]:
    """What `--fix` does about hooks in a settings file: install them again."""
    return partial(_repair, host, scope, all_events=all_events)


def _of_agent(host: str, project: str) -> list[Finding]:
    setup = setups.setup_of(host)
    if setup.COMPATIBILITY is None:
        return []
    home = os.path.expanduser("~")
    paths = {
        scope: setup.settings_path(scope, home=home, env=os.environ, project=project)
        for scope in reversed(setup.SCOPES)
    }
    scopes = {os.path.realpath(path): scope for scope, path in paths.items()}
    reports = {scope: inspection.report(path, setup.ENTRIES) for path, scope in scopes.items()}
    if not any(report.installed for report in reports.values()):
        return []
    oldest = _oldest(setup.COMPATIBILITY)
    found = (_of_file(host, scope, report, oldest) for scope, report in reports.items() if report.installed)
    return [finding for findings in found for finding in findings]


def _of_file(host: str, scope: str, report: inspection.HookReport, oldest: InstalledClient | None) -> list[Finding]:
    setup = setups.setup_of(host)
    known = setup.COMPATIBILITY
    assert known is not None
    present = {hook.event for hook in report.hooks}
    allowed = known.events_of(setup.ENTRIES.events, _version(oldest, known))
    if rejected := sorted(present.difference(allowed)):
        return [_rejected(setup, report.path, rejected, oldest, mending(host, scope, all_events=True))]
    more = [event for event in allowed if event not in present and event not in required_events(host)]
    if not more or scope == "project" or oldest is None:
        return []
    what = f"{report.path}: {setup.NAME} {oldest.words} also knows {', '.join(more)}"
    return [Finding("clients", NOTE, what, f"{_FIX} adds the hook", mend=mending(host, scope))]


def _rejected(
    setup: Setup, path: str, events: list[str], oldest: InstalledClient | None, mend: partial[None]
) -> Finding:
    who = f"{setup.NAME} {oldest.words} ({oldest.path})" if oldest else f"an older {setup.NAME}"
    what = f"{path}: {who} rejects the whole file because of {', '.join(events)}: your own hooks, env and deny rules are ignored too"
    return Finding("clients", ERROR, what, f"{_FIX} removes these events; newer versions know them", mend=mend)


def _oldest(known: Compatibility) -> InstalledClient | None:
    found = clients.installed_clients(known, os.path.expanduser("~"), os.environ)
    return clients.oldest_of(found, known)


def _version(oldest: InstalledClient | None, known: Compatibility) -> tuple[int, ...]:
    return (oldest.version if oldest else None) or known.assumed


def _repair(host: str, scope: str, *, all_events: bool) -> None:
    try:
        repair(host, scope, all_events=all_events)
    except Failure as error:
        show_note(str(error))
