"""The git half of install and uninstall: what becomes of the repository's hooks, and how that is told."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tapehead.cli.diff import coloured, unified
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.places import place_of
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.cli.places import Place
    from tapehead.git.hooks_install import Change


def changes(perform: Callable[[Place], list[Change]]) -> list[Change]:
    """What becomes of the hooks of the repository that we stand in; nothing outside of one."""
    place = place_of(here(), os.environ)
    if place.repository is None or not place.repository.worktree:
        return []
    try:
        return perform(place)
    except (OSError, GitFailed) as error:
        raise Failure(f"the hooks of git: {error}", hint="`--no-git` leaves them out") from None


def answer(hooks: list[Change], done: str, idle: str, *, dry_run: bool, as_json: bool, alone: bool) -> None:  # noqa: PLR0913 - how it is told
    """What was done, by folder; beside the agents' answer only what is worth a line."""
    changed = [change for change in hooks if change.changed]
    if as_json:
        if alone:
            show_json({"dry_run": dry_run, "git": as_data(hooks)})
        return
    if dry_run:
        for change in changed:
            show_diff(unified(change.before, change.after, change.path))
    elif changed:
        names = ", ".join(change.name for change in changed)
        console().print(f"{done} {os.path.dirname(changed[0].path)} ({names})", soft_wrap=True)
    elif alone:
        console().print(f"{idle} this repository" if hooks or "no " in idle else "not in a git repository")
    for change in hooks:
        if change.problem:
            show_note(f"{change.path} is left as it is: {change.problem}")


def as_data(hooks: list[Change]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {"name": change.name, "path": change.path, "changed": change.changed, "problem": change.problem}
        for change in hooks
    ]


def show_diff(rows: tuple[str, ...]) -> None:
    """In a pipe the bare rows, tabs included: rich would set spaces for them."""
    screen = console()
    if screen.is_terminal:
        screen.print(coloured(rows), soft_wrap=True)
    else:
        import click  # noqa: PLC0415 - for a pipe alone

        click.echo("\n".join(rows))


def here() -> str:
    """The directory that we stand in."""
    try:
        return os.getcwd()
    except OSError:
        raise Failure("the current directory is gone", hint="change to a directory that is there") from None
