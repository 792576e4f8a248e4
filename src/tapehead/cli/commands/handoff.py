"""`tapehead handoff`: this session is the one that the next start here goes on from."""

from __future__ import annotations

import os
import sys

import click

from tapehead.agents.heard import shortened
from tapehead.cli.attend import attend
from tapehead.cli.here import here, pick
from tapehead.cli.output import console, show_json
from tapehead.cli.telling import spell
from tapehead.store import batons
from tapehead.store.paths import place_name

_LONGEST = 8_000
"""Characters that are kept: every start in the worktree reads them, and no more than 1,400 are handed over."""


@click.command()
@click.option(
    "--session", metavar="ID", help="Which session (or how its id begins); this agent's, or the newest otherwise."
)
@click.option("--memo", metavar="TEXT", help="What the next one should know first; `-` reads it from stdin.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def handoff(*, session: str | None, memo: str | None, as_json: bool) -> None:
    """Name a session as the one that the next start in this worktree inherits.

    The baton is good for an hour (the setting baton.ttl) and is used up by the first start that gets a prompt. `/clear` hands
    over by itself.

    \b
    Examples:
      tapehead handoff --memo "Next: the parser's error messages; try the table first"
      git diff --stat | tapehead handoff --memo -
    """
    at = here()
    own = os.environ.get("CLAUDE_CODE_SESSION_ID")
    states = attend(at.engine)
    session_id = pick(at, session or (own if own in states else None))
    text = shortened(_stdin() if memo == "-" else memo or "", _LONGEST)
    place = place_name(at.place.worktree_id)
    batons.offer(at.engine.layout, place, session_id, at.now.isoformat(), text)
    if as_json:
        show_json({"session": session_id, "place": place, "memo": bool(text)})
        return
    good_for = spell(at.engine.settings.seconds("baton.ttl"))
    console().print(f"The next start in this worktree goes on from {session_id}, within {good_for}.")


def _stdin() -> str:
    """All of it, whatever bytes a pipe brings."""
    return sys.stdin.buffer.read().decode("utf-8", "replace")
