"""`tapehead context`: what a newcomer agent should see first."""

from __future__ import annotations

import os

import click

from tapehead.brief.newcomer import context as collected
from tapehead.cli.here import look_here
from tapehead.cli.output import console, show_json
from tapehead.cli.session_input import writing
from tapehead.documents import adrs, threads
from tapehead.memories.proposals import Rememberer
from tapehead.text.plain import row


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def context(*, as_json: bool) -> None:
    """Print a summary of this project for a new agent.

    It has branch, uncommitted changes, last commits, test command, open threads, memories and decisions. To see what
    happened in a session, use `tapehead brief`.

    \b
    Examples:
      tapehead context
      tapehead context --json | jq .test
    """
    at = look_here()
    found = collected(os.getcwd(), at.now.astimezone().date().isoformat())
    layout = at.engine.layout
    with writing():
        open_ones = [one for one in threads.threads(layout) if not one.done]
        decided = [one for one in adrs.list_adrs(layout) if one.holds]
        memories = Rememberer(layout, at.engine.settings).shelf.memories()
    if as_json:
        kept = {
            "threads": [one.text for one in open_ones],
            "decisions": [f"{one.name} {one.title}" for one in decided],
            "memories": [one.description for one in memories],
        }
        show_json({**found._asdict(), **kept})
        return
    console().print("\n".join(found.told), soft_wrap=True)
    _show("Open threads", [one.text for one in open_ones])
    _show("Decisions", [f"{one.name} {one.title}{f': {one.gist}' if one.gist else ''}" for one in decided])
    _show("Memories", [f"{one.description} ({one.kind})" for one in memories])


def _show(title: str, rows: list[str]) -> None:
    """The newest of them; all stand in their own commands."""
    if rows:
        console().print(title, style="bold")
    for text in rows[-_SHOWN:]:
        console().print(row(f"- {text}"), soft_wrap=True)
    if len(rows) > _SHOWN:
        console().print(f"  and {len(rows) - _SHOWN} earlier ones", style="dim")


_SHOWN = 10
