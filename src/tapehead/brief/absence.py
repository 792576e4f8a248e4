"""What changed while a session was away: all that a resumed conversation does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.brief.freshness import freshness, has_changed
from tapehead.git import run as git_run
from tapehead.text.fence import clean, put_in_quotes, quote

if TYPE_CHECKING:
    from tapehead.brief.inputs import RepoFacts
    from tapehead.store.state import State

_COMMITS = 3
_GIT_SECONDS = 1.0


def changes_since(state: State, repo: RepoFacts | None, left: list[str]) -> str:
    """A few lines, or nothing where nothing changed. `left` is what others left for this session."""
    lines = [*_broken_off(state), *_in_git(state, repo), *left]
    return "\n".join(["tapehead: since this session was last here:", *lines, ""]) if lines else ""


def _broken_off(state: State) -> list[str]:
    """A session that was killed in mid-turn: its record may lack the last words."""
    if not state.broken_off:
        return []
    return [
        f"- It stopped in mid-turn, after the prompt {clean(put_in_quotes(state.broken_off, 160))}. Check the work tree before you go on."
    ]


def _in_git(state: State, repo: RepoFacts | None) -> list[str]:
    if repo is None or not has_changed(repo):
        return []
    found = [f"- {clean(freshness(repo))}"]
    if repo.head and repo.head_now and repo.head != repo.head_now:
        found += [f"- Commit {clean(quote(line, 120))}" for line in _commits(state.worktree_path, repo)]
    return found


def _commits(worktree: str, repo: RepoFacts) -> list[str]:
    """The newest commits that came meanwhile; none where git cannot say in time."""
    try:
        return git_run.recent_commits(worktree, _COMMITS, _GIT_SECONDS, since=repo.head)
    except git_run.GitFailed:
        return []
