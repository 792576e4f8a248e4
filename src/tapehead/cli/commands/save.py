"""`tapehead save`: focus, notes and next steps of a session, by hand."""

from __future__ import annotations

import click

from tapehead.actions.breaker import is_blocked
from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import Here, here, known
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.piped_text import read_pipe
from tapehead.cli.session_choice import choose
from tapehead.cli.session_input import from_stdin, writing
from tapehead.documents import saved_notes
from tapehead.engine.chores import capture
from tapehead.text.wording import count


@click.command()
@click.argument("text", required=False, metavar="[-]")
@click.option("--focus", metavar="TEXT", help="What you work on now. It replaces the last focus.")
@click.option("--note", "notes", multiple=True, metavar="TEXT", help="Something to know (repeatable).")
@click.option("--next", "steps", multiple=True, metavar="TEXT", help="A next step (repeatable).")
@click.option("--replace", is_flag=True, help="Replace what was saved before.")
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Session id, or its beginning. Default: the newest in this worktree.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def save(  # noqa: PLR0913 - one for each option
    *,
    text: str | None,
    focus: str | None,
    notes: tuple[str, ...],
    steps: tuple[str, ...],
    replace: bool,
    session: str | None,
    as_json: bool,
) -> None:
    r"""Save your focus, notes and next steps for the brief.

    Every brief of this session begins with them. Without arguments, the command shows what is saved. You may edit the
    file.

    `-` reads a text from stdin. The headings Focus, Notes and Next steps say what is what. In a text without
    headings, each paragraph or list item is a note.

    \b
    Examples:
      tapehead save --focus "move the parser to the new reader" --next "run the tests of tests/parser"
      tapehead save --note "the fixture in conftest.py hides the bug"
      tapehead save < notes.md
      tapehead save
    """
    at = here()
    more = _asked(text, focus, notes, steps)
    session_id = choose(at, session).session_id
    with writing():
        if more:
            found = saved_notes.save(at.engine.layout, session_id, more, replace=replace)
        else:
            found = saved_notes.read(at.engine.layout, session_id)
    blocked = more and _captured(at, session_id)
    path = saved_notes.path(at.engine.layout, session_id)
    if as_json:
        show_json({"session": session_id, "path": path, "saved": bool(more), **found._asdict()})
    elif more:
        console().print(f"saved for session {session_id[:8]}: {_counted(more)}\n{path}", soft_wrap=True)
    else:
        _show(found, session_id)
    if blocked:
        show_note(f"captures of this session are still blocked: {blocked}")


def _captured(at: Here, session_id: str) -> str:
    """Where captures are blocked, this is a user at work: one is tried, and what still stops it is said."""
    state = known(at.engine).get(session_id)
    return capture(at.engine, session_id) if state and is_blocked(state) else ""


def _asked(text: str | None, focus: str | None, notes: tuple[str, ...], steps: tuple[str, ...]) -> saved_notes.Saved:
    if text not in (None, "-"):
        raise click.UsageError("Pass text with --focus, --note and --next, or `-` for stdin")
    bare = not (text or focus is not None or notes or steps)
    given = saved_notes.understood(from_stdin() if text else read_pipe() if bare else "")
    options = saved_notes.Saved(_words((focus or "",)), _words(notes), _words(steps))
    more = saved_notes.Saved(
        options.focus or given.focus, (*given.notes, *options.notes), (*given.next_steps, *options.next_steps)
    )
    if not more and (text or focus is not None or notes or steps):
        raise Failure("Nothing to save", "`tapehead save --focus TEXT --note TEXT --next TEXT`")
    return more


def _words(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in texts if text.strip())


def _counted(more: saved_notes.Saved) -> str:
    told = ["the focus"] if more.focus else []
    told += [count(len(more.notes), "note")] if more.notes else []
    told += [count(len(more.next_steps), "next step")] if more.next_steps else []
    return ", ".join(told)


def _show(found: saved_notes.Saved, session_id: str) -> None:
    out = console()
    if not found:
        out.print(f'Nothing saved for session {session_id[:8]}. Save something: `tapehead save --focus "…"`')
    for title, items in (
        (saved_notes.FOCUS, found.focus),
        (saved_notes.NOTES, found.notes),
        (saved_notes.NEXT, found.next_steps),
    ):
        if items:
            out.print(title, style="bold")
            out.print("\n".join(f"- {item}" for item in items))
