"""`tapehead detail`: everything that was said and done at a time."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from tapehead.cli import moments
from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import all_here, here
from tapehead.cli.history_access import chain, chosen, memory
from tapehead.cli.output import Failure, show_json, show_note
from tapehead.cli.plain_lines import show
from tapehead.cli.session_choice import choose, is_here_path
from tapehead.history import layers
from tapehead.history.ask import Opened, open_turn
from tapehead.history.pointers import parse_pointer
from tapehead.history.recall import Recall, Told
from tapehead.text.plain import plain
from tapehead.text.wording import clock, count, short_ids
from tapehead.text.wording import when as when_local

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.cli.here import Here
    from tapehead.history.layers import Entry

_CUT = 1_500
"""Characters of one detail that are shown, unless all are wanted."""
_TITLES = {
    layers.PROMPT: "Asked",
    layers.REPLY: "Answered",
    layers.THINKING: "Thought",
    layers.CALL: "Tools called",
    layers.RESULT: "Tool output",
    layers.SUBAGENT: "Inside subagents",
    layers.SUMMARY: "The agent's summary",
    layers.HOOK: "Hooks",
    layers.SYSTEM: "The agent's program",
    layers.IMAGE: "Images",
}
"""In the order in which they are shown."""
_DAYS_BACK = 400
_FIRST, _LAST = datetime(1970, 1, 2, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


Asked = moments.Turns | moments.Clock | moments.Span


Found = Opened


@click.command()
@click.argument("when", nargs=-1, required=True)
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Session id, or its beginning. Default: all sessions of this worktree.",
)
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(_TITLES)), help="Only this kind (repeatable).")
@click.option("--all", "all_places", is_flag=True, help="Search all projects on this machine.")
@click.option("--full", is_flag=True, help=f"Show long entries whole. Default: {_CUT:,} characters.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with nothing cut.")
def detail(  # noqa: PLR0913 - one argument per option
    *, when: tuple[str, ...], session: str | None, kinds: tuple[str, ...], all_places: bool, full: bool, as_json: bool
) -> None:
    """Show everything of a turn or a time.

    \b
    WHEN is one of:
      14:23        the last time that it was 14:23 here
      14:23-14:30  a range
      turn 12      a turn
      3f2a91bc/12  a session and its turn, as `search` prints them

    If nothing was recorded at that time, you see the turn that was running.

    \b
    Examples:
      tapehead detail 14:23
      tapehead detail 14:23-14:30 --kind result --full
      tapehead detail 2026-11-15T14:23:05Z --session 3f2a
      tapehead detail turn 12
      tapehead detail 3f2a91bc/12
    """
    if pointer := parse_pointer(" ".join(when)):
        when, session = ("turn", str(pointer.turn)), session or pointer.session
    try:
        asked = moments.moment(" ".join(when), None)
    except moments.NotUnderstood as error:
        raise Failure(
            f"Can't parse {error} as a time or a turn", "try 14:23, 14:23-14:30, 2026-11-15T14:23:05Z or 'turn 12'"
        ) from None
    found = _everywhere(asked, session, " ".join(when)) if all_places else _in(here(), asked, session, " ".join(when))
    shown = _of_kinds(found, kinds)
    if as_json:
        show_json([_as_data(one) for one in shown])
        return
    if any(one.only_running for one in shown):
        show_note(f"Nothing was recorded at {' '.join(when)}. This turn was running then.")
    names = short_ids({*here().engine.store.list(), *(one.session for one in shown)})
    for one in shown:
        _show(one, names[one.session], 0 if full else _CUT)


def _in(  # noqa: PLR0913 - as it was asked
    at: Here, asked: Asked, session: str | None, words: str, *, fresh: bool = True, wide: bool = False
) -> list[Found]:
    with memory(at, fresh=fresh) as database:
        recall = Recall(database)
        if session is None and not isinstance(asked, moments.Turns):
            told = [one for one in recall.sessions() if wide or is_here_path(at, one.project)]
            found, where = _at_that_time(recall, asked, told), "in this worktree"
        else:
            meant = chosen(at, database, session) if session else choose(at, None).session_id
            sessions = chain(at, database, meant)
            found, where = _turns(recall, sessions, asked), f"in session {sessions[0]}"
    if found:
        return found
    raise Failure(f"Nothing recorded for {words} {where}", "`tapehead search WORDS` searches by words")


def _everywhere(asked: Asked, session: str | None, words: str) -> list[Found]:
    """The first project that has it, this one before all others."""
    for number, at in enumerate(all_here()):
        with suppress(Failure):  # another one may have it
            return _in(at, asked, session, words, fresh=not number, wide=True)
    where = f" in a session {session!r}" if session else ""
    raise Failure(
        f"Nothing recorded for {words}{where} in any project", "`tapehead search WORDS --all` searches by words"
    )


def _turns(recall: Recall, sessions: list[str], asked: Asked) -> list[Found]:
    """The turns that are meant, of the nearest session that has any. A clock time is the newest such time."""
    for session in sessions:
        if isinstance(asked, moments.Turns):
            found = _opened(recall, session, recall.turns(session, asked.first, asked.last))
        else:
            found = _at_that_time(recall, asked, recall.sessions(session))
        if found:
            return found
    return []


def _opened(recall: Recall, session: str, numbers: list[int], *, only_running: bool = False) -> list[Found]:
    found = (open_turn(session, number, recall.turn(session, number)) for number in numbers)
    return [one._replace(only_running=only_running) for one in found if one.entries or one.line]


def _at_that_time(recall: Recall, asked: moments.Clock | moments.Span, told: list[Told]) -> list[Found]:
    """The turns of all these sessions in which something happened then, in the order of their times; else those that were running.

    A clock time is the newest such time.
    """
    for span in [asked] if isinstance(asked, moments.Span) else _on_days(asked, told):
        start, end = _iso(span.start), _iso(span.end)
        there = [one.id for one in told if _instant(one.began) < span.end and span.start <= _instant(one.ended)]
        found = [one for each in there for one in _opened(recall, each, recall.turns_between(each, start, end))]
        if not found:
            running = ((each, recall.running_at(each, start)) for each in there)
            found = [one for each, turns in running for one in _opened(recall, each, turns, only_running=True)]
        if found:
            return sorted(found, key=lambda one: one.time)
    return []


def _on_days(asked: moments.Clock, told: list[Told]) -> Iterator[moments.Span]:
    """A clock time on each day on which there were sessions, from the last one backwards."""
    if not told:
        return
    last = max(_instant(one.ended) for one in told).astimezone().date()
    first = min(_instant(one.began) for one in told).astimezone().date()
    # One day more: from before midnight to after it may have begun the day before the session.
    for back in range(min((last - first).days, _DAYS_BACK) + 2):
        yield moments.on_day(asked, last - timedelta(days=back), None)


def _instant(time: str) -> datetime:
    return datetime.fromisoformat(time)


def _of_kinds(found: list[Found], kinds: tuple[str, ...]) -> list[Found]:
    """The same with the entries that are wanted, and without turns that have none."""
    if not kinds:
        return found
    wanted = [one._replace(entries=[entry for entry in one.entries if entry.kind in kinds]) for one in found]
    if not any(one.entries for one in wanted):
        there = sorted({entry.kind for one in found for entry in one.entries})
        raise Failure(f"No {' or '.join(kinds)} in it", f"there is: {', '.join(there)}" if there else "")
    return [one for one in wanted if one.entries]


def _iso(at: datetime) -> str:
    """A time that the memory has room for."""
    return min(max(at, _FIRST), _LAST).isoformat()


def _as_data(found: Found) -> dict[str, object]:
    return {
        "session": found.session,
        "turn": found.turn,
        "line": found.line,
        "taken_back": found.taken_back,
        "only_running": found.only_running,
        "entries": [entry._asdict() for entry in found.entries],
    }


def _show(found: Found, name: str, cut: int) -> None:
    told = when_local(found.time) if found.time else ""
    gone = " (taken back)" if found.taken_back else ""
    show(plain(", ".join(filter(None, (f"Turn {found.turn} of session {name}", told)))) + gone, "bold")
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
    head = plain(" ".join(part for part in (entry.time and clock(entry.time), entry.name, entry.file) if part))
    body = plain(entry.body)
    if cut and len(body) > cut:
        body = f"{body[:cut]}\n[… {len(body) - cut:,} more characters: --full]"
    return f"[{head}]\n{body}"
