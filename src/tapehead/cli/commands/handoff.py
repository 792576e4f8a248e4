"""`tapehead handoff`: this session is the one that the next start here goes on from."""

from __future__ import annotations

import os
import select
import stat
import sys

import click

from tapehead.agents.heard import shortened
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import setup_of
from tapehead.cli.attend import attend
from tapehead.cli.here import here, pick
from tapehead.cli.launching import begin
from tapehead.cli.output import console, show_json
from tapehead.cli.own import own_sessions
from tapehead.cli.telling import spell
from tapehead.store import batons
from tapehead.store.paths import place_name

_SOON = 0.5
_LONGEST = 8_000
"""Characters that are kept: every start in the worktree reads them, and no more than 1,400 are handed over."""


@click.command()
@click.option(
    "--session", metavar="ID", help="Which session (or how its id begins); this agent's, or the newest otherwise."
)
@click.option(
    "--memo", metavar="TEXT", help="What the next one should know first; `-`, or none and a pipe, reads it from stdin."
)
@click.option("--to", type=click.Choice(HOSTS), help="Only the next start of this agent; any agent's otherwise.")
@click.option("--launch", is_flag=True, help="And start that agent now, in this terminal.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def handoff(*, session: str | None, memo: str | None, to: str | None, launch: bool, as_json: bool) -> None:
    """Name a session as the one that the next start in this worktree inherits, whichever agent worked in it.

    The baton is good for an hour (the setting baton.ttl) and is used up by the first start that gets a prompt. `/clear` hands
    over by itself.

    \b
    Examples:
      tapehead handoff --memo "Next: the parser's error messages; try the table first"
      tapehead handoff < memo.md
      tapehead handoff --to codex --launch
      git diff --stat | tapehead handoff --memo -
    """
    at = here()
    states = attend(at.engine)
    session_id = pick(at, session or next((own for own in own_sessions() if own in states), None))
    text = shortened(_stdin() if memo == "-" or (memo is None and _is_given()) else memo or "", _LONGEST)
    place = place_name(at.place.worktree_id)
    batons.offer(at.engine.layout, place, session_id, at.now.isoformat(), text, to or "")
    if as_json:
        show_json({"session": session_id, "place": place, "memo": bool(text), **({"to": to} if to else {})})
    else:
        good_for = spell(at.engine.settings.seconds("baton.ttl"))
        whose = f" of {setup_of(to).NAME}" if to else ""
        console().print(f"The next start{whose} in this worktree goes on from {session_id}, within {good_for}.")
    if launch:
        begin(to or states[session_id].agent or "claude", at.place.directory)


def _is_given() -> bool:
    """Whether something comes in without being asked for: a file, or a pipe that brings a word soon.

    An agent's shell may leave a pipe open for ever; that one brings nothing, and nobody waits for it.
    """
    try:
        descriptor = sys.stdin.fileno()
        mode = os.fstat(descriptor).st_mode
    except (OSError, ValueError, AttributeError):
        return False
    if stat.S_ISREG(mode):
        return True
    return stat.S_ISFIFO(mode) and bool(select.select([descriptor], [], [], _SOON)[0])


def _stdin() -> str:
    """All of it, whatever bytes a pipe brings."""
    return sys.stdin.buffer.read().decode("utf-8", "replace")
