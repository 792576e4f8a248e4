"""`tapehead mermaid`: the machine drawn from its table, to look at, to embed, and to compare with."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

import click

from tapehead.actions.fold import facts_of, replay
from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import here
from tapehead.cli.session_choice import choose_recorded
from tapehead.diagrams import mermaid as drawing
from tapehead.diagrams import rows_page
from tapehead.store.line import readable
from tapehead.store.state import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.diagrams.machine import SecondReader
    from tapehead.engine.engine import Engine

    Follow = Callable[[str], SecondReader | None]

MAKES = {
    (False, False): "tapehead mermaid",
    (True, False): "tapehead mermaid --full",
    (False, True): "tapehead mermaid --table",
}
"""The command that prints each of the drawings, by (full, table)."""


class Refusal(click.ClickException):
    """What went wrong, and what to do next."""

    def __init__(self, error: str, hint: str) -> None:
        super().__init__(error)
        self.hint = hint

    def show(self, file: object = None) -> None:  # noqa: ARG002 - click's own signature: a refusal goes to stderr
        """Both lines, on stderr: stdout is for the drawing alone."""
        click.echo(f"error: {self.message}\n\nhint: {self.hint}", err=True)


class WrongUsage(Refusal):
    """Options that do not go together."""

    exit_code = 2


def in_this_store(session: str) -> SecondReader | None:
    """A session of this place, followed through all its lines."""
    at = here()
    return follow_session(at.engine, choose_recorded(at, session).session_id)


def follow_session(engine: Engine, session_id: str) -> SecondReader:
    """The `transitions` machine after a session's events. It reads the rows in its own way, and must arrive where the fold does."""
    from tapehead.diagrams.machine import SecondReader  # noqa: PLC0415 - `transitions` is for whoever asks for a session

    reader, state = SecondReader(), State(session_id)
    for move in replay(session_id, readable(engine.store.lines(session_id)[0])):
        if move.line.event is not None:
            phase, _ = reader.read(move.line.event, move.line.facts | facts_of(state))
            if phase is not move.state.phase:
                raise Refusal(
                    f"the two readers of the table differ after {move.line.id}: {phase.name}, {move.state.phase.name}",
                    "this is a bug in tapehead; please report it with the output of `tapehead log --json`",
                )
        state = move.state
    return reader


def mermaid_command(follow: Follow = in_this_store) -> click.Command:
    """The command, given the function that follows a session; it answers None where there is no such session."""

    @click.command("mermaid")
    @click.option("--full", is_flag=True, help="Show every transition, with its condition and actions.")
    @click.option("--table", is_flag=True, help="Print the transitions as a Markdown table.")
    @click.option("--session", metavar="ID", shell_complete=session_ids, help="Highlight the phase of this session.")
    @click.option(
        "--check",
        metavar="FILE",
        type=click.Path(),
        help="Compare FILE with the diagram; exit code 1 if they differ.",
    )
    def command(*, full: bool, table: bool, session: str | None, check: str | None) -> None:
        """Draw tapehead's state machine as a Mermaid diagram.

        \b
        Examples:
          tapehead mermaid
          tapehead mermaid --session 3f2a
          tapehead mermaid --full > machine.mmd
          tapehead mermaid --check machine.mmd --full
        """
        if table and (full or session is not None):
            raise WrongUsage("Use --table without --full and --session", "print one diagram at a time")
        reader = None if session is None else standing(session, follow)
        text = reader.drawing(full=full) if reader else draw(full=full, table=table)
        if check is None:
            click.echo(text, nl=False)
        else:
            compare(check, text, MAKES[full, table] + ("" if session is None else f" --session {session}"))

    return command


def draw(*, full: bool = False, table: bool = False) -> str:
    """The drawing that was asked for."""
    if table:
        return rows_page.table()
    return drawing.full() if full else drawing.summary()


def standing(session: str, follow: Follow) -> SecondReader:
    """A session that must be there."""
    reader = follow(session)
    if reader is None:
        raise Refusal(f"No session {session!r} here", "`tapehead status` lists the sessions here")
    return reader


def compare(path: str, text: str, command: str) -> None:
    """Refuse a file that is not byte for byte the drawing, and show where."""
    hint = f"`make redraw` in tapehead's own tree, or `{command} > {path}`"
    try:
        with open(path, encoding="utf-8", newline="") as file:
            found = file.read()
    except (OSError, ValueError) as error:
        raise Refusal(f"cannot read {path!r}: {getattr(error, 'strerror', None) or 'not text'}", hint) from error
    if found != text:
        click.echo("".join(difference(found, text, path, command)), err=True, nl=False)
        raise Refusal(f"{path!r} differs from the table", hint)


def difference(found: str, text: str, path: str, command: str) -> list[str]:
    """A unified diff whose every line ends: the last line of a file may not."""
    lines = unified_diff(found.splitlines(), text.splitlines(), path, command, lineterm="")
    return [f"{line}\n" for line in lines]


mermaid = mermaid_command()
