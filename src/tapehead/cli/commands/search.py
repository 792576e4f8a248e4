"""`tapehead search`: where something was said or done."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from tapehead.cli import moments
from tapehead.cli.here import everywhere, here
from tapehead.cli.output import Failure, show_json
from tapehead.cli.remembering import chain, chosen, memory
from tapehead.cli.showing import show
from tapehead.memory.layers import KINDS, ROLES
from tapehead.memory.recall import Recall
from tapehead.memory.search import LIMIT, Hit, Wanted
from tapehead.memory.search import search as found_in
from tapehead.memory.wording import query
from tapehead.settings.values import Wrong, seconds
from tapehead.text.plain import plain

if TYPE_CHECKING:
    from tapehead.cli.here import Here


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--session", metavar="ID", help="Only in this session (or how its id begins) and those it goes on from.")
@click.option("--project", metavar="NAME", help="Only in this project: its directory, or the end of it.")
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only this kind of entry; may be given again."
)
@click.option(
    "--role", "roles", multiple=True, type=click.Choice(ROLES), help="Only what these said; may be given again."
)
@click.option("--since", metavar="WHEN", help="Only from a time on (2026-11-15, 14:23), or the last 3d, 12h, 90m.")
@click.option("--file", metavar="PATH", help="Only where a tool was used on this file.")
@click.option("--limit", type=click.IntRange(1, 1000), default=LIMIT, show_default=True, help="Hits at most.")
@click.option("--all", "all_places", is_flag=True, help="In all projects on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def search(  # noqa: PLR0913 - one argument per option
    *,
    words: tuple[str, ...],
    session: str | None,
    project: str | None,
    kinds: tuple[str, ...],
    roles: tuple[str, ...],
    since: str | None,
    file: str | None,
    limit: int,
    all_places: bool,
    as_json: bool,
) -> None:
    """Find where WORDS were said or done, in what people, agents and tools said.

    All words must be there; "words in quotes" must stand side by side. The newest come first, and what people said
    before what agents and tools said. Exits with 1 where nothing is found.

    \b
    Examples:
      tapehead search parser error
      tapehead search '"connection reset"' --role tool --since 3d
      tapehead search migration --file schema.sql --json
    """
    text = " ".join(words)
    if not query(text).terms:
        raise Failure(f"there is no word in {text!r}", "give letters or digits to look for")
    wanted = Wanted(text, (), project or "", kinds, roles, _since(since), file or "", limit)
    places = everywhere() if all_places else [here()]
    hits = [hit for at in places for hit in _hits(at, wanted, session, lenient=all_places)]
    hits = sorted(hits, key=lambda hit: -hit.score)[:limit]
    if as_json:
        show_json([hit._asdict() for hit in hits])
    else:
        for hit in hits:
            _show(hit, several=all_places)
    if not hits:
        if project and not any(_knows(at, project) for at in places):
            raise Failure(f"no session of a project {project!r} is remembered here", "`--all` looks in all projects")
        narrowed = any((session, project, kinds, roles, since, file))
        raise Failure(f"nothing is remembered with {text!r}", _hint(text, narrowed=narrowed))


def _hits(at: Here, wanted: Wanted, session: str | None, *, lenient: bool) -> list[Hit]:
    if lenient and not os.path.exists(at.engine.layout.memory):
        return []
    with memory(at, fresh=not lenient) as database:
        if session:
            wanted = wanted._replace(sessions=tuple(chain(database, chosen(database, session))))
        return found_in(database, wanted)


def _knows(at: Here, project: str) -> bool:
    """Whether any session of such a project is remembered, by the rule of the search itself."""
    if not os.path.exists(at.engine.layout.memory):
        return False
    with memory(at, fresh=False) as database:
        found = Recall(database).sessions()
    return any(told.project == project or told.project.endswith(f"/{project}") for told in found)


def _hint(text: str, *, narrowed: bool) -> str:
    """What else could be tried: only what makes sense for these words."""
    tries = {
        "without the quotes": any(mark in text for mark in '"“”'),
        "with fewer words": len(query(text).terms) > 1 and " " in text.strip(),
        "with fewer options": narrowed,
    }
    again = " or ".join(how for how, sensible in tries.items() if sensible)
    return (f"try it {again}; " if again else "") + "`tapehead import` takes in what was said before"


def _since(text: str | None) -> str:
    """A time in UTC, from a time or an age."""
    if not text:
        return ""
    now = datetime.now(UTC)
    try:
        age = seconds(text)
    except Wrong:
        return _from(text, now).isoformat()
    return (now - timedelta(seconds=age)).isoformat()


def _from(text: str, now: datetime) -> datetime:
    try:
        asked = moments.moment(text, None)
    except moments.NotUnderstood:
        asked = None
    if isinstance(asked, moments.Span):
        return asked.start
    if isinstance(asked, moments.Clock):
        span = moments.on_day(asked, now.astimezone().date(), None)
        return span.start if span.start <= now else span.start - timedelta(days=1)
    raise Failure(f"{text!r} is no time", "such as 2026-11-15, 14:23, 3d, 12h")


def _show(hit: Hit, *, several: bool) -> None:
    what = " ".join(part for part in (hit.role, hit.kind if hit.kind not in hit.role else "", hit.name) if part)
    where = f" in {hit.project}" if several and hit.project else ""
    show(plain(f"{hit.time}  {what}{where}"), "bold")
    show(f"  {plain(hit.snippet)}")
    show(f"  tapehead detail turn {hit.turn} --session {hit.session}", "dim")
