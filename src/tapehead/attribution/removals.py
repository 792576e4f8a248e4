"""Who removed a line: the runs of a file in HEAD that are not in the work tree any more, each with who took it away. Pure.

As with lines that were added, git's own diff says which lines went; a line that was gone at the mark before stays whose it was, one that went
since is whoever's was at work. The human is named here as well: a line that is in no run was not removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.checkpoints.line_owners import HUMAN, NOT_KNOWN, cut
from tapehead.git.hunks import Origins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tapehead.checkpoints.line_owners import Files, Run, Runs
    from tapehead.git.hunks import FileDiff

BY_HUMAN = "-"
"""No session has such a name."""


def gone(
    before: Files,
    diffs: Iterable[FileDiff],
    owner: str,
    moved: dict[bytes, FileDiff] | None = None,
    *,
    went_on: bool = True,
) -> Files:
    """The runs of HEAD's files that a work tree lacks, after a change by one owner.

    `diffs` lead from HEAD to the work tree; `moved` from the HEAD of before to the one of now, by the names of now, where it moved. A line
    that the HEAD of before did not have came in between and went in between; unless HEAD went back (not `went_on`): then a commit may have
    removed it that is undone by now, and nobody can say.
    """
    of_new = (owner or BY_HUMAN) if went_on else NOT_KNOWN
    found = {}
    for diff in diffs:
        step = moved.get(diff.old) if moved else None
        known = before.get(step.old if step else diff.old, ())
        if runs := [*_taken(known, step, diff, owner or BY_HUMAN, of_new)]:
            found[diff.old] = _joined(runs)
    return found


def by_owner(before: Files, diff: FileDiff, owner: str, since: dict[bytes, FileDiff]) -> dict[str, int]:
    """How many lines each removed of those that a commit took out of a file, as far as that is known; the human is BY_HUMAN.

    `since` leads from the HEAD that `before` is about to the commit's parent: a line that came in between went in between, too.
    """
    counts: dict[str, int] = {}
    step = since.get(diff.old)
    known = before.get(step.old if step else diff.old, ())
    who_is_at_work = owner or BY_HUMAN
    for _, many, who in _taken(known, step, diff, who_is_at_work, who_is_at_work):
        if who != NOT_KNOWN:
            counts[who] = counts.get(who, 0) + many
    return counts


def _taken(known: Runs, step: FileDiff | None, diff: FileDiff, owner: str, of_new: str) -> Iterator[Run]:
    """What a file lost, piece by piece with who removed it: as was known; and what lay there until now, the owner."""
    origins = Origins(step.hunks if step else ())  # once: it is as long as there are hunks
    for hunk in diff.hunks:
        for at, many, before in origins.of(hunk.old, hunk.old_count):
            if not before:
                yield at, many, of_new
                continue
            for first, length, who in cut(known, before, many):
                yield first - before + at, length, owner if who == HUMAN else who


def _joined(runs: list[Run]) -> Runs:
    found: list[Run] = []
    for start, count, owner in runs:
        if found and found[-1][2] == owner and found[-1][0] + found[-1][1] == start:
            found[-1] = (found[-1][0], found[-1][1] + count, owner)
        else:
            found.append((start, count, owner))
    return tuple(found)
