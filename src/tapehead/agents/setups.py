"""How each agent is set up. For install and doctor; no hook loads this."""

from __future__ import annotations

import os
from importlib import import_module
from shutil import which
from typing import TYPE_CHECKING

from tapehead.agents.registry import HOSTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Protocol

    from tapehead.agents.base import Setup
    from tapehead.agents.inspection import HookReport
else:
    Protocol = object


class StatusLine(Protocol):
    """A module that knows our status line in an agent's settings."""

    def command_for(self, scope: str, executable: str) -> str:
        """The command line of a scope's status line."""

    def scopes_below(self, scope: str) -> tuple[str, ...]:
        """The scopes whose settings this one's go before."""

    def is_ours(self, command: str) -> bool:
        """Whether a command line prints our status line."""

    def command_in(self, text: str | None) -> str | None:
        """What the status line of a file runs; None where none is set."""

    def with_ours(
        self, text: str | None, command: str, statusline: str, *, wanted: bool, events: tuple[str, ...]
    ) -> str:
        """The text with our hooks and, where wanted, our status line."""

    def without_ours(self, text: str, before: str | None = None) -> str:
        """The text without either."""


class Inspection(Protocol):
    """A module that looks at all settings files of an agent together."""

    def inspect(
        self, paths: Iterable[str], command: str | None = None, events: tuple[str, ...] = ...
    ) -> tuple[HookReport, ...]:
        """How our hooks stand in each."""

    def installed_twice(self, reports: Iterable[HookReport]) -> tuple[str, ...]:
        """The events that more than one file has our hook for, with different commands."""


def setup_of(host: str) -> Setup:
    """How an agent is set up."""
    found: Setup = import_module(f"tapehead.agents.{host}.setup")
    return found


def statusline_of(host: str) -> StatusLine | None:
    """Our status line in an agent's settings; None where it has no room for one."""
    if host not in _WITH_STATUS_LINE:
        return None
    found: StatusLine = import_module(f"tapehead.agents.{host}.statusline_settings")
    return found


def inspection_of(host: str) -> Inspection:
    """Who looks at the settings files of an agent that has several for each project."""
    found: Inspection = import_module(f"tapehead.agents.{host}.inspection")
    return found


def plugin_is_on(host: str, paths: Iterable[str]) -> bool:
    """Whether our plugin is switched on in an agent's settings: then the hooks run without standing in them."""
    return host in _WITH_PLUGIN and bool(import_module(f"tapehead.agents.{host}.plugins").is_on(paths))


def events_on_request(host: str, words: Iterable[str]) -> tuple[str, ...]:
    """The hooks that an agent is asked for only where a setting names them by these words."""
    known: Mapping[str, str] = getattr(setup_of(host), "ASKED_FOR", {})
    return tuple(known[word] for word in words if word in known)


_WITH_STATUS_LINE = _WITH_PLUGIN = ("claude",)


def is_there(host: str, home: str, env: Mapping[str, str]) -> bool:
    """Whether the user has the agent: its program is on the PATH, or its own directory in their home."""
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
    "qwen": "qwen --resume {}",
    "copilot": "copilot --resume={}",
    "cursor": "cursor-agent --resume {}",
    "opencode": "opencode --session {}",
    "kiro": "kiro-cli chat --resume",  # what it names a session is not in what its hooks say
    "plain": "tapehead brief --session {}",  # to paste: nobody knows the program
}


def resuming(host: str, session_id: str) -> str:
    """The command line with which a user goes on with a session."""
    return _RESUMING.get(host, _RESUMING["claude"]).format(session_id)
