"""`tapehead resume`: the sessions that can be resumed, of any agent, newest first; and resuming one, in any agent."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from tapehead.agents.readers import places_of
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import resuming, setup_of
from tapehead.cli.adoption import adopt
from tapehead.cli.branch_session import bring_in, find_branch_session
from tapehead.cli.completion_values import session_ids
from tapehead.cli.handoff_offer import offer
from tapehead.cli.handoff_taking import take_over
from tapehead.cli.here import here
from tapehead.cli.hook_presence import warn_if_deaf
from tapehead.cli.launch import begin, go_on, must_be_there
from tapehead.cli.output import Failure, console, show_json
from tapehead.cli.session_choice import choose, every_session, is_here
from tapehead.engine.start import is_alive
from tapehead.git.run import GitFailed, git
from tapehead.store.origin import is_carried
from tapehead.text import redacted_excerpt
from tapehead.text.wording import age, short_ids

if TYPE_CHECKING:
    from tapehead.cli.branch_session import BranchSession
    from tapehead.cli.here import Here
    from tapehead.store.state import State

_SHOWN = 20


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    try:
        raw = git(".", "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", timeout=2.0)
    except GitFailed:
        return session_ids(context, parameter, incomplete)
    names = raw.decode("utf-8", "replace").split()
    branches = [name for name in names if name.startswith(incomplete)]
    return [*session_ids(context, parameter, incomplete), *branches]


@click.command()
@click.argument("which", required=False, metavar="[NUMBER|ID|BRANCH]", shell_complete=_complete)
@click.option("--in", "host", type=click.Choice(HOSTS), help="Continue in this agent instead of the session's own.")
@click.option(
    "--from",
    "remote",
    metavar="REMOTE",
    help="Use what another machine handed off through this git remote.",
)
@click.option("--all", "every", is_flag=True, help="List all worktrees of this repository.")
@click.option("--force", is_flag=True, help="Open it even if it is open in another process.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, and start nothing.")
def resume(  # noqa: PLR0913 - one for each option
    *, which: str | None, host: str | None, remote: str | None, every: bool, force: bool, as_json: bool
) -> None:
    """List sessions you can resume, or resume one.

    Without an argument, it lists the sessions of this worktree, newest first. Resume one by its number, its id or a
    branch. For a branch, that is the session behind its newest commit with agent work.

    The session opens in the agent that it was made with. With `--in`, another agent starts a new session and gets
    the brief of the old one.

    `--from REMOTE` lists what another machine handed off. Pick one by its number. The next session that you start
    here gets its brief.

    \b
    Examples:
      tapehead resume
      tapehead resume 1
      tapehead resume 2 --in codex
      tapehead resume feature
      tapehead resume --from origin
    """
    at = here()
    if remote is not None:
        take_over(at, remote, which, host, as_json=as_json)
        return
    known = _sessions(at)
    found = known if every else [state for state in known if is_here(at, state)]
    if as_json and which is not None and (one := _branch(at, found, which)):
        show_json(one.data())
        return
    if which is None or as_json:
        _show(at, found, len(known) - len(found), as_json=as_json)
        return
    state = _chosen(at, found, which)
    wanted = host or state.agent
    if wanted == state.agent and _opens(at, state):
        if is_alive(state) and not force:
            raise _open_already(state)
        go_on(wanted, state.session_id, state.worktree_path or at.place.directory)
    must_be_there(wanted, f"`tapehead handoff --session {state.session_id} --to {wanted}`, then start it yourself")
    adopt(at.engine, state)
    offer(at, state.session_id, to=wanted)
    warn_if_deaf(wanted, at.place.worktree)
    begin(wanted, at.place.directory)


def _open_already(state: State) -> Failure:
    """Two processes that write one transcript lose each other's turns."""
    where = f" on {state.terminal}" if state.terminal else ""
    what = f"session {state.session_id[:8]} is open in process {state.host_pid}{where}"
    return Failure(what, "continue there, or close it first. `--force` opens it a second time")


