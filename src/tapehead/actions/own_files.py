"""In which files of a commit a session has a part: by the lines that it added and removed, and by what it touched where lines do not tell."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tapehead.attribution.commit_lines import Share
    from tapehead.attribution.snapshot_keeper import WorkTree
    from tapehead.attribution.snapshots import Known
    from tapehead.store.state import State


def own_files(tree: WorkTree, state: State, share: Share, seen: Known, working: str) -> list[str]:
    """The files of the commit in which the session added or removed a line, or which it touched where lines do not tell."""
    touched = {*state.files_touched}
    names = {*share.brought, *share.removed, *share.too_large}
    added = share.by(state.session_id)
    unsure = bool(working or seen.open or not seen.mark)
    return sorted(
        os.fsdecode(path)
        for path in names
        if path in added
        or state.session_id in share.removed_by.get(path, ())
        or (
            full_path(tree, path) in touched
            and not _lines_tell(share, path)
            and (unsure or _agents_left(seen, share, path))
        )
    )


def _lines_tell(share: Share, path: bytes) -> bool:
    """Whether all that a commit did to a file is in lines whose owners are known."""
    removed = share.removed.get(path, 0)
    known = sum(share.removed_by.get(path, {}).values()) == removed
    return known and bool(removed or share.brought.get(path)) and path not in share.too_large


def _agents_left(seen: Known, share: Share, path: bytes) -> bool:
    """Whether an agent's work on a file was not committed yet: what it did to lines, or, where there are none, anything at all."""
    counts = seen.tally.get(path)
    if counts is None or not (share.brought.get(path) or share.removed.get(path)):
        return counts is not None
    return counts[:2] != (0, 0)


def full_path(tree: WorkTree, path: bytes) -> str:
    """Where a file of a work tree lies."""
    return os.path.join(tree.repository.worktree, os.fsdecode(path))
