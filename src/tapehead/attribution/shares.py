"""How many lines of a commit, or of a range of commits, are whose: counted line by line, as `blame` would tell them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import attrs

from tapehead.checkpoints import line_owners

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.attribution.commit_lines import Commit
    from tapehead.attribution.committed_lines import History
    from tapehead.attribution.snapshots import Chain
    from tapehead.checkpoints.checkpoint import Record
    from tapehead.checkpoints.line_owners import Range

Counts = dict[str, int]
"""Lines by owner: a session, HUMAN, or NOT_KNOWN."""


@attrs.frozen
class Shares:
    """Of lines that were added."""

    files: dict[str, Counts] = attrs.field(factory=dict)
    by_commit: dict[str, Counts] = attrs.field(factory=dict)
    """The same by the commit that brought a line."""
    removed: Counts = attrs.field(factory=dict)
    """By file, how many lines went."""
    too_large: tuple[str, ...] = ()
    """Files of which nobody can say which lines are new."""

    @property
    def owners(self) -> Counts:
        return add_up(self.files.values())

    @property
    def agent(self) -> int:
        return sum(count for owner, count in self.owners.items() if line_owners.is_agent(owner))

    @property
    def human(self) -> int:
        return self.owners.get(line_owners.HUMAN, 0)

    @property
    def not_known(self) -> int:
        return self.owners.get(line_owners.NOT_KNOWN, 0)


def of_commit(chain: Chain, commit: Commit, record: Record | None, otherwise: str = line_owners.HUMAN) -> Shares:
    """Of one commit, by its record; `otherwise` is whose lines are of which none says anything."""
    from tapehead.attribution.commit_lines import brought  # noqa: PLC0415 - it is asked for a commit alone

    lines, gone, _, large = brought(chain, commit)
    known = record.files if record else {}
    files = {}
    for path, ranges in lines.items():
        runs = line_owners.join_runs(known.get(path, ()))
        counts: Counts = {}
        for start, count in ranges:
            for _, many, owner in line_owners.cut(runs, start, count):
                _count(counts, owner or (line_owners.HUMAN if record else otherwise), many)
        files[os.fsdecode(path)] = counts
    removed = {os.fsdecode(path): count for path, count in gone.items()}
    too_large = tuple(os.fsdecode(path) for path in large)
    return Shares(files, {commit.name: add_up(files.values())}, removed, too_large)


def of_range(chain: Chain, history: History, base: str, new: str, otherwise: str = line_owners.HUMAN) -> Shares:
    """Of all lines at a commit that were not there at another, by whoever wrote them since."""
    files: dict[str, Counts] = {}
    by_commit: dict[str, Counts] = {}
    changed = chain.between(base, new)
    reach = f"{base}..{new}" if base else new
    for diff in changed:
        if diff.status == "D":
            continue
        counts = files.setdefault(os.fsdecode(diff.new), {})
        origins = history.blame(reach, diff.new) if diff.hunks else []
        for line in _numbers(line_owners.find_added(diff)):
            owner = history.owner(reach, diff.new, line) or otherwise
            _count(counts, owner)
            if line <= len(origins):
                _count(by_commit.setdefault(origins[line - 1][0], {}), owner)
    removed = {os.fsdecode(diff.new): diff.removed for diff in changed if diff.removed}
    return Shares(files, by_commit, removed, tuple(os.fsdecode(diff.new) for diff in changed if diff.is_large))


def add_up(counts: Iterable[Counts]) -> Counts:
    """All of them together."""
    found: Counts = {}
    for each in counts:
        for owner, many in each.items():
            _count(found, owner, many)
    return found


def _count(counts: Counts, owner: str, many: int = 1) -> None:
    counts[owner] = counts.get(owner, 0) + many


def _numbers(ranges: list[Range]) -> list[int]:
    return [number for start, count in ranges for number in range(start, start + count)]
