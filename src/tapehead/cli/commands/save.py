"""`tapehead save`: focus, notes and next steps of a session, by hand."""

from __future__ import annotations

import click

from tapehead.actions.breaker import is_blocked
from tapehead.cli.completing import session_ids
from tapehead.cli.here import Here, here, known
from tapehead.cli.keeping import from_stdin, writing
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.piped import piped
from tapehead.cli.selection import choose
from tapehead.cli.telling import count
from tapehead.cli.tending import capture
from tapehead.store import saved


@click.command()
@click.argument("text", required=False, metavar="[-]")
@click.option("--focus", metavar="TEXT", help="What the work is about now; takes the place of the former focus.")
@click.option("--note", "notes", multiple=True, metavar="TEXT", help="Something to know (repeatable).")
@click.option("--next", "steps", multiple=True, metavar="TEXT", help="What is to be done next (repeatable).")
@click.option("--replace", is_flag=True, help="Write what is given in place of what was there, not after it.")
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Which session (or how its id begins); the newest of this worktree otherwise.",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
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
    r"""Save the focus, notes and next steps of a session.

    They are handed back first after a compaction, a /clear or a restart. With `-`, or alone behind a pipe, the text comes from stdin: below the headings
    Focus, Notes and Next steps, or else each paragraph and list item a note. Without anything it shows what is saved. The file
    may be edited by hand.

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
            found = saved.save(at.engine.layout, session_id, more, replace=replace)
        else:
            found = saved.read(at.engine.layout, session_id)
    blocked = more and _captured(at, session_id)
    path = saved.path(at.engine.layout, session_id)
    if as_json:
        show_json({"session": session_id, "path": path, "saved": bool(more), **found._asdict()})
    elif more:
        console().print(f"saved for session {session_id[:8]}: {_counted(more)}\n{path}", soft_wrap=True)
    else:
        _show(found, session_id)
    if blocked:
        show_note(f"captures of this session are still blocked: {blocked}")


def _captured(at: Here, session_id: str) -> str:
    """Where captures are blocked, this is a person at work: one is tried, and what still stops it is said."""
    state = known(at.engine).get(session_id)
    return capture(at.engine, session_id) if state and is_blocked(state) else ""


def _asked(text: str | None, focus: str | None, notes: tuple[str, ...], steps: tuple[str, ...]) -> saved.Saved:
    if text not in (None, "-"):
        raise click.UsageError("text comes from stdin, with `-`, or in --focus, --note and --next")
    bare = not (text or focus is not None or notes or steps)
    given = saved.understood(from_stdin() if text else piped() if bare else "")
    options = saved.Saved(_words((focus or "",)), _words(notes), _words(steps))
    more = saved.Saved(
        options.focus or given.focus, (*given.notes, *options.notes), (*given.next_steps, *options.next_steps)
    )
    if not more and (text or focus is not None or notes or steps):
        raise Failure("there is nothing in it to save", "`tapehead save --focus TEXT --note TEXT --next TEXT`")
    return more


def _words(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in texts if text.strip())


def _counted(more: saved.Saved) -> str:
    told = ["the focus"] if more.focus else []
    told += [count(len(more.notes), "note")] if more.notes else []
    told += [count(len(more.next_steps), "next step")] if more.next_steps else []
    return ", ".join(told)


def _show(found: saved.Saved, session_id: str) -> None:
    out = console()
    if not found:
        out.print(f"nothing is saved for session {session_id[:8]}; `tapehead save --help` tells how")
    for title, items in ((saved.FOCUS, found.focus), (saved.NOTES, found.notes), (saved.NEXT, found.next_steps)):
        if items:
            out.print(title, style="bold")
            out.print("\n".join(f"- {item}" for item in items))
