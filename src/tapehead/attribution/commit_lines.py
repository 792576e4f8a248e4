"""Which lines of a commit are an agent's: its record, made once, when the commit is.

A line that a commit brings is looked for where it could have come from, the surest place first: in the commits that it took the
place of (a rebase, a squash); in the work tree as it was last seen; in the commits that HEAD stood at since; in the commit that it
undoes; in recorded commits that it is a copy of. A line that is nowhere is as old as the commit: it is whose turn was open then.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import attrs

from tapehead.attribution import removals, stashes
from tapehead.attribution.earlier_lines import from_commit, from_work_tree, half_moved
from tapehead.checkpoints import line_owners
from tapehead.git.reflog import heads_before

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tapehead.attribution.committed_lines import History
    from tapehead.attribution.copies import Copies
    from tapehead.attribution.evidence import Evidence
    from tapehead.attribution.snapshots import Chain, Known
    from tapehead.checkpoints.line_owners import Files, Range, Run

_REVERTS = re.compile(r"^This reverts commit ([0-9a-f]{40,64})", re.MULTILINE)
_MARKS = 200
"""How far back a mark from before the commit is looked for."""


@attrs.frozen
class Commit:
    """What is asked about."""

    name: str
    parents: tuple[str, ...]
    tree: str
    message: str
    took_place_of: tuple[str, ...] = ()
    """The commits that it was made from by a rewrite, oldest first."""


@attrs.frozen
class Share:
    """What a commit brought, and took away."""

    files: Files
    """The agents' lines. Of a file that got another name, those too that were there before."""
    brought: dict[bytes, list[Range]]
    """By file, the lines that it brought."""
    removed: dict[bytes, int]
    """By file, how many lines it took away."""
    removed_by: dict[bytes, dict[str, int]] = attrs.field(factory=dict)
    """By file, how many of those each session removed (`removals.BY_HUMAN` for the human), as far as that is known."""
    too_large: tuple[bytes, ...] = ()
    """Files of which nobody can say which lines it brought."""

    def by(self, session: str) -> dict[bytes, int]:
        """By file, how many of the lines that it brought are a session's."""
        return {path: self._count(path, session) for path in self.files if self._count(path, session)}

    def _count(self, path: bytes, session: str) -> int:
        own = [(start, count) for start, count, owner in self.files[path] if owner == session]
        return sum(count for _, count in line_owners.both(self.brought.get(path, []), own))


def read(chain: Chain, name: str, took_place_of: Iterable[str] = ()) -> Commit:
    """A commit by its name."""
    raw = chain.side.git("cat-file", "commit", name).decode("utf-8", "replace")
    head, _, message = raw.partition("\n\n")
    rows = [row.partition(" ") for row in head.split("\n")]
    parents = tuple(value for key, _, value in rows if key == "parent")
    return Commit(name, parents, next(value for key, _, value in rows if key == "tree"), message, tuple(took_place_of))


def share(  # noqa: PLR0913 - all that it depends on
    chain: Chain,
    commit: Commit,
    history: History,
    working: str,
    git_dir: str = "",
    *,
    is_late: Callable[[bytes], bool] = lambda _: False,
    copies: Copies | None = None,
    evidence: Evidence | None = None,
    now: Callable[[], str] = str,
) -> Share:
    """Whose lines a commit brings. `working` is the session at work when it was made, for lines that nobody saw before.

    `is_late` says of a file whether it changed after that session was at work.

    `git_dir` is that of the work tree in which it was made: it knows where HEAD was before. `copies` knows the commits that it may be a copy of.
    `now` records the work tree as it is, where that is the one that the commit was made from.
    """
    new, removed, renamed, too_large = brought(chain, commit)
    left = {path: ranges for path, ranges in new.items() if ranges}
    found: dict[bytes, list[Run]] = {path: [] for path in (*left, *renamed)}
    if renamed:  # blame may not see that it is the same file, and asks this commit about all of it
        whole = {path: line_owners.minus([(1, _length(chain, commit, path))], new.get(path, [])) for path in renamed}
        from_commit(chain, commit.name, commit.parents[0], history, whole, found)
    seen, told_late = before(chain, commit)
    for parent in commit.parents if len(commit.parents) == 1 else ():  # what it only set in otherwise, or moved
        left = from_commit(chain, commit.name, parent, history, left, found)
    for old in reversed(commit.took_place_of):
        left = from_commit(chain, commit.name, old, history, left, found)
    left = from_work_tree(chain, commit.name, seen, history, left, found) if seen.mark else left
    left = half_moved(chain, commit.name, seen, history, left, found, now()) if seen.mark and left else left
    left = stashes.taken(chain, seen.stashes, commit.name, left, found) if seen.stashes else left
    since = seen.made.get("at", 0)
    for head in elsewhere(chain, commit.name, git_dir, since, commit.parents) if left and git_dir else ():
        left = from_commit(chain, commit.name, head, history, left, found)
    for undone in _REVERTS.findall(commit.message):
        left = from_commit(chain, commit.name, f"{undone}^", history, left, found)
    left = copies.take(commit.name, left, found) if copies and left else left
    owner = seen.at_work if told_late else working or seen.at_work
    told = _judged(chain, commit, evidence, left, owner)
    for path, ranges in left.items():
        late = line_owners.HUMAN if is_late(path) else owner
        found[path] += told.get(path) or [(start, count, late) for start, count in ranges]
    files = {path: line_owners.join_runs(runs) for path, runs in found.items()}
    lines = {path: runs for path, runs in files.items() if runs}
    return Share(lines, new, removed, _removed_by(chain, commit, seen, owner, is_late), too_large)


