"""The commands of people, grouped by what a user wants to do. Each is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

import click

from tapehead import __version__

GROUPS: dict[str, tuple[str, ...]] = {
    "See what is going on": (
        "status",
        "monitor",
        "watch",
        "cost",
        "context",
        "statusline",
        "log",
        "report",
        "web",
        "export",
        "doctor",
        "mermaid",
    ),
    "Continue your work": ("brief", "notes", "losses", "handoff", "resume", "trim", "archive", "restore-transcript"),
    "Search the history": ("search", "detail", "fix", "import"),
    "Trace code to prompts": ("blame", "explain", "why", "rewind", "sync"),
    "Keep notes and decisions": ("save", "remember", "memories", "forget", "forget-session", "thread", "adr"),
    "Set up": ("install", "uninstall", "off", "on", "config", "completion", "demo"),
    "Internals": ("replay", "bench", "gc", "hook", "mcp"),
}
"""The help lists the commands like this; a command that is not named here does not exist."""

_HELD_BY = {"uninstall": "install", "forget": "remember", "on": "off"}
"""Commands that share a module with another."""


class Lazily(click.Group):
    """Knows its commands by name alone, so that one command does not pay for the imports of all."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own shape
        """All names, in the order of the help."""
        return [name for names in GROUPS.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, loaded now."""
        if cmd_name not in self.list_commands(ctx):
            return None
        name = "import_" if cmd_name == "import" else cmd_name.replace("-", "_")
        module = import_module(f"tapehead.cli.commands.{_HELD_BY.get(cmd_name, name)}")
        command: click.Command = getattr(module, name)
        return _laid_out(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The groups, a line for each command."""
        for title, names in GROUPS.items():
            with formatter.section(title):
                found = [(name, self.get_command(ctx, name)) for name in names]
                formatter.write_dl([(name, command.get_short_help_str(90)) for name, command in found if command])


def _laid_out(command: click.Command) -> click.Command:
    r"""With its examples line by line: click looks for the character that a raw docstring spells `\b`."""
    command.help = command.help and command.help.replace("\\b\n", "\b\n")
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        _laid_out(below)
    return command


@click.command(
    cls=Lazily,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  tapehead install            set it up, for your agent and this repository
  tapehead status             list your sessions
  tapehead log                see what happened in a session
  tapehead doctor             check the installation and repair it
""",
)
@click.version_option(__version__, prog_name="tapehead")
def app() -> None:
    """Your coding agent keeps its context across compaction, /clear and crashes.

    \b
    Words used here:
      session     one conversation with an agent
      turn        your prompt, and what the agent did for it
      hook        a call that an agent or git makes to tapehead
      transcript  the file in which the agent keeps a session
      compaction  the agent replaces a full context with a summary
      brief       the text that tells the agent what the summary left out
      checkpoint  the prompts behind a commit, and who wrote its lines
    """
