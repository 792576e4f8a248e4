"""How each agent is set up. For install and doctor; no hook loads this."""

from __future__ import annotations

import os
from importlib import import_module
from shutil import which

from tapehead.agents.registry import HOSTS

TYPE_CHECKING = False  # typing is not loaded at run time
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.agents.base import Setup


def setup_of(host: str) -> Setup:
    """How an agent is set up."""
    found: Setup = import_module(f"tapehead.agents.{host}.setup")
    return found


def is_there(host: str, home: str, env: Mapping[str, str]) -> bool:
    """Whether the person has the agent: its program is on the PATH, or its own directory in their home."""
    setup = setup_of(host)
    return bool(which(setup.PROGRAM, path=env.get("PATH"))) or os.path.isdir(setup.own_directory(home, env))


def found(home: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """The agents that are there."""
    return tuple(host for host in HOSTS if is_there(host, home, env))


_RESUMING = {
    "claude": "claude --resume {}",
    "codex": "codex resume {}",
    "gemini": "gemini --resume {}",
    "droid": "droid --resume {}",
    "copilot": "copilot --resume={}",
    "cursor": "cursor-agent --resume {}",
    "opencode": "opencode --session {}",
    "kiro": "kiro-cli chat --resume",  # what it names a session is not in what its hooks say
}


def resuming(host: str, session_id: str) -> str:
    """The command line with which a person goes on with a session."""
    return _RESUMING.get(host, _RESUMING["claude"]).format(session_id)
