"""Our MCP server: whether it answers, with the command that each agent starts it by."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

from tapehead.agents.registrations import SERVERS
from tapehead.agents.server_command import ARGUMENTS
from tapehead.agents.setups import setup_of
from tapehead.cli.checks.finding import NOTE, WARNING, Finding
from tapehead.cli.install_server import find_registered

if TYPE_CHECKING:
    from tapehead.cli.here import Here

_SECONDS = 15
_ASKED = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'


def server(at: Here) -> list[Finding]:  # noqa: ARG001 - one shape for all checks
    """Ask each command that an agent is told once."""
    agents: dict[str, list[str]] = {}
    for host in SERVERS:
        for scope in setup_of(host).SCOPES:
            if program := find_registered(host, scope):
                agents.setdefault(program, []).append(setup_of(host).NAME)
    return [_asked(program, " and ".join(dict.fromkeys(names))) for program, names in agents.items()]


def _asked(program: str, names: str) -> Finding:
    if wrong := _why_not(program):
        what = f"the MCP server that {names} starts does not answer: {wrong}"
        return Finding(
            "mcp", WARNING, what, "`tapehead install` renews the entry; `tapehead install --no-mcp` leaves it out"
        )
    return Finding("mcp", NOTE, f"the MCP server answers (registered with {names})")


def _why_not(program: str) -> str:
    """Why a server does not list its tools; nothing where it does."""
    if os.path.isabs(program) and not os.access(program, os.X_OK):
        return f"{program} does not exist"
    try:
        done = subprocess.run(  # noqa: S603 - the command that the agent itself starts, known as ours
            [program, *ARGUMENTS], input=_ASKED, capture_output=True, timeout=_SECONDS, check=False
        )
        tools = json.loads(done.stdout)["result"]["tools"]
    except subprocess.TimeoutExpired:
        return f"no answer within {_SECONDS} seconds"
    except OSError as error:
        return f"{program}: {error.strerror}"
    except (ValueError, KeyError, TypeError):
        return "unexpected answer"
    return "" if tools else "it has no tools"
