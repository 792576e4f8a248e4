"""`tapehead context`: what a newcomer agent should see first."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import click

from tapehead.actions.newcomer import context as collected
from tapehead.cli.output import console, show_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def context(*, as_json: bool) -> None:
    """Print what a new agent should know first.

    Branch, uncommitted changes, last commits, package, test command, threads, memories, decisions, date and platform.

    \b
    Examples:
      tapehead context
      tapehead context --json | jq .test
    """
    found = collected(os.getcwd(), datetime.now(UTC).astimezone().date().isoformat())
    if as_json:
        show_json(found._asdict())
    else:
        console().print("\n".join(found.told), soft_wrap=True)
