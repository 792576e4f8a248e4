"""`tapehead why`: the short form of `explain` for a file or a line."""

from __future__ import annotations

import os

import click

from tapehead.cli.commands.explain import explain
from tapehead.cli.here import here
from tapehead.cli.history_access import memory
from tapehead.cli.output import Failure, show_json
from tapehead.cli.passages import local_minute
from tapehead.cli.plain_lines import show
from tapehead.history.ask import History
from tapehead.history.file_turns import LIMIT, turns_that_changed
from tapehead.history.pointers import Pointer, shorten_ids
from tapehead.text.plain import plain

_WIDTH = 80


@click.command()
@click.argument("what", metavar="FILE[:LINE]", type=click.Path())
@click.option("--limit", type=click.IntRange(1, 100), default=LIMIT, show_default=True, help="Number of turns to show.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def why(ctx: click.Context, *, what: str, limit: int, as_json: bool) -> None:
    r"""List the prompts that changed a file, committed or not.

    The newest comes first. FILE:LINE shows the one commit that wrote this line, as `tapehead explain` does.

    Exit code 1 if no agent changed the file.

    \b
    Examples:
      tapehead why src/app.py:120
      tapehead why src/app.py
      tapehead why lock.py --json
    """
    file, _, number = what.rpartition(":")
    if number.isdigit() and file:
        ctx.invoke(explain, what=what, with_brief=False, as_json=as_json)
        return
    with memory(here()) as database:
        found = turns_that_changed(database, os.path.normpath(what), limit)
        ids = shorten_ids([one.session for one in found], History(database).session_ids())
    if as_json:
        show_json([{"pointer": str(Pointer(ids[one.session], one.turn)), **one._asdict()} for one in found])
    else:
        for one in found:
            show(f"{local_minute(one.time)}  tapehead detail {Pointer(ids[one.session], one.turn)}", "bold")
            asked = " ".join(plain(one.asked).split())
            show(f"  {asked if len(asked) <= _WIDTH - 2 else asked[: _WIDTH - 3] + '…'}")
    if not found:
        raise Failure(f"No agent activity recorded for {what}", "try `tapehead search WORDS --file FILE`")
