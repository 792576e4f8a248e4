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
    """With the lines above that say what was done, thirteen lines: whoever wants more finds it in the README."""
    out = console()
    if not changed:
        out.print(_NOTHING)
        return
    store = (*place_of(install_git.here(), os.environ).roots, "")[0]
    mcp = [("", "about 1,000 in every session, for the MCP tools")] if server else []
    rows = [
        ("tokens", "at most 2,000 after a compaction or /clear, 60 at other starts"),
        *mcp,
        ("time", "milliseconds for most hooks, 0.1 to 2 s for one that gives a brief"),
        ("data", f"stays on this machine, in {store}" if store else "stays on this machine"),
        ("less", "tapehead config set restore.on_start off --user"),
        ("off", "tapehead off (this repository), tapehead off --for 2h (a pause)"),
        ("remove", "tapehead uninstall"),
        ("check", "tapehead doctor, tapehead status"),
    ]
    out.print(f"\n{_OPENING}")
    for name, text in rows:
        out.print(Text.assemble((f"  {name:<8}", "bold"), text), soft_wrap=True)
