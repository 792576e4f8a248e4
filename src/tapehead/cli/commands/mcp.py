"""`tapehead mcp`: the history for agents, over the Model Context Protocol."""

from __future__ import annotations

import os
from contextlib import suppress

import click

from tapehead import __version__


@click.command()
def mcp() -> None:
    """Run the MCP server that lets an agent search the history.

    Your agent starts it; `tapehead install` sets that up. The tools recall, open, why, fix and brief only read. The
    tool remember saves a memory.

    \b
    Examples:
      tapehead install --agent claude
      claude mcp add tapehead -- tapehead mcp
    """
    from tapehead.cli.server.connection import Connection  # noqa: PLC0415 - --help needs none of it
    from tapehead.cli.server.protocol import About, Protocol  # noqa: PLC0415 - as above
    from tapehead.cli.server.stdio import serve, take_pipes  # noqa: PLC0415 - as above
    from tapehead.cli.server.tools import INSTRUCTIONS, TOOLS, call_tool  # noqa: PLC0415 - as above

    with suppress(OSError):  # where the agent names the project, it may have started us elsewhere
        os.chdir(os.environ.get("CLAUDE_PROJECT_DIR") or ".")
    tools = [] if _is_started_twice() else TOOLS
    about = About("tapehead", __version__, INSTRUCTIONS)
    connection = Connection(Protocol(about, [tool.described() for tool in tools], call_tool).answer)
    try:
        serve(*take_pipes(), connection.answer)
    finally:
        connection.close()


def _is_started_twice() -> bool:
    """Whether the client starts one of us for the plugin and one by its settings: the plugin's offers nothing then, or each tool would be there twice."""
    if os.environ.get("TAPEHEAD_VIA") != "plugin":
        return False
    from tapehead.cli.install_server import is_registered  # noqa: PLC0415 - no other start waits for it

    return is_registered("claude")
