"""`tapehead gc`: old sessions into the archive."""

from __future__ import annotations

import click

from tapehead.cli.here import here
from tapehead.cli.output import console, show_json
from tapehead.cli.upkeep import attend
from tapehead.cli.upkeep import gc as sweep
from tapehead.text.wording import count


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def gc(*, as_json: bool) -> None:
    """Hide old sessions from the lists: those that ended over 7 days ago.

    No session is deleted: resume one or name its id, and it is back. A session without a running agent counts as
    ended after 7 quiet days. `status` and `log` do the same once a day.

    This command also deletes snapshots of the work tree after 30 days, and temporary files after an hour. It leaves
    copies of transcripts alone.

    \b
    Examples:
      tapehead gc
    """
    at = here()
    attend(at.engine)
    swept = sweep(at.engine, at.now)
    if as_json:
        show_json({"archived": list(swept.archived), "scratch_files": swept.scratch_files})
        return
    console().print(
        f"{count(len(swept.archived), 'session')} taken off the lists, {count(swept.scratch_files, 'temporary file')} deleted"
    )
