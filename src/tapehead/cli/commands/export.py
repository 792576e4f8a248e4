"""`tapehead export`: what the page tells, as text."""

from __future__ import annotations

import sys

import click

from tapehead.cli.completion_values import session_ids
from tapehead.cli.output import show_json
from tapehead.cli.report_choice import report_of_file, report_of_session
from tapehead.report.export import as_data, as_markdown


@click.command()
@click.argument("session", required=False, shell_complete=session_ids)
@click.option("--md", "as_md", is_flag=True, help="Markdown (the default).")
@click.option("--json", "as_json", is_flag=True, help="JSON, with all times in UTC.")
@click.option(
    "--transcript", metavar="FILE", type=click.Path(), help="Use this transcript, of any agent, instead of a session."
)
def export(*, session: str | None, as_md: bool, as_json: bool, transcript: str | None) -> None:
    """Print a session's report as Markdown or JSON.

    \b
    Examples:
      tapehead export > session.md
      tapehead export 3f2a --json | jq '.compactions[].kinds'
    """
    if as_md and as_json:
        raise click.UsageError("Use --md or --json, not both")
    if session and transcript:
        raise click.UsageError("Use SESSION or --transcript, not both")
    found = report_of_file(transcript) if transcript else report_of_session(session)
    if as_json:
        show_json(as_data(found))
    else:
        sys.stdout.write(as_markdown(found, None))
