"""The agents that tapehead knows, one module each, in one dict. Light: a hook looks its agent up here, and loads that one alone.

What such a module has is the Protocol `Hooks` in agents/base.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.agents.base import Hooks

HOSTS = ("claude", "codex", "gemini", "copilot", "opencode", "cursor", "kiro", "droid", "qwen")


class _Agents(Mapping[str, "Hooks"]):
    """Each is loaded when it is asked for."""

    def __getitem__(self, host: str) -> Hooks:
        if host not in HOSTS:
            raise KeyError(host)
        found: Hooks = __import__(f"tapehead.agents.{host}.hooks", fromlist=["HOST"])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(HOSTS)

    def __len__(self) -> int:
        return len(HOSTS)


AGENTS = _Agents()
