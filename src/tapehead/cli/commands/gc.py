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
    """Take sessions that ended over 7 days ago off the lists.

    They move to a folder of their own, and `status` does not list them any more. No session is deleted: one that you resume or name comes
    back. A session whose agent is gone and in which nothing happened for 7 days counts as ended. `status` and `log` do this once a day. If
    a repository has over 600 sessions, every command does it for all ended ones but the newest 500.

    Snapshots of the work tree, for `rewind`, are deleted after 30 days, and temporary files that killed processes left after an hour. Copies
    of transcripts are another matter: see `tapehead archive`.

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
        f"archived {count(len(swept.archived), 'session')}, removed {count(swept.scratch_files, 'temporary file')}"
    )
