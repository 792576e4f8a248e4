"""`tapehead restore-transcript`: a kept or damaged transcript back where its agent finds it."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING

import click

from tapehead.agents.readers import retention_of
from tapehead.agents.setups import resuming, setup_of
from tapehead.archive.archive import Archive
from tapehead.archive.restoration import Refused, Wish, restore
from tapehead.archive.segments import Damaged
from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import here
from tapehead.cli.output import Failure, show_json, show_note
from tapehead.cli.session_choice import choose
from tapehead.text.wording import alike

if TYPE_CHECKING:
    from tapehead.archive.restoration import Restored
    from tapehead.cli.here import Here


@click.command(name="restore-transcript")
@click.argument("session", shell_complete=session_ids)
@click.option(
    "--before-compaction", "before", metavar="N", type=click.IntRange(min=1), default=None,
    help="Restore the conversation before its Nth compaction, as a new session.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def restore_transcript(*, session: str, before: int | None, as_json: bool) -> None:
    """Restore a deleted or damaged transcript.

    Afterwards the agent can resume the session. The source is the copy that `tapehead archive` kept, or the damaged
    file. No file is overwritten: if the transcript exists, the repaired one becomes a new session.

    \b
    Examples:
      tapehead restore-transcript 3f2a
      tapehead restore-transcript 3f2a --before-compaction 1
    """
    at = here()
    archive = Archive(at.engine.layout)
    wish = _wish(at, archive, session)
    try:
        done = restore(archive, wish._replace(before=before or 0, new_id=str(uuid.uuid4())))
    except Refused as error:
        raise Failure(*error.args) from None
    except Damaged as error:
        raise Failure(f"The kept copy is damaged: {error}", "`tapehead doctor` says more") from None
    except FileExistsError as error:
        raise Failure(f"{error.filename} exists by now", "try again") from None
    if as_json:
        show_json(_as_data(wish, done))
    else:
        _tell(wish, done)


def _wish(at: Here, archive: Archive, wanted: str) -> Wish:
    """What is meant: a session of which something is kept, else one that is known here."""
    kept = archive.kept()
    ids = sorted({each.source.session for each in kept})
    found = [wanted] if wanted in ids else [name for name in ids if wanted and name.startswith(wanted)]
    if len(found) > 1:
        raise Failure(f"{len(found)} sessions begin with {wanted!r}", alike(found))
    if not found:
        state = choose(at, wanted)
        return Wish(
            state.session_id, state.agent, os.path.realpath(state.transcript_path) if state.transcript_path else ""
        )
    agent = next(each.source.agent for each in kept if each.source.session == found[0])
    keeps = retention_of(agent)
    moved_to = keeps.folder_of(os.path.expanduser("~"), os.environ, at.place.worktree) if keeps else ""
    return Wish(found[0], agent, moved_to=moved_to)


def _tell(wish: Wish, done: Restored) -> None:
    name = setup_of(wish.agent).NAME
    for problem in done.problems:
        show_note(f"mended: {problem}")
    if not done.paths:
        click.echo(f"Nothing to do: {name} has the whole transcript.")
    for path in done.paths[:1]:
        click.echo(f"Restored {path}")
    if len(done.paths) > 1:
        click.echo(f"  and {len(done.paths) - 1} files beside it")
    if done.session != wish.session:
        click.echo(f"It is a new session: {done.session}")
    if done.hint:
        show_note(done.hint)
    click.echo(f"To continue: {resuming(wish.agent, done.session)}")


def _as_data(wish: Wish, done: Restored) -> dict[str, object]:
    return {
        "session": done.session,
        "of": wish.session,
        "agent": wish.agent,
        "files": list(done.paths),
        "mended": list(done.problems),
        "hint": done.hint,
        "command": resuming(wish.agent, done.session),
    }
