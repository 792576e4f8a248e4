"""The patch id of a commit: the same for the same change, wherever it was put by a rebase or a cherry-pick."""

from __future__ import annotations

from tapehead.git.run import GitFailed, git

_SECONDS = 20.0


def patch_id(directory: str, commit: str) -> str:
    """By git's own rule; nothing for a merge, an empty commit, or one that is too large to be worth it."""
    words = ("diff-tree", "-p", "--no-ext-diff", "--no-textconv", "--root", "--full-index", commit)
    try:
        patch = git(directory, *words, timeout=_SECONDS, most=1 << 25)
        return (
            git(directory, "patch-id", "--stable", timeout=_SECONDS, stdin=patch)
            .decode("ascii", "replace")
            .split(" ")[0]
            .strip()
        )
    except GitFailed:
        return ""
