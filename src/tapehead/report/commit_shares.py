"""Which lines of which commits are a session's: from the checkpoints that its tape names."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git.run import GitFailed, git
from tapehead.git.side import Side
from tapehead.report.report_values import FileShare, ReportedCommit
from tapehead.report.timeline import moment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.checkpoints.checkpoint import Checkpoint, Record
    from tapehead.git.layout import Repository
    from tapehead.store.line import Line
    from tapehead.store.paths import Layout

MOST = 40
"""Commits; of more, the newest."""
_SECONDS = 10.0
_NOTES = ("condense", "condense_if_touched")


def shares(
    layout: Layout, repository: Repository | None, lines: Iterable[Line]
) -> tuple[tuple[ReportedCommit, ...], int]:
    """The commits in which the session has a part, oldest first, and how many older ones are left out."""
    ids = [*dict.fromkeys(line.text("id") for line in lines if line.note in _NOTES and line.text("id"))]
    if repository is None or not ids or not os.path.isdir(layout.lines):
        return (), 0
    kept = Checkpoints(Side(layout.lines, repository.common_dir))
    where = repository.worktree or repository.common_dir
    found = []
    for one in ids[-MOST:]:
        with suppress(GitFailed):  # a commit that cannot be told is no reason to tell nothing
            checkpoint = kept.get(one)
            if checkpoint:
                found.append(_commit(checkpoint, kept.record(checkpoint.commit), _subject(where, checkpoint.commit)))
    return tuple(found), max(0, len(ids) - MOST)


def _subject(where: str, commit: str) -> str:
    """The first line of its message; nothing where the commit is gone, after a rebase perhaps."""
    try:
        raw = git(where, "log", "-1", "--format=%s", "--end-of-options", commit, timeout=_SECONDS)
    except GitFailed:
        return ""
    return raw.decode("utf-8", "replace").strip()


def _commit(one: Checkpoint, record: Record | None, subject: str) -> ReportedCommit:
    runs = {os.fsdecode(path): found for path, found in record.files.items()} if record else {}
    files = tuple(
        FileShare(
            path,
            counts.get("added", 0),
            counts.get("session", 0),
            counts.get("agent", 0),
            tuple((first, first + many - 1) for first, many, owner in runs.get(path, ()) if owner == one.session),
        )
        for path, counts in one.per_file.items()
        if isinstance(counts, dict)
    )
    lines = one.attribution
    agents = lines.get("agent_added", 0)
    return ReportedCommit(
        commit=one.commit,
        subject=subject,
        checkpoint=one.id,
        at=moment(one.created_at),
        added=agents + lines.get("human_added", 0),
        session=lines.get("session_added", 0),
        agents=agents,
        removed=lines.get("removed", 0),
        files=files,
    )
