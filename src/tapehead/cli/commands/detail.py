"""`tapehead detail`: everything that was said and done at a time."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import click

from tapehead.cli import moments
from tapehead.cli.completing import session_ids
from tapehead.cli.here import all_here, here
from tapehead.cli.output import Failure, show_json, show_note
from tapehead.cli.remembering import chain, chosen, memory
from tapehead.cli.showing import show
from tapehead.cli.telling import count
from tapehead.memory import layers
from tapehead.memory.recall import Recall
from tapehead.text.plain import plain

if TYPE_CHECKING:
    from tapehead.cli.here import Here
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
_FIRST, _LAST = datetime(1970, 1, 2, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


Asked = moments.Turns | moments.Clock | moments.Span


class Found(NamedTuple):
    """A turn, and everything in it."""

    session: str
    turn: int
    time: str
    line: str
    entries: list[Entry]
    """But the line."""


@click.command()
@click.argument("when", nargs=-1, required=True)
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Which session (or how its id begins); this agent's, or the newest otherwise.",
)
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(list(_TITLES)), help="Only this kind; may be given again."
)
@click.option("--all", "all_places", is_flag=True, help="In all projects on this machine.")
@click.option("--full", is_flag=True, help=f"Details whole; otherwise {_CUT:,} characters of each are shown.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, everything whole.")
def detail(  # noqa: PLR0913 - one argument per option
    *, when: tuple[str, ...], session: str | None, kinds: tuple[str, ...], all_places: bool, full: bool, as_json: bool
) -> None:
    """Show what was said and done at a time, or in a turn: words, tools, results, thinking.

    WHEN is a time, from one time to another, or a turn. A time without a zone is yours; one without a day is the newest
    such time. A session that went on from another finds that one's times too; a whole time is looked for in the other
    sessions as well.

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
    found = _everywhere(asked, session, " ".join(when)) if all_places else _in(here(), asked, session, " ".join(when))
    shown = _of_kinds(found, kinds)
    if as_json:
        show_json([_as_data(one) for one in shown])
        return
    for one in shown:
        _show(one, 0 if full else _CUT)


def _in(at: Here, asked: Asked, session: str | None, words: str, *, fresh: bool = True) -> list[Found]:
    with memory(at, fresh=fresh) as database:
        recall = Recall(database)
        sessions = chain(at, database, chosen(at, database, session))
        found = _turns(recall, sessions, asked)
        if not found and session is None and isinstance(asked, moments.Span):
            found = _elsewhere(recall, sessions, asked)
    if found:
        return found
    hint = "`tapehead search WORDS` finds by words, and --session looks in another session"
    raise Failure(f"nothing is remembered of {words} in session {sessions[0]}", hint)


def _everywhere(asked: Asked, session: str | None, words: str) -> list[Found]:
    """The first project that has it, this one before all others."""
    for number, at in enumerate(all_here()):
        with suppress(Failure):  # another one may have it
            return _in(at, asked, session, words, fresh=not number)
    where = f" in a session {session!r}" if session else ""
    raise Failure(
        f"nothing is remembered of {words}{where} in any project", "`tapehead search WORDS --all` finds by words"
    )


def _turns(recall: Recall, sessions: list[str], asked: Asked) -> list[Found]:
    """The turns that are meant, of the nearest session that has any."""
    for session in sessions:
        numbers = _numbers(recall, session, asked)
        found = [_found(session, number, recall.turn(session, number)) for number in numbers]
        if found := [one for one in found if one.entries or one.line]:
            return found
    return []


def _found(session: str, turn: int, entries: list[Entry]) -> Found:
    line = next((entry.body for entry in entries if entry.kind == layers.LINE), "")
    time = next((entry.time for entry in entries if entry.time), "")
    return Found(session, turn, time, line, [entry for entry in entries if entry.layer > layers.SKELETON])


def _elsewhere(recall: Recall, sessions: list[str], asked: moments.Span) -> list[Found]:
    """A whole time means the same in every session: the newest that has it, and which others do."""
    others = (told.id for told in reversed(recall.sessions()) if told.id not in sessions)
    found = [one for one in (_turns(recall, [each], asked) for each in others) if one]
    for one in found[1:]:
        show_note(f"session {one[0].session} was at work then too: --session {one[0].session}")
    return found[0] if found else []


def _of_kinds(found: list[Found], kinds: tuple[str, ...]) -> list[Found]:
    """The same with the entries that are wanted, and without turns that have none."""
    if not kinds:
        return found
    wanted = [one._replace(entries=[entry for entry in one.entries if entry.kind in kinds]) for one in found]
    if not any(one.entries for one in wanted):
        there = sorted({entry.kind for one in found for entry in one.entries})
        raise Failure(f"there is no {' or '.join(kinds)} in it", f"there is: {', '.join(there)}" if there else "")
    return [one for one in wanted if one.entries]


def _numbers(recall: Recall, session: str, asked: Asked) -> list[int]:
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
    """A time that the memory has room for."""
    return min(max(at, _FIRST), _LAST).isoformat()


def _as_data(found: Found) -> dict[str, object]:
    return {
        "session": found.session,
        "turn": found.turn,
        "line": found.line,
        "entries": [entry._asdict() for entry in found.entries],
    }


def _show(found: Found, cut: int) -> None:
    show(plain(", ".join(filter(None, (f"Turn {found.turn} of session {found.session}", found.time)))), "bold")
    if found.line:
        show(plain(found.line))
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
