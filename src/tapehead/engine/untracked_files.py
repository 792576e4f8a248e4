"""What lay about in a work tree, unknown to git, before the agent came: a rewind must leave it alone."""

from tapehead.git import layout, run

_SECONDS = 20.0
_MOST = 5_000


def list_untracked(worktree: str) -> list[str] | None:
    """The files that git does not know: none outside a repository, and None where nobody can tell.

    The two must not be mistaken for each other: a rewind removes what was not there.
    """
    if not worktree:
        return None
    repository = layout.find(worktree)
    if repository is None or not repository.worktree:
        return []
    try:
        return run.untracked_files(repository.worktree, _SECONDS)[:_MOST]
    except run.GitFailed:
        return None
