"""The detached sync that a push sets off, where the settings ask for it. Nobody hears how it went: the next one catches up."""

from __future__ import annotations

import time
from contextlib import suppress

from tapehead.attribution.copies import note_copies
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.sync import Unreachable, sync_all
from tapehead.git import layout as git_layout
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.store.paths import Layout
from tapehead.system import alarms

_SECONDS = 300


def main(root: str, worktree: str, remote: str) -> None:
    """One sync with one remote."""
    alarms.end_after(_SECONDS, _end)
    alarms.lower_priority()
    repository = git_layout.find(worktree)
    if repository:
        with suppress(Unreachable, GitFailed, OSError):
            side, now = Side(Layout(root).lines, repository.common_dir), int(time.time())
            note_copies(Layout(root), Checkpoints(side), worktree, now)
            sync_all(side, remote, now)


def _end() -> None:
    """Leaves by the usual way, on which a git that is under way ends too, with all that it started."""
    raise SystemExit(0)
