"""`tapehead archive`: transcripts that are kept before their agent deletes them."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from tapehead.archive.archive import Archive
from tapehead.cli import archive_line
from tapehead.cli.archive_sources import keep_all, on_disk
from tapehead.cli.here import all_here, here
from tapehead.cli.output import Failure, console, show_json, show_note
from tapehead.text.wording import age, count, short_ids, size

if TYPE_CHECKING:
    from tapehead.archive.kept import Kept
    from tapehead.cli.archive_sources import Outcome
    from tapehead.cli.here import Here


@click.command()
@click.option("--list", "only_list", is_flag=True, help="List the copies, and make none.")
@click.option("--all", "all_places", is_flag=True, help="Copy those of all projects on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def archive(*, only_list: bool, all_places: bool, as_json: bool) -> None:
    """Keep a copy of this project's transcripts.

    Agents delete transcripts: Claude Code after 30 days. tapehead copies each one by itself after every turn. Run
    this command once for transcripts from before the install.

    The copies are compressed and stay on this machine, readable by you alone. `tapehead restore-transcript` puts one
    back.

    \b
    Examples:
      tapehead archive
      tapehead archive --list
      tapehead archive --all
    """
    places = all_here() if all_places else [here()]
    if only_list:
        _list(places, as_json=as_json)
        return
    if not any(place.engine.settings.flag("archive.keep") for place in places):
        raise Failure("The setting archive.keep is false", "`tapehead config set archive.keep true` keeps transcripts")
    places = [place for place in places if place.engine.settings.flag("archive.keep")]
    sources = on_disk(places)
    outcomes = [keep_all(place, sources[place.engine.layout.root]) for place in places]
    if as_json:
        show_json([_as_data(outcome) for outcome in outcomes])
    for outcome in outcomes if not as_json else ():
        _tell(outcome, with_path=all_places)
    if any(outcome.problems for outcome in outcomes):
        raise click.exceptions.Exit(1)


def _tell(outcome: Outcome, *, with_path: bool) -> None:
    where = f"{outcome.at.place.worktree}: " if with_path else ""
    click.echo(where + archive_line.told(outcome.at) + (f", {size(outcome.added)} of it new" if outcome.added else ""))
    if outcome.passed_over:
        show_note(
            f"{count(outcome.passed_over, 'transcript')} older than the limit allows: raise archive.limit to keep them"
        )
    for path, problem in outcome.problems:
        show_note(f"{path}: {problem}")


def _as_data(outcome: Outcome) -> dict[str, Any]:
    return {
        "store": outcome.at.engine.layout.root,
        **archive_line.as_data(outcome.at),
        "added_bytes": outcome.added,
        "older_than_limit": outcome.passed_over,
        "problems": [{"path": path, "problem": problem} for path, problem in outcome.problems],
    }


def _list(places: list[Here], *, as_json: bool) -> None:
    rows = {place.engine.layout.root: _sessions(Archive(place.engine.layout).kept()) for place in places}
    if as_json:
        kept = [[_row_data(row) for row in rows[place.engine.layout.root]] for place in places]
        stores = zip(places, kept, strict=True)
        show_json([{"store": at.engine.layout.root, **archive_line.as_data(at), "kept": each} for at, each in stores])
        return
    for place in places:
        _show(place, rows[place.engine.layout.root], with_path=len(places) > 1)


def _sessions(kept: list[Kept]) -> list[list[Kept]]:
    """By session, the newest first; of each its own transcript first."""
    found: dict[str, list[Kept]] = {}
    for each in sorted(kept, key=lambda one: (one.source.beside, one.version)):
        found.setdefault(each.source.session, []).append(each)
    return sorted(found.values(), key=_written, reverse=True)


def _written(files: list[Kept]) -> int:
    return max(each.seen[1] for each in files)


def _row_data(files: list[Kept]) -> dict[str, Any]:
    return {
        "session": files[0].source.session,
        "agent": files[0].source.agent,
        "transcript": files[0].source.path,
        "exists": os.path.exists(files[0].source.path),
        "files": len(files),
        "bytes": sum(each.size for each in files),
        "last_written": _moment(files).isoformat(),
    }


def _moment(files: list[Kept]) -> datetime:
    return datetime.fromtimestamp(_written(files) / 1e9, UTC)


def _show(place: Here, rows: list[list[Kept]], *, with_path: bool) -> None:
    from rich.table import Table  # noqa: PLC0415 - only for a list

    if with_path:
        console().print(place.place.worktree, style="bold", soft_wrap=True)
    if rows:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for title in ("session", "agent", "last written", "size", "transcript"):
            table.add_column(title, no_wrap=True, justify="right" if title == "size" else "left")
        names = short_ids(files[0].source.session for files in rows)
        for files in rows:
            source = files[0].source
            where = "on disk" if os.path.exists(source.path) else "deleted"
            total = size(sum(each.size for each in files))
            table.add_row(names[source.session], source.agent, f"{age(_moment(files), place.now)} ago", total, where)
        console().print(table)
    console().print(archive_line.told(place), style="dim")
