"""`tapehead forget-session`: one session, out of every place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tapehead.cli.erasure import find_archived, stays, traces_of
from tapehead.cli.here import here
from tapehead.cli.output import Failure, console, print_hanging, show_json
from tapehead.cli.session_choice import choose
from tapehead.engine.start import is_alive
from tapehead.text import redacted_excerpt
from tapehead.text.wording import count, quote_words

if TYPE_CHECKING:
    from tapehead.cli.erasure import Trace
    from tapehead.cli.here import Here
    from tapehead.store.state import State

_WAIT = 10.0


@click.command("forget-session")
@click.argument("session", metavar="SESSION")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would go, and delete nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def forget_session(*, session: str, yes: bool, dry_run: bool, as_json: bool) -> None:
    """Delete what is recorded of one session.

    First it lists what it deletes and what stays, and asks you. The agent's own transcript stays.

    \b
    Examples:
      tapehead forget-session 1a2b3c4d --dry-run
      tapehead forget-session 1a2b3c4d
    """
    at = here()
    state = find_archived(at.engine, session) or choose(at, session)
    if is_alive(state):
        raise Failure(f"session {state.session_id[:8]} still runs (process {state.host_pid})", "close its agent first")
    found, left = traces_of(at.engine, state.session_id), stays(at.engine, state.session_id)
    if not as_json:
        _show(state, found, left, stderr=not dry_run)
    if not (yes or dry_run):
        _ask(as_json=as_json)
    if not dry_run:
        _erase(at, state, found)
    if as_json:
        traces = [{"place": one.place, "what": one.told} for one in found]
        show_json({"session": state.session_id, "deleted": not dry_run, "traces": traces, "stays": left})
    elif not dry_run:
        console().print(f"forgot session {state.session_id[:8]} in {count(len(found), 'place')}")


def _show(state: State, found: list[Trace], left: list[str], *, stderr: bool) -> None:
    out = console(stderr=stderr)
    asked = redacted_excerpt.in_line(state.last_prompt)
    print_hanging(out, f"session {state.session_id[:8]}{', last prompt: ' + quote_words(asked) if asked else ''}", 2)
    for one in found:
        print_hanging(out, f"  deletes {one.place}: {one.told}", 4)
    for line in left:
        print_hanging(out, f"  stays: {line}", 4)


def _ask(*, as_json: bool) -> None:
    if as_json:
        raise Failure("Can't ask you here: this is no terminal", "use --yes, or --dry-run to see what would go")
    if not click.confirm("Delete it? This cannot be undone.", default=False, err=True):
        raise Failure("Nothing was deleted")


def _erase(at: Here, state: State, found: list[Trace]) -> None:
    with at.engine.store.transaction(state.session_id, _WAIT) as held:
        if not held:
            raise Failure("the session is in use by another process", "try again")
        for one in found:
            one.erase()
