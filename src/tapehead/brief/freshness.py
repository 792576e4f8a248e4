"""How fresh the account is: the repository when it was written against the repository now, in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.text.fence import quote

if TYPE_CHECKING:
    from tapehead.brief.inputs import RepoFacts

_SHOWN, _ALL = 5, 1_000


def freshness(repo: RepoFacts, *, everything: bool = False) -> str:
    """Say what changed since the capture, or that nothing did; nothing where the repository is not known."""
    if not (repo.head or repo.head_now):
        return ""
    changes = [
        _doing(repo, shown := _ALL if everything else _SHOWN),
        _change("branch", repo.branch, repo.branch_now),
        _change("HEAD", repo.head[:9], repo.head_now[:9]),
    ]
    changes.append(_dirty(repo, shown))
    told = "; ".join(change for change in changes if change)
    return f"Repository: {told}" if told else f"Repository: as it was, HEAD {quote(repo.head[:9], 9)}, clean"


def _doing(repo: RepoFacts, shown: int) -> str:
    """What git is in the middle of, and the files in conflict: whoever goes on has to end that first."""
    what = f"{quote(repo.doing, 160)} is in progress" if repo.doing else ""
    where = f"conflicts in {_some(list(repo.conflicts), shown)}" if repo.conflicts else ""
    return ", ".join(part for part in (what, where) if part)


def has_changed(repo: RepoFacts) -> bool:
    """Whether the repository is another one than at the capture, as far as that was recorded."""
    then, now = (repo.branch, repo.head, set(repo.dirty)), (repo.branch_now, repo.head_now, set(repo.dirty_now))
    return bool(repo.head) and then != now


def _change(name: str, then: str, now: str) -> str:
    if not now or not then or then == now:
        return f"{name} {quote(then or now, 80)}" if then or now else ""
    return f"{name} was {quote(then, 80)}, now {quote(now, 80)}"


def _dirty(repo: RepoFacts, shown: int) -> str:
    new = [path for path in repo.dirty_now if path not in repo.dirty]
    gone = [path for path in repo.dirty if path not in repo.dirty_now]
    parts = [f"changed at capture: {_some(list(repo.dirty), shown)}" if repo.dirty else ""]
    parts.append(f"since then also {_some(new, shown)}" if new else "")
    parts.append(f"no longer {_some(gone, shown)}" if gone and (repo.dirty_now or repo.head_now) else "")
    return ", ".join(part for part in parts if part)


def _some(paths: list[str], shown: int) -> str:
    rest = f" and {len(paths) - shown} more" if len(paths) > shown else ""
    return ", ".join(quote(path, 120) for path in paths[:shown]) + rest
