"""The session that a branch's newest checkpoint is of: what `resume BRANCH` goes on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.attribution.copies import Copies
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.cli.output import Failure
from tapehead.git.run import GitFailed, git
from tapehead.git.side import Side

if TYPE_CHECKING:
    from tapehead.checkpoints.checkpoint import Checkpoint
    from tapehead.cli.here import Here

_SECONDS = 20.0
_COMMITS = 200
"""Of the branch, the newest, among which one must have a checkpoint."""


def session_of_branch(at: Here, branch: str) -> str:
    """Its session; nothing where there is no such branch. One that worked on another machine cannot be opened here, and that is said."""
    repository = at.place.repository
    if repository is None:
        return ""
    where = repository.worktree or repository.common_dir
    try:
        words = ("rev-list", f"--max-count={_COMMITS}", "--end-of-options", branch, "--")
        commits = git(where, *words, timeout=_SECONDS).decode("ascii").split()
    except GitFailed:
        return ""
    side = Side(at.engine.layout.lines, repository.common_dir)
    side.ready()
    newest = _newest(Checkpoints(side), where, commits)
    if newest is None:
        raise Failure(
            f"No checkpoint on {branch}", "`tapehead sync` fetches checkpoints; `tapehead resume` lists sessions"
        )
    if newest.session not in at.engine.store.list():
        raise Failure(
            f"The newest checkpoint on {branch} is of session {newest.session[:8]}, which worked elsewhere",
            f"there: `tapehead handoff --remote`; or read it: `tapehead explain {newest.commit[:10]} --brief`",
        )
    return newest.session


def _newest(kept: Checkpoints, where: str, commits: list[str]) -> Checkpoint | None:
    records = Copies(kept, where).records(commits)
    for commit in commits:
        ids = records[commit].checkpoints if commit in records else ()
        known = [found for one in ids if (found := kept.get(one))]
        if known:
            return max(known, key=lambda one: one.updated_at)
    return None
