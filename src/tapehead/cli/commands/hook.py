"""`tapehead hook`: its help. The hook itself is told apart in main.py, before click is loaded."""

from __future__ import annotations

import click

from tapehead.agents.registry import AGENTS


@click.command()
@click.argument("agent", type=click.Choice((*AGENTS, "git")))
@click.argument("words", nargs=-1)
def hook(*, agent: str, words: tuple[str, ...]) -> None:  # noqa: ARG001 - main.py hands them on
    """Take one hook payload of an agent from stdin, or a hook of git's from its arguments.

    Agents run this; `tapehead install` tells them to. It finds the event in the payload, writes a line on the session's tape,
    prints what the agent is to be told, and exits with 0 whatever happens.

    \b
    Examples:
      tapehead hook claude < payload.json
    """
    from tapehead.cli.main import run_hook  # noqa: PLC0415 - the two know each other

    run_hook(agent)
