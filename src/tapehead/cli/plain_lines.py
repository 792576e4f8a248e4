"""Lines for a terminal or for a pipe: agents ask through pipes, often, and need not wait for what makes colours."""

from __future__ import annotations

import sys

import click


def show(text: str = "", style: str = "") -> None:
    """Print a line; in a style, where somebody sees it."""
    if not sys.stdout.isatty():
        click.echo(text)
        return
    from tapehead.cli.output import console  # noqa: PLC0415 - only for a terminal

    console().print(text, style=style)
