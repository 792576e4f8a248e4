"""What lay about in a work tree, unknown to git, before the agent came: a rewind must leave it alone."""

from tapehead.git import layout, run

_SECONDS = 20.0
_MOST = 5_000


def untracked(worktree: str) -> list[str]:
    """The files that git does not know; none outside a repository, or where git does not answer."""
    repository = layout.find(worktree) if worktree else None
    if repository is None or not repository.worktree:
        return []
    try:
        return run.untracked_files(repository.worktree, _SECONDS)[:_MOST]
    except run.GitFailed:
        return []
