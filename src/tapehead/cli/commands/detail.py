"""`tapehead detail`: everything that was said and done at a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import click

from tapehead.cli import moments
from tapehead.cli.here import here
from tapehead.cli.output import Failure, show_json
from tapehead.cli.remembering import chain, chosen, memory
from tapehead.cli.showing import show
from tapehead.cli.telling import count
from tapehead.memory import layers
from tapehead.memory.recall import Recall
from tapehead.text.plain import plain

if TYPE_CHECKING:
    from tapehead.memory.layers import Entry

_CUT = 1_500
"""Characters of one detail that are shown, unless all are wanted."""
_TITLES = {
    layers.PROMPT: "Asked",
    layers.REPLY: "Answered",
    layers.THINKING: "Thought",
    layers.CALL: "Tools called",
    layers.RESULT: "What the tools said",
    layers.SUBAGENT: "Inside subagents",
    layers.SUMMARY: "The host's summary",
    layers.HOOK: "Hooks",
    layers.SYSTEM: "The host",
    layers.IMAGE: "Images",
}
"""In the order in which they are shown."""
_DAYS_BACK = 400


class Found(NamedTuple):
    """A turn, and everything in it."""

    session: str
    turn: int
    entries: list[Entry]


@click.command()
@click.argument("when", nargs=-1, required=True)
@click.option(
    "--session", metavar="ID", help="Which session (or how its id begins); this agent's, or the newest otherwise."
)
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(list(_TITLES)), help="Only this kind; may be given again."
)
@click.option("--full", is_flag=True, help=f"Details whole; otherwise {_CUT:,} characters of each are shown.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, everything whole.")
def detail(*, when: tuple[str, ...], session: str | None, kinds: tuple[str, ...], full: bool, as_json: bool) -> None:
    """Show what was said and done at a time, or in a turn: words, tools, results, thinking.

    WHEN is a time, from one time to another, or a turn. A time without a zone is yours; one without a day is the newest
    such time. A session that went on from another finds that one's times too.

    \b
    Examples:
      tapehead detail 14:23
      tapehead detail 14:23-14:30 --kind result --full
      tapehead detail 2026-11-15T14:23:05Z --session 3f2a
      tapehead detail turn 12
    """
    try:
        asked = moments.moment(" ".join(when), None)
    except moments.NotUnderstood as error:
        raise Failure(
            f"{error} is neither a time nor a turn", "such as 14:23, 14:23-14:30, 2026-11-15T14:23:05Z, turn 12"
        ) from None
    with memory(here()) as database:
        recall = Recall(database)
        first = chosen(database, session)
        found = _turns(recall, chain(database, first), asked)
    if not found:
        raise Failure(
            f"nothing is remembered of {' '.join(when)} in session {first}", "`tapehead search WORDS` finds by words"
        )
    shown = [
        one._replace(entries=[entry for entry in one.entries if not kinds or entry.kind in kinds]) for one in found
    ]
    if as_json:
        show_json([_as_data(one) for one in shown])
        return
    for one in shown:
        _show(one, 0 if full else _CUT)


def _turns(recall: Recall, sessions: list[str], asked: moments.Turns | moments.Clock | moments.Span) -> list[Found]:
    """The turns that are meant, of the nearest session that has any."""
    for session in sessions:
        numbers = _numbers(recall, session, asked)
        found = [Found(session, number, recall.turn(session, number)) for number in numbers]
        if found := [one for one in found if one.entries]:
            return found
    return []


def _numbers(recall: Recall, session: str, asked: moments.Turns | moments.Clock | moments.Span) -> list[int]:
    if isinstance(asked, moments.Turns):
        return recall.turns(session, asked.first, asked.last)
    if isinstance(asked, moments.Span):
        return recall.turns_between(session, _iso(asked.start), _iso(asked.end))
    return _on_some_day(recall, session, asked)


def _on_some_day(recall: Recall, session: str, asked: moments.Clock) -> list[int]:
    """A clock time is the newest such time: from the session's last day backwards."""
    told = recall.sessions(session)
    if not told:
        return []
    last, first = (datetime.fromisoformat(time).astimezone().date() for time in (told[0].ended, told[0].began))
    # One day more: from before midnight to after it may have begun the day before the session.
    for back in range(min((last - first).days, _DAYS_BACK) + 2):
        span = moments.on_day(asked, last - timedelta(days=back), None)
        if found := recall.turns_between(session, _iso(span.start), _iso(span.end)):
            return found
    return []


def _iso(at: datetime) -> str:
    """As transcripts write it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _as_data(found: Found) -> dict[str, object]:
    line = next((entry.body for entry in found.entries if entry.kind == layers.LINE), "")
    return {
        "session": found.session,
        "turn": found.turn,
        "line": line,
        "entries": [entry._asdict() for entry in found.entries if entry.layer > layers.SKELETON],
    }


def _show(found: Found, cut: int) -> None:
    line = next((entry.body for entry in found.entries if entry.kind == layers.LINE), "")
    time = next((entry.time for entry in found.entries if entry.time), "")
    show(plain(f"Turn {found.turn} of session {found.session}, {time}"), "bold")
    if line:
        show(plain(line))
    for kind, title in _TITLES.items():
        entries = [entry for entry in found.entries if entry.kind == kind]
        if entries:
            show(f"\n{title}" + (f" ({count(len(entries), 'time')})" if len(entries) > 1 else ""), "bold")
        for entry in entries:
            show(_told(entry, cut if entry.layer == layers.DETAIL else 0))
    show()


def _told(entry: Entry, cut: int) -> str:
    head = plain(" ".join(part for part in (entry.time, entry.name, entry.file) if part))
    body = plain(entry.body)
    if cut and len(body) > cut:
        body = f"{body[:cut]}\n[… {len(body) - cut:,} more characters: --full]"
    return f"[{head}]\n{body}"
