"""Lines of a commit, or of a tree, that were there before: in an older commit, in the work tree as it was last seen, or in both in another place.

Each takes the lines that are left to be told, adds those that it knows to what is found, and returns the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.checkpoints import line_owners
from tapehead.git.hunks import Origins
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from tapehead.attribution.committed_lines import History
    from tapehead.attribution.snapshots import Chain, Known
    from tapehead.checkpoints.line_owners import Range, Run
    from tapehead.git.hunks import FileDiff


def from_commit(  # noqa: PLR0913, PLR0917 - two sources, one shape
    chain: Chain,
    new: str,
    old: str,
    history: History,
    left: dict[bytes, list[Range]],
    found: dict[bytes, list[Run]],
) -> dict[bytes, list[Range]]:
    """Takes over the lines of a commit, or of a tree, that an older commit already had; returns what it did not have."""
    if not left:
        return left
    try:
        diffs = by_new_name(chain.between(old, new))
    except GitFailed as error:
        error.raise_if_killed()
        return left  # it is gone: another clone, or a gc
    still = {}
    for path, ranges in left.items():
        diff = diffs.get(path)
        _, there, absent = line_owners.came_from(diff, (), ranges)
        found[path] += _told(history, old, diff.old if diff else path, there)
        same, still[path] = line_owners.kept(diff, absent)
        for new_line, count, name, line in same:
            found[path] += _told(history, old, name, [(new_line, count, line)])
    return {path: ranges for path, ranges in still.items() if ranges}


def from_work_tree(  # noqa: PLR0913, PLR0917 - two sources, one shape
    chain: Chain,
    new: str,
    seen: Known,
    history: History,
    left: dict[bytes, list[Range]],
    found: dict[bytes, list[Run]],
) -> dict[bytes, list[Range]]:
    """Takes over what lay in the work tree: an agent's by its runs; in HEAD at the time, as history has it; else the human's."""
    if not left:
        return left
    diffs = by_new_name(chain.between(seen.work, new))
    behind: dict[bytes, FileDiff] | None = None
    still = {}
    for path, ranges in left.items():
        diff = diffs.get(path)
        name = diff.old if diff else path
        named, there, absent = line_owners.came_from(diff, seen.files.get(name, ()), ranges)
        found[path] += named
        same, still[path] = line_owners.kept(diff, absent)
        places = {name: there}
        for line, count, source, old in same:
            for first, many, owner in line_owners.cut(seen.files.get(source, ()), old, count):
                if owner == line_owners.HUMAN:
                    places.setdefault(source, []).append((first - old + line, many, first))
                else:
                    found[path].append((first - old + line, many, owner))
        for source, lines in places.items() if seen.head else ():
            if lines and behind is None:
                behind = by_new_name(chain.between(seen.head, seen.work))
            if lines and behind is not None:
                found[path] += find_committed(history, seen.head, source, behind.get(source), lines)
    return {path: ranges for path, ranges in still.items() if ranges}


def half_moved(  # noqa: PLR0913, PLR0917 - as above
    chain: Chain,
    commit: str,
    seen: Known,
    history: History,
    left: dict[bytes, list[Range]],
    found: dict[bytes, list[Run]],
    now: str,
) -> dict[bytes, list[Range]]:
    """Takes over lines that moved to a file which was committed without the one that they came from: only the work tree shows that they left it."""
    if not now:
        return left
    diffs = by_new_name(chain.between(now, commit))
    still = {}
    for path, ranges in left.items():
        diff = diffs.get(path)
        name = diff.old if diff else path
        _, there, still[path] = line_owners.came_from(diff, (), ranges)
        told: dict[bytes, list[Run]] = {name: []}
        lying = [(line, count) for _, count, line in there]
        absent = from_work_tree(chain, now, seen, history, {name: lying}, told).get(name, []) if lying else []
        runs = line_owners.join_runs(told[name])
        for new, count, line in there:
            shift, here = new - line, [(line, count)]
            still[path] += [(at + shift, many) for at, many in line_owners.both(here, absent)]
            seen_before = line_owners.minus(here, absent)
            found[path] += [
                (first + shift, many, whose)
                for one in seen_before
                for first, many, whose in line_owners.cut(runs, *one)
            ]
    return {path: ranges for path, ranges in still.items() if ranges}


def find_committed(
    history: History, head: str, name: bytes, diff: FileDiff | None, there: list[tuple[int, int, int]]
) -> list[Run]:
    """Lines of a work tree (new line, count, line there) as the history of its HEAD has them; `diff` leads from there to the tree."""
    if diff and diff.is_large:
        return []
    origins = Origins(diff.hunks if diff else ())
    moved = [
        (line - old + new, many, at)
        for new, count, old in there
        for line, many, at in origins.of(old, count)
        if at  # else it was not committed
    ]
    return _told(history, head, diff.old if diff else name, moved)


def _told(history: History, commit: str, path: bytes, there: list[tuple[int, int, int]]) -> list[Run]:
    return [
        (new + step, 1, history.owner(commit, path, old + step)) for new, count, old in there for step in range(count)
    ]


def by_new_name(diffs: list[FileDiff]) -> dict[bytes, FileDiff]:
    """What is there after a change, each with how it came to be."""
    return {diff.new: diff for diff in diffs if diff.status != "D"}
