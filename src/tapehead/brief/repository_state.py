"""How the repository stands, now and at a capture."""

from __future__ import annotations

from typing import NamedTuple

from tapehead.brief.inputs import RepoFacts
from tapehead.git import layout as git_layout
from tapehead.git import run as git_run
from tapehead.git.progress import branch_of, conflicts, in_progress

_COMMITS = 5
_GIT_SECONDS = 2.0
"""How long git may take while someone waits: in a very large repository the account does without it."""


class Repo(NamedTuple):
    """A look at the repository; `changed` is None where git did not say."""

    branch: str
    head: str
    changed: list[str] | None
    doing: str = ""
    """What git is in the middle of."""
    commits: tuple[str, ...] = ()
    """The newest ones, where they were asked for."""
    unasked: bool = False
    """Whether nobody looked, because a setting says so."""


UNASKED = Repo("", "", None, unasked=True)


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
    doing = in_progress(repository.git_dir)
    return Repo(branch or (branch_of(repository.git_dir) if doing else ""), head, changed, doing)


def newest_commits(worktree: str) -> tuple[str, ...]:
    """The last few commits, each in a line; none where git does not say."""
    try:
        raw = git_run.git(worktree, "log", "-n", str(_COMMITS), "--format=%h %s", timeout=_GIT_SECONDS)
    except git_run.GitFailed:
        return ()
    return tuple(raw.decode("utf-8", "replace").splitlines())


def name_changes(changed: list[str] | None) -> dict[str, str]:
    """The changed files as a description's front matter keeps them: nothing where git did not say."""
    if changed is None:
        return {}
    return {"changed": BETWEEN.join(" ".join(name[3:].split()) for name in changed[:MOST])}


BETWEEN = " // "
"""No path that git prints has two slashes in a row."""
MOST = 50


def repo_facts(matter: dict[str, str], now: Repo) -> RepoFacts | None:
    """Then, by a description's front matter, against now. Of what was not recorded nothing is said to have changed."""
    if not now.head:
        return None
    then = tuple(name for name in matter.get("changed", "").split(BETWEEN) if name)
    known = "changed" in matter and now.changed is not None
    dirty_now = tuple(" ".join(name[3:].split()) for name in now.changed or [])
    whole = len(then) < MOST
    return RepoFacts(
        branch=matter.get("branch", now.branch),
        head=matter.get("head", now.head),
        dirty=then if known else (),
        branch_now=now.branch,
        head_now=now.head,
        doing=now.doing,
        conflicts=tuple(" ".join(name.split()) for name in conflicts(now.changed or [])),
        dirty_now=tuple(name for name in dirty_now if whole or name in then) if known else (),
    )
