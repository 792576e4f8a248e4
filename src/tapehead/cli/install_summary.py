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
    """With the lines above that say what was done, eleven lines: whoever wants more finds it in the README."""
    out = console()
    if not changed:
        out.print(_NOTHING)
        return
    store = (*place_of(install_git.here(), os.environ).roots, "")[0]
    mcp = "; about 1,000 a session for the MCP tools" if server else ""
    rows = [
        ("tokens", f"at most 2,000 after a compaction or /clear, else 60{mcp}"),
        ("time", "a hook takes milliseconds, with a brief 0.1 s or more, at most 2 s"),
        ("data", f"stays on this machine, in {store}" if store else "stays on this machine"),
        ("less", "tapehead config set restore.on_start off --user"),
        ("off", "tapehead off   (in one repository; with --for 2h for a while)"),
        ("remove", "tapehead uninstall   (tapehead doctor checks it, tapehead status shows it)"),
    ]
    out.print(f"\n{_OPENING}")
    for name, text in rows:
        out.print(Text.assemble((f"  {name:<8}", "bold"), text), soft_wrap=True)
