"""What a user should know after an install."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.agents import inspection
from tapehead.agents.setups import setup_of
from tapehead.cli.install_request import path_of, pointing_note
from tapehead.cli.output import show_note

if TYPE_CHECKING:
    from tapehead.agents import installation
    from tapehead.cli.install_request import Request


def tell_what_to_know(requests: list[Request], changes: list[installation.Change], uncompiled: tuple[str, ...]) -> None:
    """The rest of it: what will be slow, what is there twice, what the agent has to be told."""
    if uncompiled:
        show_note(f"{len(uncompiled)} modules can't be compiled, so hooks will be slow: {uncompiled[0]}")
    for note in filter(None, map(pointing_note, requests)):
        show_note(note)
    for request, change in zip(requests, changes, strict=True):
        elsewhere = [report.path for report in _others(request) if report.installed]
        if elsewhere:
            show_note(f"hooks are also in {', '.join(elsewhere)}: the agent runs both. Uninstall one of them")
        if change.changed and not request.dry_run and (to_do := setup_of(request.agent).to_do(change.path)):
            show_note(to_do)


def _others(request: Request) -> list[inspection.HookReport]:
    setup = setup_of(request.agent)
    paths = {os.path.realpath(path_of(request.agent, scope)) for scope in setup.SCOPES}
    return [inspection.report(path, setup.ENTRIES) for path in sorted(paths - {os.path.realpath(request.path)})]