def _judged(
    chain: Chain, commit: Commit, evidence: Evidence | None, left: dict[bytes, list[Range]], owner: str
) -> dict[bytes, list[Run]]:
    """Who wrote the lines that nobody saw before, where the tool calls of whoever is at work tell."""
    if evidence is None or owner == line_owners.HUMAN:
        return {}
    from tapehead.attribution.evidence import judge  # noqa: PLC0415 - only where there is any

    return judge(chain.side, evidence, commit.name, left, owner)


def _removed_by(
    chain: Chain, commit: Commit, seen: Known, owner: str, is_late: Callable[[bytes], bool]
) -> dict[bytes, dict[str, int]]:
    """Known where the commit stands on the HEAD that the last mark saw, or on one that came after it."""
    if len(commit.parents) != 1 or seen.gone is None or not seen.head:
        return {}
    (parent,) = commit.parents
    if parent != seen.head and not chain.leads_to(seen.head, parent):
        return {}
    since = {diff.new: diff for diff in chain.between(seen.head, parent)}
    diffs = [diff for diff in chain.between(parent, commit.name) if diff.removed]
    whose = {diff.new: line_owners.HUMAN if is_late(diff.new) else owner for diff in diffs}
    return {diff.new: removals.by_owner(seen.gone, diff, whose[diff.new], since) for diff in diffs}


def before(chain: Chain, commit: Commit) -> tuple[Known, bool]:
    """The last mark from before the commit: one whose HEAD already contains it has forgotten what it brought.

    And whether there was such a one: then who is at work now says nothing of who was when the commit was made.
    """
    from tapehead.attribution.snapshots import Known as Nothing  # noqa: PLC0415 - the class, and only here

    late = False
    for name, _ in chain.newest(_MARKS):
        known = chain.known(name)
        if (
            not known.head
            or known.head in (*commit.parents, *commit.took_place_of)
            or not chain.leads_to(commit.name, known.head)
        ):
            return known, late
        late = True
    return Nothing(), late


def elsewhere(chain: Chain, name: str, git_dir: str, since: int, usual: Iterable[str]) -> list[str]:
    """Where HEAD stood since, before it came to a commit, but for what that comes from: what it brings cannot be there."""
    heads = heads_before(git_dir, name, since)
    if not set(heads) - {*usual}:
        return []
    behind = chain.side.git("rev-list", f"--max-count={_MARKS}", name).decode("ascii").split()
    return [head for head in heads if head not in behind]


def brought(
    chain: Chain, commit: Commit
) -> tuple[dict[bytes, list[Range]], dict[bytes, int], list[bytes], tuple[bytes, ...]]:
    """By file, the lines that none of its parents had; how many it took away from the first one; what got another name; what is too large."""
    first, *others = [chain.between(parent, commit.name) for parent in commit.parents or ("",)]
    found = {diff.new: line_owners.find_added(diff) for diff in first if diff.status != "D"}
    for diffs in others:
        added = {diff.new: line_owners.find_added(diff) for diff in diffs}
        found = {path: line_owners.both(ranges, added.get(path, [])) for path, ranges in found.items()}
    removed = {diff.new: diff.removed for diff in first if diff.removed} if not others else {}
    large = tuple(diff.new for diff in first if diff.is_large)
    return found, removed, [diff.new for diff in first if diff.status == "R" and not diff.is_large], large


def _length(chain: Chain, commit: Commit, path: bytes) -> int:
    content = chain.side.git("cat-file", "blob", f"{commit.name}:{os.fsdecode(path)}")
    return content.count(b"\n") + (not content.endswith(b"\n") and bool(content))
