"""`tapehead handoff`: this session is the one that the next start here goes on from."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tapehead.agents.hook_event import cut_middle
from tapehead.agents.registry import HOSTS
from tapehead.agents.setups import setup_of
from tapehead.cli.adoption import adopt
from tapehead.cli.completion_values import session_ids
from tapehead.cli.handoff_offer import offer
from tapehead.cli.handoff_transfer import send, the_remote
from tapehead.cli.here import here
from tapehead.cli.hook_presence import warn_if_deaf
from tapehead.cli.launch import begin, must_be_there
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.piped_text import read_pipe
from tapehead.cli.session_choice import choose
from tapehead.store.paths import place_name
from tapehead.text.wording import count, short_ids, spell
from tapehead.tokens.estimate import tokens

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.store.state import State

_CHARACTERS = 10_000
"""What agents take of a hook at once."""
_LONGEST = 8_000
"""Characters that are kept: every start in the worktree reads them, and no more than 1,400 are handed over."""


@click.command()
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Session id, or its beginning. Default: the newest in this worktree.",
)
@click.option("--memo", metavar="TEXT", help="What the next session should know first; `-` reads stdin.")
@click.option("--to", type=click.Choice(HOSTS), help="Hand off to this agent only. Default: any agent.")
@click.option(
    "--remote",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="Hand off to another machine, through this git remote (default: origin, or the only one).",
)
@click.option("--launch", is_flag=True, help="Start the agent now, in this terminal.")
@click.option("--preview", is_flag=True, help="Print what the next session would get, and hand nothing off.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def handoff(  # noqa: PLR0913 - one for each option
    *,
    session: str | None,
    memo: str | None,
    to: str | None,
    remote: str | None,
    launch: bool,
    preview: bool,
    as_json: bool,
) -> None:
    """Pass your work on: to a new session, agent or machine.

    Afterwards, start a new session in this worktree. With your first prompt it gets the brief and your memo
    (`--memo`). The handoff is for one session, and expires after an hour (setting `baton.ttl`). Before `/clear` you
    need no handoff: the agent gets the brief anyway.

    For another machine, use `--remote`. It pushes the recorded work, the history and your memo to a git remote.
    Known secrets are redacted first. On the other machine, run `tapehead resume --from REMOTE`.

    \b
    Examples:
      tapehead handoff --memo "Next: the parser's error messages; try the table first"
      tapehead handoff --preview
      tapehead handoff < memo.md
      tapehead handoff --to codex --launch
      git diff --stat | tapehead handoff --memo -
      tapehead handoff --remote origin --memo "Continue from here at my desk"
    """
    at = here()
    text = _memo(memo)
    chosen = choose(at, session)
    if preview:
        _preview(at, chosen, text, as_json=as_json)
        return
    state = adopt(at.engine, chosen)
    if remote is not None:
        if launch:
            raise Failure("--launch starts an agent here, but --remote hands off to another machine", "use one of them")
        _send(at, state, remote, text, to or "", as_json=as_json)
        return
    host = to or state.agent or "claude"
    if launch:
        must_be_there(host, "nothing was handed off. Try again without --launch, then start the agent yourself")
    _offer(at, state.session_id, text, to or "", as_json=as_json)
    if to:
        warn_if_deaf(to, at.place.worktree)
    if launch:
        begin(host, at.place.directory)


def _preview(at: Here, state: State, memo: str, *, as_json: bool) -> None:
    """What the next start would be told, as it would be told it."""
    text = at.engine.briefs.preview(state, memo, _CHARACTERS)
    if as_json:
        show_json({"session": state.session_id, "tokens": tokens(text), "text": text})
    elif text:
        click.echo(text.rstrip("\n"))
        show_note(f"{count(tokens(text), 'token')}; nothing was handed off")
    else:
        raise Failure(
            "There is nothing to hand off: nothing is recorded of this session's work", "run `tapehead doctor`"
        )


def _offer(at: Here, session_id: str, text: str, to: str, *, as_json: bool) -> None:
    place = place_name(at.place.worktree_id)
    keeps = at.engine.keeps_batons()
    baton = offer(at, session_id, text, to)
    memo = baton["memo"]
    if as_json:
        show_json({"session": session_id, "place": place, "memo": bool(memo), **({"to": to} if to else {})})
        return
    good_for, name = spell(keeps), short_ids(at.engine.store.list()).get(session_id, session_id)
    whose = setup_of(to).NAME if to else "an agent"
    with_memo = (", with your memo" if text else ", with the memo from before") if memo else ""
    console().print(f"Start {whose} in this worktree within {good_for}: it continues {name}{with_memo}.")


def _send(at: Here, state: State, remote: str, memo: str, to: str, *, as_json: bool) -> None:  # noqa: PLR0913 - as said
    name = the_remote(at, remote)
    sent = send(at, state, name, memo, to)
    if as_json:
        about = {"session": state.session_id, "remote": name, "reached": sent.reached, "masked": sent.handoff.masked}
        show_json({**about, "memo": bool(memo), **({"to": to} if to else {})})
        return
    if sent.handoff.masked:
        console().print(f"{count(sent.handoff.masked, 'secret')} redacted.")
    if sent.reached:
        console().print(f"{state.session_id} is on {name}. On the other machine, run `tapehead resume --from {name}`")
    else:
        console().print(f"Can't reach {name}. {state.session_id} will be sent with the next `tapehead sync {name}`")
        show_note(sent.why_not)


def _memo(given: str | None) -> str:
    """What was given, or what a pipe brings. Nothing in a pipe is none; a memo that is given says something."""
    text = _stdin() if given == "-" else read_pipe() if given is None else given
    if given is not None and not text.strip():
        raise Failure(
            "The memo is empty; nothing was handed off", "write what the next session should know, or leave out --memo"
        )
    return cut_middle(text, _LONGEST) if text.strip() else ""


def _stdin() -> str:
    """All of it, whatever bytes a pipe brings."""
    return sys.stdin.buffer.read().decode("utf-8", "replace")
