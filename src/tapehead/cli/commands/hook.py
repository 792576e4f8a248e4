"""`tapehead hook`: its help. The hook itself is told apart in main.py, before click is loaded."""

from __future__ import annotations

import click

from tapehead.agents.registry import AGENTS


@click.command()
@click.argument("agent", type=click.Choice((*AGENTS, "git")))
@click.argument("words", nargs=-1)
def hook(*, agent: str, words: tuple[str, ...]) -> None:  # noqa: ARG001 - main.py hands them on
    """Receive a hook call from an agent or from git.

    Agents and git run this; `tapehead install` sets it up. It reads the call from stdin, records it, prints what the
    agent should know, and always exits with 0.

    \b
    Examples:
      tapehead hook claude < payload.json
    """
    from tapehead.cli.main import run_hook  # noqa: PLC0415 - the two know each other

    run_hook(agent)
