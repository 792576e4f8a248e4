"""`tapehead completion`: what a shell needs to complete our words."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from tapehead.cli.output import Failure

_WHERE = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/completions/tapehead.fish"}


@click.command()
@click.argument("shell", type=click.Choice(tuple(_WHERE)))
def completion(*, shell: str) -> None:
    """Print the completion script for a shell.

    \b
    Examples:
      eval "$(tapehead completion bash)"        in ~/.bashrc
      eval "$(tapehead completion zsh)"         in ~/.zshrc
      tapehead completion fish > ~/.config/fish/completions/tapehead.fish
    """
    from tapehead.cli.app import app  # noqa: PLC0415 - it lists this command

    made = get_completion_class(shell)
    if made is None:
        raise Failure(f"No completion for {shell}", "choose bash, zsh or fish")
    click.echo(made(app, {}, "tapehead", "_TAPEHEAD_COMPLETE").source())
