"""How an agent starts our MCP server, and how an entry is known as ours."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

NAME = "tapehead"
ARGUMENTS = ("mcp",)


def is_ours(entry: Any) -> bool:
    """Whether an entry of an agent's settings starts our server, wherever the program lies."""
    if not isinstance(entry, dict):
        return False
    command = entry.get("command")
    return isinstance(command, str) and os.path.basename(command) == NAME and entry.get("args") == [*ARGUMENTS]
