"""Which transcripts on the disk `tapehead archive` is about, and keeping them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from tapehead.archive.archive_keeper import ArchiveKeeper
from tapehead.archive.limit import may_keep
from tapehead.archive.segments import Damaged
from tapehead.cli.import_sources import found, is_over, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.cli.here import Here
    from tapehead.cli.import_sources import Source

_OF_SUBAGENTS = "subagents"


class Outcome(NamedTuple):
    """What became of the transcripts of a store."""

    at: Here
    sessions: int = 0
    """Sessions whose transcripts were looked at."""
    added: int = 0
    """Bytes that are kept now and were not before."""
    passed_over: int = 0
    """Transcripts that are older than what the limit drove out."""
    problems: tuple[tuple[str, str], ...] = ()


def on_disk(places: list[Here]) -> dict[str, list[Source]]:
    """The transcripts that agents have of these stores, by store; oldest first, so that a limit spares the newest."""
    wanted: dict[str, list[Source]] = {place.engine.layout.root: [] for place in places}
    for path in found((), os.environ):
        if os.path.basename(os.path.dirname(path)) == _OF_SUBAGENTS:
            continue  # it is kept with the transcript that it belongs to
        try:
            source = source_of(path, os.environ, "", always=False)
        except OSError:
            continue
        if source and source.session and source.root in wanted:
            wanted[source.root].append(source)
    return {root: sorted(sources, key=lambda each: each.changed) for root, sources in wanted.items()}


def keep_all(at: Here, sources: Iterable[Source]) -> Outcome:
    """Keep them, each to its end, and bring the archive into its best shape."""
    engine = at.engine
    keeper = ArchiveKeeper(engine.layout, engine.settings, time.time_ns())
    sessions, added, old, problems = set(), 0, 0, []
    for source in sources:
        try:
            if not may_keep(keeper.archive, os.stat(source.path).st_mtime_ns, keeper.limit):
                old += 1
                continue
            added += keeper.keep(
                source.path, source.agent, source.session, final=is_over(source.path, time.time())
            ).size
            sessions.add(source.session)
        except (OSError, Damaged) as error:
            problems.append((source.path, str(error)))
    if sessions:
        keeper.tidy(always=True)
    return Outcome(at, len(sessions), added, old, tuple(problems))
