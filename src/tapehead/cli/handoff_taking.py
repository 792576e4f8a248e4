"""`tapehead resume --from REMOTE`: what another machine handed over is listed, and one of it taken."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from tapehead.agents.hook_event import NAMES
from tapehead.cli.handoff_transfer import fetch, look, the_remote
from tapehead.cli.launch import begin
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.git import layout as git_layout
from tapehead.text.fence import quote
from tapehead.text.wording import ago, alike, short_ids, spell

if TYPE_CHECKING:
    from tapehead.checkpoints.handoff_ref import Handoff
    from tapehead.cli.here import Here

_DIGITS = 4


def take_over(at: Here, remote: str, which: str | None, host: str | None, *, as_json: bool) -> None:
    """Lists, or takes the one that was meant."""
    remote = the_remote(at, remote)
    found, why_not = look(at, remote)
    if why_not:
        show_note(f"can't reach {remote} ({why_not}); this is the last known list")
    if as_json:
        show_json([_as_data(number, one) for number, one in enumerate(found, 1)])
    elif not found and which is not None:
        raise Failure(f"No handoff waiting on {remote}", "run `tapehead handoff --remote` on the other machine")
    elif not found:
        console().print(f"No handoff waiting on {remote}.")
    elif which is None and len(found) > 1:
        _show(at, found)
    elif which is not None or host or _wanted(at, found):
        _take(at, remote, _chosen(found, which), host)


def _wanted(at: Here, found: list[Handoff]) -> bool:
    """Whether the only one is to be taken: it can be taken once, so whoever can be asked is."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return True
    _show(at, found)
    return click.confirm("Take it?", default=True)


def _take(at: Here, remote: str, one: Handoff, host: str | None) -> None:
    reached = fetch(at, remote, one)
    good_for = spell(at.engine.settings.seconds("baton.ttl"))
    sender = f" It came from {remote}, by {quote(one.by, 60) or 'an unknown sender'}, not verified."
    console().print(
        f"Start an agent in this worktree within {good_for}: it continues {one.session}.{sender}", soft_wrap=True
    )
    if one.head and one.head != _head(at):
        branch = quote(one.branch, 80) or "(detached)"
        console().print(
            f"The work stood at {quote(one.head[:10], 10)} on {branch}; this worktree is at another commit."
        )
    if not reached:
        show_note(f"{remote} will know that you took it after the next `tapehead sync {remote}`")
    if host:
        begin(host, at.place.directory)


def _head(at: Here) -> str:
    return git_layout.head(at.place.repository)[1] if at.place.repository else ""


def _chosen(found: list[Handoff], which: str | None) -> Handoff:
    if which is not None and which.isdecimal() and len(which) < _DIGITS:
        if not 0 < int(which) <= len(found):
            raise Failure(f"No number {which} in the list", "leave out the number to list them")
        return found[int(which) - 1]
    meant = [one for one in found if which is None or one.session.startswith(which)]
    exact = [one for one in meant if one.session == which]
    if not meant:
        raise Failure(f"No handoff of session {which!r} there", "leave out the id to list them")
    if len(exact or meant) > 1:
        ids = sorted({one.session for one in meant})
        raise Failure(f"{len(meant)} handoffs begin with {which!r}", alike(ids) if len(ids) > 1 else "use its number")
    return (exact or meant)[0]


def _show(at: Here, found: list[Handoff]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "agent", "session", "turns", "handed over", "memo, or last prompt"):
        table.add_column(name, no_wrap=not name.startswith("memo"))
    ids = short_ids(one.session for one in found)
    for number, one in enumerate(found, 1):
        said = Text(quote(one.memo or one.asked, 100))
        agent = NAMES.get(one.agent, "?")
        table.add_row(str(number), agent, ids[one.session], str(one.turns), ago(_time(one), at.now), said)
    console().print(table)


def _time(one: Handoff) -> datetime | None:
    try:
        found = datetime.fromisoformat(one.offered_at)
    except ValueError:
        return None
    return found if found.tzinfo else None


def _as_data(number: int, one: Handoff) -> dict[str, Any]:
    names = ("session", "agent", "offered_at", "memo", "to", "by", "branch", "head", "asked", "turns", "masked")
    return {"number": number, **{name: getattr(one, name) for name in names}}
