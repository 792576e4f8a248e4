"""A range of commits as a reviewer sees it: of all lines that it adds, how many are whose, by agent and model."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.attribution.committed_lines import History
from tapehead.attribution.copies import Copies
from tapehead.attribution.shares import Reach, add_up, of_range
from tapehead.attribution.snapshots import Chain
from tapehead.attribution.unclear_commits import UnclearCommits
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.line_owners import HUMAN, NOT_KNOWN, is_agent
from tapehead.git.run import GitFailed, git
from tapehead.git.side import Side

if TYPE_CHECKING:
    from tapehead.attribution.shares import Shares
    from tapehead.checkpoints.checkpoint import Checkpoint
    from tapehead.git.layout import Repository
    from tapehead.store.paths import Layout

_SECONDS = 20.0
_MAIN = ("refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "main", "master")


class Row(NamedTuple):
    """Lines of one kind."""

    who: str
    """`agent`, `human` or `not known`."""
    agent: str
    model: str
    sessions: tuple[str, ...]
    lines: int


class Ranged(NamedTuple):
    """What was asked about, and what is known of it."""

    base: str
    head: str
    commits: int
    shares: Shares
    rows: tuple[Row, ...]
    checkpoints: tuple[str, ...]


def explain_range(layout: Layout, repository: Repository, old: str, new: str) -> Ranged:
    """From where two commits part up to the second. Raises GitFailed where git does not know one of them."""
    side = Side(layout.lines, repository.common_dir)
    side.ready()
    where = repository.worktree or repository.common_dir
    first, last = (_commit(where, name) for name in (old, new))
    base = git(where, "merge-base", first, last, timeout=_SECONDS).decode("ascii").strip()
    commits = git(where, "rev-list", f"{base}..{last}", timeout=_SECONDS).decode("ascii").split()
    kept = Checkpoints(side)
    copies = Copies(kept, where)
    records = copies.records(commits)
    ids = dict.fromkeys(one for record in records.values() for one in record.checkpoints)
    known = [found for one in ids if (found := kept.get(one))]
    history, unclear = History(where, copies.records, side.path), UnclearCommits(kept, repository)
    reach = Reach(base, last, frozenset(commits))
    shares = of_range(Chain(side, ""), history, reach, unclear.among)
    return Ranged(base, last, len(commits), shares, tuple(_rows(shares, known)), tuple(one.id for one in known))


def main_branch(repository: Repository) -> str:
    """What a branch is compared with: the remote's, or the local main branch. Nothing where there is none."""
    where = repository.worktree or repository.common_dir
    return next((name for name in _MAIN if _is_there(where, name)), "")


def _rows(shares: Shares, known: list[Checkpoint]) -> list[Row]:
    """The agents' first, most lines first; then the human's, and what is not known."""
    by_session = {one.session: (one.agent or "unknown agent", one.model) for one in known}
    counts = add_up(shares.by_commit.values())
    groups: dict[tuple[str, str], list[str]] = {}
    for owner in counts:
        if is_agent(owner):
            groups.setdefault(by_session.get(owner, ("unknown agent", "")), []).append(owner)
    found = [
        Row("agent", agent, model, tuple(sorted(sessions)), sum(counts[one] for one in sessions))
        for (agent, model), sessions in groups.items()
    ]
    found.sort(key=lambda row: (-row.lines, row.agent, row.model))
    rest = [Row(who, "", "", (), counts.get(owner, 0)) for who, owner in (("human", HUMAN), ("not known", NOT_KNOWN))]
    return [*found, *rest]


def _commit(where: str, name: str) -> str:
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return git(where, *words, timeout=_SECONDS).decode("ascii").strip()


def _is_there(where: str, name: str) -> bool:
    try:
        return bool(_commit(where, name))
    except GitFailed as error:
        error.raise_if_killed()
        return False
