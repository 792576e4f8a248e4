"""`tapehead import`: past transcripts into the memory."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from tapehead.cli.import_sources import Source, found, source_of
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.cli.transcript_import import Importer, Outcome
from tapehead.engine.store_location import make_home, place_of
from tapehead.history.database import Unusable
from tapehead.store.paths import STORE
from tapehead.text.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress


@click.command(name="import")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--here",
    "always_here",
    is_flag=True,
    help="Put everything into this project's history, whichever project it is from.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def import_(*, paths: tuple[str, ...], always_here: bool, as_json: bool) -> None:
    """Import older transcripts, so that `search` finds them.

    PATHS are transcripts or directories. Without PATHS, it imports all transcripts of your agents, each into the
    history of its own project. You can run it again: nothing is imported twice.

    \b
    Examples:
      tapehead import
      tapehead import ~/.claude/projects
      tapehead import old/session.jsonl.gz --here
    """
    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        raise Failure(f"Nothing at {missing[0]}", "name a transcript, or a directory with transcripts")
    into = _here()
    files = list(found(paths, os.environ))
    sources, strangers, outcomes = _sorted(files, into, always=always_here)
    try:
        _run(sources, outcomes.append, quiet=as_json)
    except Unusable as error:
        raise Failure(str(error)) from None
    _report(outcomes, strangers, as_json=as_json)
    if any(outcome.problem for outcome in outcomes):
        raise click.exceptions.Exit(1)


def _here() -> str:
    """The store of the working directory; asked directly, since the engine that `here` brings is not needed."""
    roots = place_of(os.getcwd(), os.environ).roots
    if not roots:
        raise Failure("No place to store anything: no repository and no home directory", "set HOME or XDG_STATE_HOME")
    make_home(roots[0], os.environ)
    return roots[0]


def _sorted(files: list[str], into: str, *, always: bool) -> tuple[list[Source], list[str], list[Outcome]]:
    """The transcripts among the files, those that are none, and those that cannot be read."""
    sources, strangers, unread = [], [], []
    for path in files:
        try:
            source = source_of(path, os.environ, into, always=always)
        except OSError as error:
            unread.append(Outcome(Source(path, "", "", into, 0, 0.0), problem=str(error)))
            continue
        if source:
            sources.append(source)
        else:
            strangers.append(path)
    return sources, strangers, unread


def _run(sources: list[Source], told: Callable[[Outcome], None], *, quiet: bool) -> None:
    with Importer(os.environ, sources) as importer:
        if quiet or not _is_watched():
            importer.run(told)
            return
        from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415 - shown only here

        columns = (SpinnerColumn(), TextColumn("importing"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console(stderr=True), transient=True) as progress:
            _with_bar(progress, importer, sources, told)


def _is_watched() -> bool:
    return sys.stderr.isatty()


def _with_bar(progress: Progress, importer: Importer, sources: list[Source], told: Callable[[Outcome], None]) -> None:
    bar = progress.add_task("import", total=sum(source.size for source in sources))

    def advance(outcome: Outcome) -> None:
        told(outcome)
        progress.advance(bar, outcome.source.size)

    importer.run(advance)


def _place(root: str) -> str:
    """A store by the repository it belongs to, which the user knows."""
    return os.path.dirname(os.path.dirname(root)) if root.endswith(f"{os.sep}.git{os.sep}{STORE}") else root


def _report(outcomes: list[Outcome], strangers: list[str], *, as_json: bool) -> None:
    problems = [outcome for outcome in outcomes if outcome.problem]
    new = sum(outcome.entries for outcome in outcomes)
    if as_json:
        show_json(
            {
                "transcripts": len(outcomes) - len(problems),
                "sessions": len({outcome.source.session for outcome in outcomes if outcome.source.session}),
                "entries": new,
                "bytes": sum(outcome.source.size for outcome in outcomes),
                "stores": sorted({outcome.source.root for outcome in outcomes}),
                "not_transcripts": strangers,
                "problems": [{"path": one.source.path, "problem": one.problem} for one in problems],
            }
        )
        return
    stores = {outcome.source.root for outcome in outcomes}
    click.echo(
        f"{count(len(outcomes) - len(problems), 'transcript')} read, {count(new, 'new entry').replace('entrys', 'entries')}"
        f" in {count(len(stores), 'project')}:"
        if outcomes
        else "No transcripts found."
    )
    for root in sorted(stores):
        click.echo(f"  {_place(root)}")
    for one in problems:
        show_note(f"{one.source.path}: {one.problem}")
    if strangers:
        show_note(f"{count(len(strangers), 'file')} skipped: not a transcript (the first: {strangers[0]})")
