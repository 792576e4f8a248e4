"""What `tapehead install` says at its end: what happens from now on, what it costs, and how to turn it off."""

from __future__ import annotations

import os

from rich.text import Text

from tapehead.cli import install_git
from tapehead.cli.output import console
from tapehead.engine.store_location import place_of

_NOTHING = "Everything is in place already. `tapehead doctor` checks that it works."
_OPENING = "Now start a new session of your agent: tapehead records it, and briefs it after a compaction or /clear."


def show(*, changed: bool, server: bool) -> None:
    """About ten lines of at most 80 columns: whoever wants more finds it in the README."""
    out = console()
    if not changed:
        out.print(_NOTHING)
        return
    store = (*place_of(install_git.here(), os.environ).roots, "")[0]
    rows = [
        ("costs", "at most 2,000 tokens after a compaction, /clear or handoff, else 60"),
        *([("", "about 1,000 tokens a session for the MCP tools")] if server else []),
        ("data", f"stays on this machine, in {store}" if store else "stays on this machine"),
        ("look", "tapehead status, tapehead log, tapehead brief"),
        ("less", "tapehead config set restore.on_start off --user"),
        *([("", "tapehead install --no-mcp")] if server else []),
        ("check", "tapehead doctor"),
        ("remove", "tapehead uninstall"),
    ]
    out.print(f"\n{_OPENING}")
    for name, text in rows:
        out.print(Text.assemble((f"  {name:<8}", "bold"), text), soft_wrap=True)
