"""`tapehead fix`: whether an error was met before, and what was done after which it went away."""

from __future__ import annotations

import sys

import click

from tapehead.cli.here import all_here, here
from tapehead.cli.history_access import memory
from tapehead.cli.output import Failure, show_json
from tapehead.cli.passages import local_minute
from tapehead.cli.plain_lines import show
from tapehead.history.ask import History
from tapehead.history.known_errors import LIMIT, Fix, find_fixes
from tapehead.history.pointers import Pointer, shorten_ids
from tapehead.text.error_shape import asked_for
from tapehead.text.plain import plain

_WIDTH = 80


@click.command()
@click.argument("error", nargs=-1, required=True)
@click.option(
    "--limit", type=click.IntRange(1, 50), default=LIMIT, show_default=True, help="Number of failures to show."
)
@click.option("--all", "all_places", is_flag=True, help="Search all projects on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def fix(*, error: tuple[str, ...], limit: int, all_places: bool, as_json: bool) -> None:
    r"""Find how an error was solved before.

    ERROR is the text of the error; `-` reads it from stdin. Paths, numbers and quoted names may differ. You see
    what was done between the failure and the success.

    Exit code 1 if the error is new.

    \b
    Examples:
      tapehead fix "ModuleNotFoundError: No module named 'yaml'"
      make test 2>&1 | tail -20 | tapehead fix -
      tapehead fix "undefined: getStagedFiles" --json
    """
    text = sys.stdin.read() if error == ("-",) else " ".join(error)
    if not asked_for(text):
        raise Failure("No error text given", "pass the line that says what went wrong")
    found = []
    for number, at in enumerate(all_here() if all_places else [here()]):
        try:
            with memory(at, fresh=not number) as database:
                fixes = find_fixes(database, text, limit)
                ids = shorten_ids([one.session for one in fixes], History(database).session_ids())
        except Failure:
            if not all_places:
                raise
            continue
        found += [(one, ids[one.session], bool(number)) for one in fixes]
    found = sorted(found, key=lambda one: (not one[0].solved_in, -one[0].likeness))[:limit]
    if as_json:
        show_json([_as_data(one, short) for one, short, _ in found])
    else:
        for one, short, elsewhere in found:
            _show(one, short, elsewhere=elsewhere)
    if not found:
        raise Failure("This error is new", "`tapehead search WORDS` searches by words")


def _as_data(one: Fix, short: str) -> dict[str, object]:
    changes = [change._asdict() for change in one.changes]
    pointer = str(Pointer(short, one.pointer.turn))
    return {"pointer": pointer, **one._asdict(), "changes": changes, "likeness": round(one.likeness, 2)}


def _show(one: Fix, short: str, *, elsewhere: bool) -> None:
    solved = f"solved in turn {one.solved_in}" if one.solved_in else "no success seen"
    show(f"Session {short}, turn {one.turn}, {local_minute(one.time)}: {solved}", "bold")
    show(_cut(f"  {plain(one.error)}"))
    if one.command:
        show(_cut(f"  failed: {plain(one.command)}"))
    for change in one.changes:
        show(_cut(f"  then {change.what} {plain(change.target)}"))
    show(f"  tapehead detail {Pointer(short, one.pointer.turn)}{' --all' if elsewhere else ''}", "dim")


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    line = f"  {flat}"
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
