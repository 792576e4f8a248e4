"""How many lines of a commit, or of a range of commits, are whose: counted line by line, as `blame` would tell them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import attrs

from tapehead.checkpoints import line_owners

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tapehead.attribution.commit_lines import Commit
    from tapehead.attribution.committed_lines import History
    from tapehead.attribution.snapshots import Chain
    from tapehead.checkpoints.checkpoint import Record
    from tapehead.checkpoints.line_owners import Range
    from tapehead.git.hunks import FileDiff

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


def of_commit(chain: Chain, commit: Commit, record: Record | None, without: str) -> Shares:
    """Of one commit, by its record; `without` is whose the lines are that no record names."""
    from tapehead.attribution.commit_lines import brought  # noqa: PLC0415 - it is asked for a commit alone

    lines, gone, _, large = brought(chain, commit)
    known = record.files if record else {}
    files = {}
    for path, ranges in lines.items():
        runs = line_owners.join_runs(known.get(path, ()))
        counts: Counts = {}
        for start, count in ranges:
            for _, many, owner in line_owners.cut(runs, start, count):
                _count(counts, owner or without, many)
        files[os.fsdecode(path)] = counts
    removed = {os.fsdecode(path): count for path, count in gone.items()}
    too_large = tuple(os.fsdecode(path) for path in large)
    return Shares(files, {commit.name: add_up(files.values())}, removed, too_large)


class Reach(NamedTuple):
    """A range of commits."""

    base: str
    """Empty where it begins with the first commit."""
    tip: str
    commits: frozenset[str]

    @property
    def name(self) -> str:
        """As git has it."""
        return f"{self.base}..{self.tip}" if self.base else self.tip


def of_range(chain: Chain, history: History, reach: Reach, unclear: Callable[[set[str]], set[str]]) -> Shares:
    """Of all lines at its end that were not there at its beginning, by whoever wrote them since.

    `unclear` says of which commits nobody can say that a line without a record is the human's.
    """
    files: dict[str, Counts] = {}
    by_commit: dict[str, Counts] = {}
    changed = chain.between(reach.base, reach.tip)
    told = {diff.new: _told(history, reach, diff) for diff in changed if diff.status != "D"}
    doubtful = unclear({commit for lines in told.values() for commit, _ in lines})
    for path, lines in told.items():
        counts = files.setdefault(os.fsdecode(path), {})
        for commit, owner in lines:
            whose = line_owners.NOT_KNOWN if not owner and commit in doubtful else owner
            _count(counts, whose)
            _count(by_commit.setdefault(commit, {}), whose)
    removed = {os.fsdecode(diff.new): diff.removed for diff in changed if diff.removed}
    return Shares(files, by_commit, removed, tuple(os.fsdecode(diff.new) for diff in changed if diff.is_large))


def _told(history: History, reach: Reach, diff: FileDiff) -> list[tuple[str, str]]:
    """Of each new line of a file, the commit that brought it and its owner."""
    numbers = _numbers(line_owners.find_added(diff))
    end = reach.name
    origins = history.blame(end, diff.new) if numbers else []
    if any(origins[line - 1][0] not in reach.commits for line in numbers if line <= len(origins)):
        end = reach.tip  # git followed a line back to the beginning, where it ends: the commit before knows it
        origins = history.blame(end, diff.new)
    return [(origins[line - 1][0], history.owner(end, diff.new, line)) for line in numbers if line <= len(origins)]


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
