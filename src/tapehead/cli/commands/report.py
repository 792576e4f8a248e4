"""`tapehead report`: a session as a page to look at, to print and to show."""

from __future__ import annotations

import os
import sys
import webbrowser

import click

from tapehead import door
from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import here
from tapehead.cli.output import Failure, show_note
from tapehead.cli.report_choice import report_of_file, report_of_session, reports_of_all
from tapehead.report.page import MARK, page
from tapehead.store import atomic
from tapehead.store.paths import make_private


@click.command()
@click.argument("session", required=False, shell_complete=session_ids)
@click.option("--all", "every", is_flag=True, help="All sessions of this project on one page.")
@click.option(
    "--transcript", metavar="FILE", type=click.Path(), help="Use this transcript, of any agent, instead of a session."
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(),
    help="File to write; - is stdout. Default: a file in .git/tapehead/reports.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
def report(*, session: str | None, every: bool, transcript: str | None, out: str | None, opens: bool) -> None:
    """Write a session as one HTML page.

    The page shows turns, context, compactions, what the agent lost and got back, files, commands and costs. It loads
    nothing from the network. Known secrets are redacted. Check the page before you share it.

    \b
    Examples:
      tapehead report --open
      tapehead report 3f2a --out session.html
      tapehead report --all --open
    """
    if sum((bool(session), every, bool(transcript))) > 1:
        raise click.UsageError("Use one of SESSION, --all and --transcript")
    if opens and out == "-":
        raise click.UsageError("--open needs a file, and --out - writes none")
    found = reports_of_all() if every else [report_of_file(transcript) if transcript else report_of_session(session)]
    text = page(found, None)
    if out == "-":
        sys.stdout.write(text)
        return
    path = _write_out(out, text) if out else _write_own("all" if every else found[0].session, text)
    click.echo(path)
    if opens and not webbrowser.open(f"file://{path}"):
        show_note("No browser could be started; open the file yourself")


def _write_own(name: str, text: str) -> str:
    """Below the store: private, and never committed by accident."""
    folder = os.path.join(here().engine.layout.root, "reports")
    make_private(folder)
    path = os.path.join(folder, f"{os.path.basename(name)}.html")
    atomic.write(path, text.encode())
    return path


def _write_out(out: str, text: str) -> str:
    """Where the user wants it; a file that is no report of ours is left alone."""
    path = os.path.abspath(out)
    if os.path.exists(path) and MARK.encode() not in door.read(path, 200):
        raise Failure(f"{path} exists and is not a report", "Name another file, or remove that one")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(text.encode())
    return path
