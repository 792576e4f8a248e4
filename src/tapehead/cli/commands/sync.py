"""`tapehead sync`: checkpoints and handoffs to a remote and back."""

from __future__ import annotations

import click

from tapehead.attribution.copies import note_copies
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.handoff_ref import Handoffs
from tapehead.checkpoints.sync import Unreachable, sync_all
from tapehead.cli.commands.remember import rememberer
from tapehead.cli.handoff_transfer import not_taken, note_twice, side_of, taken_twice, the_remote
from tapehead.cli.here import here
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.slow_work import show_if_slow
from tapehead.engine.git_setup import catch_up_here
from tapehead.git.run import GitFailed
from tapehead.memories.proposals import SHARED
from tapehead.text.plain import plain
from tapehead.text.wording import count


@click.command()
@click.argument("remote", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def sync(*, remote: str | None, as_json: bool) -> None:
    """Push and fetch checkpoints, handoffs and shared memories.

    REMOTE is a git remote, a URL or a path. Branches, tags and files are not touched.

    Your own checkpoints never change. If somebody changed or deleted them on the remote, `sync` says so and keeps the
    other version under refs/tapehead/refused.

    \b
    Examples:
      tapehead sync
      tapehead sync upstream
    """
    at = here()
    side, name = side_of(at), the_remote(at, remote)
    catch_up_here(at.engine, at.place)
    before = taken_twice(at, name)
    try:
        with show_if_slow(f"Syncing with {plain(name)} ...") as show:
            now = int(at.now.timestamp())
            note_copies(at.engine.layout, Checkpoints(side), at.place.worktree or side.common_dir, now)
            done = sync_all(side, name, now, lambda step: show(f"Syncing with {plain(name)}: {step} ..."))
    except (Unreachable, GitFailed) as error:
        raise Failure(f"Can't reach {name}: {error}", "nothing is lost; sync again later") from None
    shared = sum(one.why == SHARED for one in rememberer().proposals())
    waiting = len(Handoffs(side, name).waiting())
    twice = {place: told for place, told in taken_twice(at, name).items() if place not in before}
    note_twice(at, [*twice])
    if as_json:
        counts = {"received": done.received, "sent": done.sent, "handed_over": waiting, "taken_twice": [*twice]}
        counts |= {"shared_to_review": shared}
        counts |= {"refused": done.refused, "refused_ref": done.kept_as, "lost": done.lost}
        show_json({"remote": done.remote, **counts})
        return
    console().print(f"{name}: {count(done.received, 'checkpoint')} received, {done.sent} sent")
    if shared:
        console().print(f"{count(shared, 'shared memory', 'shared memories')} to review: `tapehead memories proposals`")
    if waiting:
        console().print(f"{count(waiting, 'session')} handed off to you: `tapehead resume --from {name}`")
    for told in (*twice.values(), *not_taken(done)):
        show_note(told)
