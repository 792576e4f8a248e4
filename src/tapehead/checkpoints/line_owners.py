"""Whose line is it? Pure: files, the runs of lines in them that are an agent's, and how these move with every change.

A run is (first line, count, session). What is in no run is not an agent's: it was there before, or the human wrote it.

A generated file changes in tens of thousands of places at once: runs, stretches and hunks are in order, and are looked up, never searched
through one by one.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from tapehead.git.hunks import Origins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from tapehead.git.hunks import FileDiff, Hunk

Run = tuple[int, int, str]
Runs = tuple[Run, ...]
Files = dict[bytes, Runs]
Range = tuple[int, int]

HUMAN = ""
"""The owner of what no agent wrote."""
NOT_KNOWN = "?"
"""The owner of what nobody can tell of: counted as neither. No session has such a name."""


def is_agent(owner: str) -> bool:
    """Whether an owner is a session."""
    return owner not in {HUMAN, NOT_KNOWN}


def owner_at(runs: Sequence[Run], line: int) -> str:
    """Whose a line is, by runs that are in order."""
    at = bisect_right(runs, line, key=_start) - 1
    return runs[at][2] if at >= 0 and line < runs[at][0] + runs[at][1] else HUMAN


def _start(run: Sequence[Any]) -> int:
    start: int = run[0]
    return start


def join_runs(runs: Iterable[Run]) -> Runs:
    """In order, with neighbours of one owner as one run, and without what is the human's."""
    found: list[Run] = []
    for start, count, owner in sorted(run for run in runs if run[1] and run[2] != HUMAN):
        if found and found[-1][2] == owner and found[-1][0] + found[-1][1] == start:
            found[-1] = (found[-1][0], found[-1][1] + count, owner)
        else:
            found.append((start, count, owner))
    return tuple(found)


def unite_runs(files: Files, others: Files) -> Files:
    """The runs of both, which do not overlap."""
    return {path: join_runs([*files.get(path, ()), *others.get(path, ())]) for path in (*files, *others)}


def cut(runs: Sequence[Run], start: int, count: int) -> Iterator[Run]:
    """A stretch of lines, piece by piece with the owner of each, the human's pieces included."""
    at, end = start, start + count
    for number in range(max(bisect_right(runs, start, key=_start) - 1, 0), len(runs)):
        first, length, owner = runs[number]
        if first >= end:
            break
        if first + length <= at:
            continue
        if first > at:
            yield at, first - at, HUMAN
            at = first
        stop = min(first + length, end)
        yield at, stop - at, owner
        at = stop
    if at < end:
        yield at, end - at, HUMAN


def carry_runs(runs: Sequence[Run], hunks: Sequence[Hunk]) -> Runs:
    """The runs after a change: lines that stayed keep their owner, lines that went are gone."""
    found: list[Run] = []
    kept = list(_stayed(hunks))
    at = 0
    for start, count, owner in runs:
        while kept[at][1] <= start:
            at += 1  # the last stretch has no end
        for number in range(at, len(kept)):
            first, last, shift = kept[number]
            if first >= start + count:
                break
            low, high = max(start, first), min(start + count, last)
            if low < high:
                found.append((low + shift, high - low, owner))
    return join_runs(found)


def _stayed(hunks: Sequence[Hunk]) -> Iterator[tuple[int, int, int]]:
    """The stretches of the old file that are in the new one: from, up to (not including), moved by."""
    at, shift = 1, 0
    for hunk in hunks:
        yield at, hunk.old, shift
        at = hunk.old + hunk.old_count
        shift += hunk.new_count - hunk.old_count
    yield at, 1 << 60, shift


def find_added(diff: FileDiff) -> list[Range]:
    """The stretches of the new file that were not in the old one."""
    return [(hunk.new, hunk.new_count) for hunk in diff.hunks if hunk.new_count]


def kept(diff: FileDiff | None, lines: Iterable[Range]) -> tuple[list[tuple[int, int, bytes, int]], list[Range]]:
    """Of lines that are new to git those that were there before (new line, count, old file, old line); and the others."""
    ranges = list(lines)
    if diff is None or not diff.kept:
        return [], ranges
    there = join_runs((start, count, "x") for start, count in ranges)
    found = [
        (start, count, one.path, one.old + start - one.new)
        for one in diff.kept
        for start, count, owner in cut(there, one.new, one.many)
        if owner != HUMAN
    ]
    return found, minus(ranges, [(start, count) for start, count, _, _ in found])


def both(some: Sequence[Range], others: Sequence[Range]) -> list[Range]:
    """The lines that are in both lists of stretches; those of each list do not overlap."""
    there = sorted(others)
    found = []
    for start, count in some:
        for number in range(max(bisect_right(there, start, key=_start) - 1, 0), len(there)):
            first, length = there[number]
            if first >= start + count:
                break
            low, high = max(start, first), min(start + count, first + length)
            if low < high:
                found.append((low, high - low))
    return found


def minus(some: Sequence[Range], others: Sequence[Range]) -> list[Range]:
    """The lines that are in the first list of stretches and not in the second."""
    gone = join_runs((start, count, "x") for start, count in others)
    return [(at, many) for start, count in some for at, many, owner in cut(gone, start, count) if owner == HUMAN]


def advance_files(
    files: Files, diffs: Iterable[FileDiff], owner: str, fresh: dict[bytes, list[Range]] | None = None
) -> Files:
    """The files after a change by one owner.

    `fresh` limits what the owner gets to the lines that are in no commit: what came with a commit (a pull, a switch of
    branches, a rebase) is told by that commit's own record.
    """
    found = dict(files)
    changed = list(diffs)
    for diff in changed:
        found.pop(diff.old, None)
    for diff in changed:
        if diff.status == "D" or diff.is_large:
            continue
        stayed = carry_runs(files.get(diff.old, ()), diff.hunks)
        new = find_added(diff) if fresh is None else both(find_added(diff), fresh.get(diff.new, []))
        old, new = kept(diff, new)
        same = [
            (first - line + start, many, whose)
            for start, count, path, line in old
            for first, many, whose in cut(files.get(path, ()), line, count)
        ]
        runs = join_runs([*stayed, *same, *((start, count, owner) for start, count in new)])
        if runs:
            found[diff.new] = runs
    return found


def came_from(
    diff: FileDiff | None, runs: Runs, lines: Iterable[Range]
) -> tuple[list[Run], list[tuple[int, int, int]], list[Range]]:
    """Looks lines of a new file up in an old one. Without a diff the two files are the same; where it is too large, nothing is found.

    Those that a run there names; those that are there and in no run (new line, count, old line); those that are not there.
    """
    if diff and diff.is_large:
        return [], [], list(lines)
    named: list[Run] = []
    unnamed: list[tuple[int, int, int]] = []
    absent: list[Range] = []
    origins = Origins(diff.hunks if diff else ())
    for start, count in lines:
        for new, length, old in origins.of(start, count):
            if not old:
                absent.append((new, length))
                continue
            for first, many, owner in cut(runs, old, length):
                if owner == HUMAN:
                    unnamed.append((first - old + new, many, first))
                else:
                    named.append((first - old + new, many, owner))
    return named, unnamed, absent
