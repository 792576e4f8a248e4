"""How the repository stands, now and at a capture."""

from __future__ import annotations

from typing import NamedTuple

from tapehead.git import layout as git_layout
from tapehead.git import run as git_run
from tapehead.restore.given import RepoFacts

_GIT_SECONDS = 2.0
"""How long git may take while someone waits: in a very large repository the account does without it."""


class Repo(NamedTuple):
    """A look at the repository; `changed` is None where git did not say."""

    branch: str
    head: str
    changed: list[str] | None


def look(worktree: str) -> Repo:
    """How the repository stands now."""
    repository = git_layout.find(worktree) if worktree else None
    if repository is None:
        return Repo("", "", None)
    branch, head = git_layout.head(repository)
    try:
        changed = git_run.changed_files(repository.worktree, _GIT_SECONDS) if repository.worktree else None
    except git_run.GitFailed:
        changed = None
    return Repo(branch, head, changed)


def repo_facts(matter: dict[str, str], now: Repo) -> RepoFacts | None:
    """Then, by a description's front matter, against now."""
    if not now.head:
        return None
    return RepoFacts(
        branch=matter.get("branch", ""),
        head=matter.get("head", ""),
        dirty=tuple(matter.get("changed", "").split()),
        branch_now=now.branch,
        head_now=now.head,
        dirty_now=tuple(name[3:] for name in now.changed or []),
    )
