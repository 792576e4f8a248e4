"""`tapehead notes`: the running notes of a session."""

from __future__ import annotations

import sys

import click

from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import here
from tapehead.cli.output import Failure, show_json, show_note
from tapehead.cli.session_choice import choose
from tapehead.cli.session_input import writing
from tapehead.documents import notes_basis
from tapehead.documents import notes_file as kept
from tapehead.documents.section_merge import Standing, by_the_user
from tapehead.engine.chores import keep_notes
from tapehead.notes.rendering import TITLES
from tapehead.user_command import Failed


@click.command()
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Session id, or its beginning. Default: the newest in this worktree.",
)
@click.option("--refresh", is_flag=True, help="Update the notes first.")
@click.option("--path", "only_path", is_flag=True, help="Print only the path of the file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: the sections, and which lines you wrote.")
def notes(*, session: str | None, refresh: bool, only_path: bool, as_json: bool) -> None:
    """Show the notes that tapehead keeps of a session.

    tapehead updates them after turns, without a model: requests, current state, files, commands, errors, learnings
    and a log.

    You may edit the file. What you add stays. What you delete does not come back.

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
            show_note(f"{error}; the notes were written without that command")
    path, text = kept.path(at.engine.layout, session_id), kept.read(at.engine.layout, session_id)
    if only_path:
        sys.stdout.write(f"{path}\n")
    elif as_json:
        standing = Standing(text)
        sections = {title: body for title in TITLES if (body := standing.body(title)) is not None}
        record = kept.record_in(notes_basis.load(at.engine.layout, session_id))
        by_hand = by_the_user(text, record, TITLES)
        show_json({"session": session_id, "path": path, "sections": sections, "by_a_person": by_hand})
    elif text:
        sys.stdout.write(text)
    else:
        first = at.engine.settings.number("notes.first")
        hint = (
            f"notes begin after {first:,} tokens (setting notes.first). To write them now: `tapehead notes --refresh`"
        )
        raise Failure(f"Session {session_id[:8]} has no notes yet", hint)
