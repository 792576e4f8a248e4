"""`tapehead sync`: checkpoints to a remote and back."""

from __future__ import annotations

import click

from tapehead.cli.here import Here, here
from tapehead.cli.output import Failure, console, show_json
from tapehead.cli.telling import count
from tapehead.git.checkpoints import Checkpoints
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.git.syncing import Unreachable, remotes
from tapehead.git.syncing import sync as synced


@click.command()
@click.argument("remote", required=False)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def sync(*, remote: str | None, as_json: bool) -> None:
    """Push and fetch the checkpoints, with any remote that git knows. Branches, tags and files are not touched.

    \b
    Examples:
      tapehead sync
      tapehead sync upstream
    """
    at = here()
    if at.place.repository is None:
        raise Failure("this is no git repository", "`cd` into one")
    kept = Checkpoints(Side(at.engine.layout.lines, at.place.repository.common_dir))
    name = remote or _only(at)
    try:
        done = synced(kept, name, int(at.now.timestamp()))
    except (Unreachable, GitFailed) as error:
        raise Failure(f"{name} cannot be reached: {error}", "nothing is lost: the next sync catches up") from None
    if as_json:
        show_json({"remote": done.remote, "received": done.received, "sent": done.sent})
    else:
        console().print(f"{name}: {count(done.received, 'checkpoint')} received, {done.sent} sent")


def _only(at: Here) -> str:
    known = remotes(at.place.repository.common_dir) if at.place.repository else []
    if not known:
        raise Failure("this repository has no remote", "`git remote add NAME URL`, or name a URL")
    if "origin" not in known and len(known) > 1:
        raise Failure(f"which of {', '.join(known)}?", "`tapehead sync NAME`")
    return "origin" if "origin" in known else known[0]
