"""Writes docs/cli.md: the help of every command, as the program itself prints it."""

from __future__ import annotations

from copy import copy

import click

from tapehead.cli.app import GROUPS, app

WIDTH = 78
"""Columns, as click takes them in a pipe. Fixed, so that the page does not depend on the terminal of whoever runs `make redraw`."""

OPENING = """\
# The command line

What each command says of itself with `--help`. Made from the program by `make redraw`; a test compares.
"""


def page() -> str:
    """The whole page: the program's own help, then each command under the title that the help lists it under."""
    top = _asked(app, "tapehead")
    parts = [OPENING, _section("##", top)]
    for title, names in GROUPS.items():
        parts.append(f"## {title}\n")
        for name in names:
            parts += _sections("###", _asked(_command(name, top), name, top))
    return "\n".join(parts)


def _sections(marks: str, asked: click.Context) -> list[str]:
    """A command, and below it the commands that it has of its own, in the order of its help."""
    below = asked.command.commands if isinstance(asked.command, click.Group) else {}
    inner = [_sections(f"{marks}#", _asked(below[name], name, asked)) for name in sorted(below)]
    return [_section(marks, asked), *(section for sections in inner for section in sections)]


def _command(name: str, top: click.Context) -> click.Command:
    command = app.get_command(top, name)
    if command is None:
        raise LookupError(f"the help lists `{name}`, and there is no such command")
    return command


def _asked(command: click.Command, name: str, parent: click.Context | None = None) -> click.Context:
    """The moment in which a command is asked for its help, without running it.

    On a copy, because click remembers on a command how its help option was first spelt, and whoever asked first may not
    have gone through the program (a test that runs one command alone).
    """
    fresh = copy(command)
    fresh._help_option = None  # noqa: SLF001 - there is no other way to make click look again
    return fresh.make_context(name, [], parent, resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH)


def _section(marks: str, asked: click.Context) -> str:
    said = "\n".join(line.rstrip() for line in asked.get_help().rstrip().splitlines())
    return f"{marks} {asked.command_path}\n\n```text\n{said}\n```\n"
