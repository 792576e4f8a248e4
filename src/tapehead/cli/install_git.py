"""The git half of install and uninstall: what becomes of the repository's hooks, and how that is told."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NoReturn

from tapehead.cli.diff import colour_difference, list_difference
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.engine.git_setup import find_wanted
from tapehead.engine.store_location import place_of
from tapehead.engine.store_registry import list_stores
from tapehead.git.run import GitFailed
from tapehead.store.paths import Layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.engine.store_location import Place
    from tapehead.git.hooks_install import Change


_SHOWN = 6


def changes(perform: Callable[[Place], list[Change]]) -> list[Change]:
    """What becomes of the hooks of the repository that we stand in; nothing outside of one."""
    place = place_of(here(), os.environ)
    if place.repository is None or not place.repository.worktree:
        return []
    try:
        return perform(place)
    except (OSError, GitFailed) as error:
        raise Failure(f"git hooks: {error}", hint="`--no-git` skips the git hooks") from None


def check(*, git: bool | None, agent: str | None) -> None:
    """Refuses what could not be done: `--git` is about a repository, and about nothing else."""
    if git and agent:
        raise Failure(
            "--git installs only this repository's git hooks", hint="leave out --agent, or leave out --git to do both"
        )
    if git and not _repository():
        raise Failure("not in a git repository", hint="`cd` into one")


def _repository() -> bool:
    place = place_of(here(), os.environ)
    return bool(place.repository and place.repository.worktree)


def answer(hooks: list[Change], done: str, idle: str, *, dry_run: bool, as_json: bool, alone: bool) -> None:  # noqa: PLR0913 - how it is told
    """What was done, by folder; beside the agents' answer only what is worth a line. Alone, it fails where nothing could be done."""
    changed = [change for change in hooks if change.changed]
    left = [change for change in hooks if change.problem]
    if as_json:
        if alone:
            show_json({"dry_run": dry_run, "git": as_data(hooks)})
    elif dry_run and changed:
        for change in changed:
            show_diff(list_difference(change.before, change.after, change.path))
    elif changed:
        names = ", ".join(change.name for change in changed)
        console().print(f"{done} {os.path.dirname(changed[0].path)} ({names})", soft_wrap=True)
    elif not alone and not left and any(change.after for change in hooks):
        console().print(f"{idle} {os.path.dirname(hooks[0].path)}", soft_wrap=True)
    elif alone and not left:
        console().print(f"{idle} this repository")
    if left and alone and not changed:
        _give_up(left)
    for problem, those in _by_problem(left).items() if not as_json else ():
        show_note(f"{os.path.dirname(left[0].path)} ({', '.join(those)}) was not changed: {problem}")


def _give_up(left: list[Change]) -> NoReturn:
    """Not one hook could be put in: whoever asked for them must hear it."""
    reasons = "; ".join(_by_problem(left))
    raise Failure(
        f"no hooks are installed in {os.path.dirname(left[0].path)}: {reasons}", hint=f"in each: {call('NAME')}"
    )


def _by_problem(left: list[Change]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for change in left:
        found.setdefault(change.problem, []).append(change.name)
    return found


def call(name: str, program: str = "tapehead") -> str:
    """The line that a user puts into a hook that we leave alone."""
    return f'`{program} hook git {name} "$@" </dev/null >/dev/null 2>&1 || :`'


def tell_of_others(home: str, own: str) -> None:
    """Other repositories whose hooks still call us: nobody but the user who stands there takes them out."""
    roots = [root for root in list_stores(home) if root != own and find_wanted(Layout(root))]
    if roots:
        names = ", ".join(os.path.dirname(os.path.dirname(root)) for root in roots[:_SHOWN]) + (
            " …" if roots[_SHOWN:] else ""
        )
        show_note(f"git hooks are also in {names}. To remove them, run there: `tapehead uninstall --git`")


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
        screen.print(colour_difference(rows), soft_wrap=True)
    else:
        import click  # noqa: PLC0415 - for a pipe alone

        click.echo("\n".join(rows))


def here() -> str:
    """The directory that we stand in."""
    try:
        return os.getcwd()
    except OSError:
        raise Failure("The working directory no longer exists", hint="`cd` to another one") from None
