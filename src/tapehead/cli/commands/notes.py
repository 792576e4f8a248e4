"""`tapehead notes`: the running notes of a session."""

from __future__ import annotations

import sys

import click

from tapehead.actions.asking import Failed
from tapehead.cli.completing import session_ids
from tapehead.cli.here import here
from tapehead.cli.keeping import writing
from tapehead.cli.output import Failure, show_json, show_note
from tapehead.cli.selection import choose
from tapehead.cli.tending import keep_notes
from tapehead.restore.notes.written import TITLES
from tapehead.store import beside
from tapehead.store import notes as kept
from tapehead.store.merging import Standing, by_a_person


@click.command()
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Which session (or how its id begins); the newest of this worktree otherwise.",
)
@click.option("--refresh", is_flag=True, help="Bring them up to date first, whether or not they are due.")
@click.option("--path", "only_path", is_flag=True, help="Only where the file is.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON: the sections, and which lines a person wrote.")
def notes(*, session: str | None, refresh: bool, only_path: bool, as_json: bool) -> None:
    """Show the running notes of a session.

    What was asked, where it stands, files, commands, errors, learnings, and a log. They are kept current at turn ends, without a model, and may be edited by hand: what you write stays, what you take out does not
    come back. docs/notes.md tells how.

    \b
    Examples:
      tapehead notes
      tapehead notes --session 3f2a --refresh
      $EDITOR "$(tapehead notes --path)"
    """
    at = here()
    state = choose(at, session)
    session_id = state.session_id
    if refresh:
        try:
            with writing():
                keep_notes(at.engine, session_id, now=True, state=state)
        except Failed as error:
            show_note(f"{error}; the notes were written without it")
    path, text = kept.path(at.engine.layout, session_id), kept.read(at.engine.layout, session_id)
    if only_path:
        sys.stdout.write(f"{path}\n")
    elif as_json:
        standing = Standing(text)
        sections = {title: body for title in TITLES if (body := standing.body(title)) is not None}
        record = kept.record_in(beside.load(at.engine.layout, session_id))
        by_hand = by_a_person(text, record, TITLES)
        show_json({"session": session_id, "path": path, "sections": sections, "by_a_person": by_hand})
    elif text:
        sys.stdout.write(text)
    else:
        first = at.engine.settings.number("notes.first")
        hint = f"they begin after {first:,} tokens (`tapehead config`); `tapehead notes --refresh` writes them now"
        raise Failure(f"session {session_id[:8]} has no notes yet", hint)
