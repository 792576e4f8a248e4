"""The archive of transcripts: what the agent will delete before it is kept, what the limit drove out, what is damaged."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from tapehead.agents.readers import DELETING, places_of, retention_of
from tapehead.agents.setups import setup_of
from tapehead.archive.archive import Archive
from tapehead.archive.archive_keeper import ArchiveKeeper
from tapehead.archive.kept import Source
from tapehead.archive.limit import list_dropped, may_keep
from tapehead.archive.segments import Damaged
from tapehead.cli import off_period
from tapehead.cli.checks.finding import ERROR, NOTE, WARNING, Finding
from tapehead.cli.here import states_of
from tapehead.store import off_switch
from tapehead.store.paths import is_session_id
from tapehead.text.wording import count, when

if TYPE_CHECKING:
    from tapehead.agents.readers import Retention
    from tapehead.archive.kept import Kept
    from tapehead.cli.here import Here

_DAY = 24 * 3600
_NEWEST = 5


def unkept(at: Here) -> list[Finding]:
    """Transcripts that an agent deletes by and by, and of which the archive has no copy, or not all."""
    if off_period.current(at):
        return []
    return [finding for agent in DELETING if (keeps := retention_of(agent)) for finding in _unkept(at, agent, keeps)]


def _unkept(at: Here, agent: str, keeps: Retention) -> list[Finding]:
    late = [path for path in _old_ones(at, keeps) if _is_unkept(at, agent, path)]
    if not late:
        return []
    days = keeps.days_kept(os.path.expanduser("~"), os.environ, at.place.worktree)
    goes = datetime.fromtimestamp(min(map(os.path.getmtime, late)) + days * _DAY, UTC)
    first = f"the first {'at its next start' if goes <= at.now else when(goes)}"
    what = (
        f"{count(len(late), 'transcript')} of this project {'is' if len(late) == 1 else 'are'} not kept."
        f" {setup_of(agent).NAME} deletes transcripts after {count(days, 'day')}, {first}"
    )
    if not at.engine.settings.flag("archive.keep"):
        return [Finding("archive", NOTE, what, "`tapehead config set archive.keep true` keeps copies")]
    hint = "`tapehead archive` keeps them, and so does `tapehead doctor --fix`"
    return [Finding("archive", WARNING, what, hint, mend=partial(_keep, at, agent, late))]


def _old_ones(at: Here, keeps: Retention) -> list[str]:
    """The transcripts of this project that nobody wrote for a day: the worker may be at the others."""
    places = {at.place.worktree, *(state.worktree_path for state in states_of(at).values())} - {""}
    found = []
    for folder in sorted({keeps.folder_of(os.path.expanduser("~"), os.environ, place) for place in places} - {""}):
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        paths = [os.path.realpath(os.path.join(folder, name)) for name in names if name.endswith(".jsonl")]
        found += [path for path in paths if os.path.isfile(path) and at.now.timestamp() - os.path.getmtime(path) > _DAY]
    return found


def _is_unkept(at: Here, agent: str, path: str) -> bool:
    archive, about, session = Archive(at.engine.layout), os.stat(path), places_of(agent).session_of(path)
    limit = at.engine.settings.number("archive.limit")
    if off_switch.is_left_out(at.engine.layout, session):
        return False  # it ran while tapehead was off: its user wants no copy
    if not about.st_size or not is_session_id(session) or not may_keep(archive, about.st_mtime_ns, limit):
        return False
    try:
        kept = archive.find(Source(path, agent, session))
    except (OSError, Damaged):
        return True
    return kept is None or kept.size < about.st_size


def _keep(at: Here, agent: str, paths: list[str]) -> None:
    keeper = ArchiveKeeper(at.engine.layout, at.engine.settings, int(at.now.timestamp() * 1e9))
    for path in paths:
        keeper.keep(path, agent, places_of(agent).session_of(path), final=True)
    keeper.tidy(always=True)


def driven_out(at: Here) -> list[Finding]:
    """What went because the archive was full."""
    gone = list_dropped(Archive(at.engine.layout))
    if not gone.sessions:
        return []
    until = when(datetime.fromtimestamp(gone.until_ns / 1e9, UTC))
    what = (
        f"the archive reached its limit of {gone.limit} MB: the transcripts of {count(gone.sessions, 'session')} were deleted"
        f" from it, the newest last written {until}"
    )
    return [
        Finding("archive", NOTE, what, "`tapehead config set archive.limit` raises the limit, in megabytes; 0: none")
    ]


def check_copies(at: Here, deep: bool) -> list[Finding]:  # noqa: FBT001 - one shape for all that read back
    """Copies that are not what they were: the newest are read back, or all."""
    archive = Archive(at.engine.layout)
    found = [*[_damage(error) for error in archive.damaged()], *_without_index(at, archive)]
    kept = sorted(archive.kept(), key=lambda each: each.seen[1], reverse=True)
    for each in kept if deep else kept[:_NEWEST]:
        try:
            for _ in archive.read(each):
                pass
        except (OSError, Damaged) as error:
            found.append(_damage(str(error), each))
    return found


def _without_index(at: Here, archive: Archive) -> list[Finding]:
    """Data that no index names: what a killed writer leaves is young, or gone after a day; and transcripts that are in neither place."""
    found = []
    if stray := archive.strays(at.now.timestamp() - _HOUR):
        what = f"the index of a kept transcript is missing: {count(len(stray), 'file')} of the archive belong to none, such as {stray[0]}"
        hint = f"put it back into {archive.folder} within a day, before these are removed"
        found.append(Finding("archive", WARNING, what, hint))
    since, kept = list_dropped(archive).until_ns / 1e9, {each.source.session for each in archive.kept()}
    lost = [
        name
        for name, state in sorted(states_of(at).items())
        if state.agent in DELETING
        and state.transcript_path
        and not os.path.exists(state.transcript_path)
        and name not in kept
        and (seen := state.last_interaction_at or state.started_at) is not None
        and seen.timestamp() > since
    ]
    if lost:
        what = f"the transcripts of {count(len(lost), 'session')} are gone, and the archive has no copy, such as of {lost[0]}"
        found.append(Finding("archive", NOTE, what, "captures, notes and history of these sessions are kept"))
    return found


_HOUR = 3600.0


def _damage(problem: str, kept: Kept | None = None) -> Finding:
    what = f"a kept transcript cannot be read: {problem}"
    is_there = kept is not None and os.path.exists(kept.source.path)
    hint = "its transcript is still there: copy it to a safe place" if is_there else ""
    return Finding("archive", ERROR, what, hint, kept.source.session if kept else "")
