"""What lies in a stash. Whose lines these are is remembered by the stash's own commit, so that they are whose they were when it is applied.

Git writes every stash as a commit of the whole work tree, on top of the HEAD of then, and its untracked files as a third parent. A mark
remembers the stashes that it finds listed; whatever happens until one is applied, its tree says which lines came out of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.checkpoints import line_owners
from tapehead.git.reflog import stashes
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from tapehead.attribution.snapshots import Chain, Known
    from tapehead.checkpoints.line_owners import Files, Range, Run
    from tapehead.git.hunks import FileDiff

    Ranges = dict[bytes, list[Range]]
    Stashes = dict[str, Files]
    """By the name of its tree, the agents' lines in a stash."""

_UNTRACKED = "^3"
_PUT_ASIDE = "put aside"


def renew_stashes(chain: Chain, before: Known, owner: str) -> Stashes:
    """The stashes that are there now: those that were there before as they are known, and new ones by what changed until they were made."""
    found: Stashes = {}
    for name, at in stashes(chain.side.common_dir):
        for tree in (name, name + _UNTRACKED):
            if tree in before.stashes:
                found[tree] = before.stashes[tree]
            elif before.mark and at >= before.made.get("at", 0):
                found |= _looked_at(chain, before, owner, tree)
    return found


def _looked_at(chain: Chain, before: Known, owner: str, tree: str) -> Stashes:
    try:
        diffs = chain.between(before.work, f"{tree}^{{tree}}")
    except GitFailed as error:
        error.raise_if_killed()
        return {}  # it has no untracked files
    allowed, applied = without_applied(
        chain, before, f"{tree}^{{tree}}", diffs, None
    )  # another may have been applied before it was made
    files = line_owners.advance_files(before.files, diffs, owner, allowed)
    return {tree: line_owners.unite_runs(files, applied) if applied else files}


def without_applied(
    chain: Chain, before: Known, tree: str, diffs: list[FileDiff], fresh: Ranges | None
) -> tuple[Ranges | None, Files]:
    """The lines that whoever was at work may have written, without what came out of a stash; and whose that is."""
    if not before.stashes or not diffs:
        return fresh, {}
    new = {diff.new: line_owners.find_added(diff) for diff in diffs if diff.status != "D"}
    if fresh is not None:
        new = {path: line_owners.both(ranges, fresh.get(path, [])) for path, ranges in new.items()}
    found: dict[bytes, list[Run]] = {}
    left = taken(chain, before.stashes, tree, {path: each for path, each in new.items() if each}, found)
    runs = {path: line_owners.join_runs(each) for path, each in found.items()}
    return {path: left.get(path, []) for path in new}, {path: each for path, each in runs.items() if each}


def taken(
    chain: Chain, known: Stashes, new: str, left: dict[bytes, list[Range]], found: dict[bytes, list[Run]]
) -> dict[bytes, list[Range]]:
    """Takes over the lines of a tree, or a commit, that came out of a stash, the human's too; returns the others."""
    for tree, runs in known.items():
        if not left:
            break
        try:
            diffs = {diff.new: diff for diff in chain.between(f"{tree}^{{tree}}", new)}
            base = {} if tree.endswith(_UNTRACKED) else _by_name(chain.between(f"{tree}^1", f"{tree}^{{tree}}"))
        except GitFailed as error:
            error.raise_if_killed()
            continue  # git has thrown it away
        whole = tree.endswith(_UNTRACKED)
        still = {
            path: _in_file(diffs.get(path), path, base, runs, ranges, found, whole=whole)
            for path, ranges in left.items()
        }
        left = {path: ranges for path, ranges in still.items() if ranges}
    return left


def _in_file(  # noqa: PLR0913, PLR0917 - a file, in three trees
    diff: FileDiff | None,
    path: bytes,
    base: dict[bytes, FileDiff],
    runs: Files,
    ranges: list[Range],
    found: dict[bytes, list[Run]],
    *,
    whole: bool,
) -> list[Range]:
    if whole and diff and diff.status == "A":
        return ranges
    name = diff.old if diff else path
    named, there, _ = line_owners.came_from(diff, runs.get(name, ()), ranges)
    change = base.get(name)
    put_aside = line_owners.join_runs((*each, _PUT_ASIDE) for each in line_owners.find_added(change)) if change else ()
    settled = [
        (start - old + new, many)
        for new, count, old in there
        for start, many, owner in line_owners.cut(put_aside, old, count)
        if whole or owner == _PUT_ASIDE
    ]
    found.setdefault(path, [])
    found[path] += [*named, *((start, many, line_owners.HUMAN) for start, many in settled)]
    taken_over = [*settled, *((start, many) for start, many, _ in named)]
    return line_owners.minus(ranges, taken_over)


def _by_name(diffs: list[FileDiff]) -> dict[bytes, FileDiff]:
    return {diff.new: diff for diff in diffs if diff.status != "D"}