def _sessions(at: Here) -> list[State]:
    """Those in which somebody said something, newest first."""
    told = [state for state in every_session(at) if state.turn_number and state.agent in HOSTS]
    return sorted(told, key=lambda state: (state.last_interaction_at or at.now).isoformat(), reverse=True)


def _chosen(at: Here, found: list[State], which: str) -> State:
    if which.isdecimal() and len(which) < _DIGITS:
        if not 0 < int(which) <= len(found):
            raise Failure(f"No number {which} in the list", "`tapehead resume` lists them")
        return found[int(which) - 1]
    try:
        state = choose(at, which)
    except Failure:
        if not (branch := find_branch_session(at, which)):
            raise
        bring_in(at, branch)
        state = choose(at, branch.newest.session)
    if not state.turn_number or state.agent not in HOSTS:
        what = f"nobody said anything in session {state.session_id}"
        raise Failure(what, "`tapehead resume` lists sessions you can resume")
    return state


def _branch(at: Here, found: list[State], which: str) -> BranchSession | None:
    """The session of a branch, where no session is meant."""
    if (which.isdecimal() and len(which) < _DIGITS) or any(state.session_id.startswith(which) for state in found):
        return None
    return find_branch_session(at, which)


def _opens(at: Here, state: State) -> bool:
    """Whether the session's own agent can open it again: it has the transcript in its own place on this machine."""
    if is_carried(at.engine.layout, state.session_id):
        return False
    if state.session_id in at.engine.store.list():
        return True
    return os.path.realpath(state.transcript_path) in _kept_by(state.agent)


@cache
def _kept_by(agent: str) -> frozenset[str]:
    found = places_of(agent).transcripts(os.path.expanduser("~"), os.environ)
    return frozenset(map(os.path.realpath, found))


_DIGITS = 4


def _show(at: Here, found: list[State], elsewhere: int, *, as_json: bool) -> None:
    if as_json:
        show_json([_as_data(number, state, opens=_opens(at, state)) for number, state in enumerate(found, 1)])
        return
    if not found:
        console().print("There is no session to resume in this worktree.")
    else:
        _show_table(at, found)
    if elsewhere:
        console().print(f"{elsewhere} in other worktrees of this repository (--all)", style="dim")


def _show_table(at: Here, found: list[State]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "session", "phase", "age", "agent", "last prompt"):
        table.add_column(name, no_wrap=name != "last prompt")
    ids = short_ids(state.session_id for state in found)
    for number, state in enumerate(found[:_SHOWN], 1):
        heard = age(state.last_interaction_at, at.now)
        asked = Text(redacted_excerpt.in_line(state.last_prompt)[:120], no_wrap=True, overflow="ellipsis")
        phase = state.phase.name + (_OPEN if is_alive(state) else "")
        table.add_row(str(number), ids[state.session_id], phase, heard, setup_of(state.agent).NAME, asked)
    console().print(table)
    if len(found) > _SHOWN:
        console().print(f"{len(found) - _SHOWN} older ones are not shown (--json has all)", style="dim")
    if any(is_alive(state) for state in found[:_SHOWN]):
        console().print(f"{_OPEN.strip()} open in a process that still runs", style="dim")


_OPEN = " *"
"""Beside the phase of a session that is alive."""


def _as_data(number: int, state: State, *, opens: bool) -> dict[str, Any]:
    return {
        "number": number,
        "session": state.session_id,
        "agent": state.agent,
        "phase": state.phase.value,
        "alive": is_alive(state),
        "last_interaction_at": state.last_interaction_at.isoformat() if state.last_interaction_at else None,
        "last_prompt": redacted_excerpt.in_line(state.last_prompt),
        "command": resuming(state.agent, state.session_id) if opens else f"tapehead resume {state.session_id}",
    }
