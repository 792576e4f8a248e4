"""`tapehead search`: where something was said or done."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from tapehead.cli.completion_values import session_ids
from tapehead.cli.here import all_here, here
from tapehead.cli.history_access import NotRemembered, chain, chosen, memory
from tapehead.cli.output import Failure, show_json, show_note
from tapehead.cli.passages import show_passages
from tapehead.cli.since import parse_since
from tapehead.history.ask import History
from tapehead.history.index_words import spelt
from tapehead.history.layers import KINDS, ROLES
from tapehead.history.question import read_question
from tapehead.history.recall import Recall
from tapehead.history.search import LIMIT, Wanted

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.history.ask import Passage


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--session",
    metavar="ID",
    shell_complete=session_ids,
    help="Only this session (id, or its beginning), and those it continues.",
)
@click.option("--project", metavar="NAME", help="Only this project, named by its directory.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Only this kind of text (repeatable). line: one line about a whole turn. covered: one line about turns that were compacted.",
)
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice(ROLES),
    help="Only what the human, the agent, a tool or the agent's program (host) said (repeatable).",
)
@click.option("--since", metavar="WHEN", help="Only since then: 2026-11-15, 14:23, or 3d (three days ago).")
@click.option("--file", metavar="PATH", type=click.Path(), help="Only tool calls on this file.")
@click.option("--limit", type=click.IntRange(1, 1000), default=LIMIT, show_default=True, help="Number of hits to show.")
@click.option("--all", "all_places", is_flag=True, help="Search all projects on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
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
    """Search what was said and done, in plain words.

    A hit need not have all the words. Rare words count more. "Words in quotes" must stand together. Parts of names
    (parseHeader) and dates ("last Tuesday") work too. What you said yourself ranks first.

    Exit code 1 if nothing matches.

    \b
    Examples:
      tapehead search why did we drop the retry queue
      tapehead search parser error last week
      tapehead search '"connection reset"' --role tool --since 3d
      tapehead search migration --file schema.sql --json
    """
    text = " ".join(words)
    now = int(datetime.now(UTC).timestamp() * 1000)
    asked = read_question(text, datetime.now().astimezone().date())
    if not asked.terms and not asked.days:
        raise Failure(f"No word to search for in {text!r}", "use letters or digits")
    wanted = Wanted(text, (), _project(project), kinds, roles, parse_since(since), _file(file), limit, now)
    several = all_places or bool(project)  # a project that is named may be any on this machine
    places = all_here() if several else [here()]
    found = _found(places, wanted, session, lenient=several)
    found = sorted(found, key=lambda one: one[0].hit.order())[:limit]
    if as_json:
        show_json([{"pointer": one.pointer, **one.hit._asdict()} for one, _ in found])
    else:
        show_passages([(one, at is not places[0]) for one, at in found], projects=several)
    if not found:
        if project and not any(_knows(at, wanted.project) for at in places):
            raise Failure(
                f"No session of a project {project!r} in the history",
                "`tapehead search WORDS --all` shows the project of each hit",
            )
        narrowed = any((session, project, kinds, roles, since, file))
        raise Failure(f"No matches for {text!r}", _hint(text, narrowed=narrowed))


def _found(places: list[Here], wanted: Wanted, session: str | None, *, lenient: bool) -> list[tuple[Passage, Here]]:
    """What each place has. Of several, one that cannot be asked is said and hides nothing else, nor one without the session."""
    if not lenient:
        return [(hit, places[0]) for hit in _hits(places[0], wanted, session)]
    found: list[tuple[Passage, Here]] = []
    strange: list[NotRemembered] = []
    asked = [at for at in places if at is places[0] or os.path.exists(at.engine.layout.memory)]
    for at in asked:
        try:
            found += [(hit, at) for hit in _hits(at, wanted, session, fresh=at is places[0])]
        except NotRemembered as error:
            strange.append(error)
        except Failure as error:
            show_note(f"{at.place.directory}: {error.message}")
    if session and len(strange) == len(asked):
        raise Failure(f"No session {session!r} in any project's history", strange[0].hint)
    return found


def _hits(at: Here, wanted: Wanted, session: str | None, *, fresh: bool = True) -> list[Passage]:
    with memory(at, fresh=fresh) as database:
        if session:
            wanted = wanted._replace(sessions=tuple(chain(at, database, chosen(at, database, session))))
        if wanted.project and _is_of(at, wanted.project):
            wanted = wanted._replace(project="")  # whatever was taken in here is of this project, wherever it was said
        return History(database).ask(wanted)


def _project(name: str | None) -> str:
    """A project's directory, or the end of it, as sessions have it."""
    if not name:
        return ""
    return os.path.abspath(name) if name.split(os.sep)[0] in (".", "..") else name.rstrip(os.sep) or os.sep


def _is_of(at: Here, project: str) -> bool:
    """Whether a store is the project's own."""
    own = {at.place.worktree, os.path.dirname(at.engine.layout.root).removesuffix(f"{os.sep}.git")}
    return any(each == project or each.endswith(os.sep + project) for each in own)


def _file(name: str | None) -> str:
    """A file, as tools name it: from the top of the work tree, where a user says it from where they stand."""
    if not name:
        return ""
    plainly = os.path.normpath(name)
    if plainly.split(os.sep)[0] != os.pardir:
        return plainly
    whole, top = os.path.abspath(name), os.path.realpath(here().place.worktree)
    return os.path.relpath(whole, top) if whole.startswith(top + os.sep) else whole


def _knows(at: Here, project: str) -> bool:
    """Whether any session of such a project is remembered, by the rule of the search itself."""
    if not os.path.exists(at.engine.layout.memory):
        return False
    try:
        with memory(at, fresh=False) as database:
            found = Recall(database).sessions()
    except Failure:  # it was said
        return False
    return (_is_of(at, project) and bool(found)) or any(
        told.project == project or told.project.endswith(f"/{project}") for told in found
    )


def _hint(text: str, *, narrowed: bool) -> str:
    """What else could be tried: only what makes sense for these words."""
    tries = {
        "without the quotes": '"' in spelt(text),
        "with other words": '"' not in spelt(text),
        "with fewer options": narrowed,
    }
    again = " or ".join(how for how, sensible in tries.items() if sensible)
    return (f"try it {again}; " if again else "") + "`tapehead import` adds older transcripts"
