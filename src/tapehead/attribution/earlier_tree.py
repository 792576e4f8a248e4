"""A work tree as it was at a moment that is over: what was written since is put back to an older version, by the times of the files.

A snapshot is taken a little after what it stands for: the agent may have written a file by then. And a repository that a turn is found to have
touched is recorded when the turn is over; how it was before follows from the commit that was checked out then.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import attrs

from tapehead.git.worktree import Entry

if TYPE_CHECKING:
    from tapehead.attribution.snapshots import Chain
    from tapehead.git.hunks import FileDiff
    from tapehead.git.trees import Recorded, Trees

_GONE = b"000000"


def as_of(chain: Chain, trees: Trees, recorded: Recorded, older: str, moment: int) -> Recorded:
    """What was recorded, with the files that were written after a moment (nanoseconds since 1970) as an older tree has them."""
    root = os.fsencode(trees.repository.worktree)
    late = sorted({path for diff in chain.between(older, recorded.tree) for path in _late(root, diff, moment)})
    if not late:
        return recorded
    then = _listed(chain, older, late)
    entries = [Entry(path, *then.get(path, (_GONE, ""))) for path in late]
    return attrs.evolve(recorded, tree=trees.write(recorded.tree, entries))


def _late(root: bytes, diff: FileDiff, moment: int) -> list[bytes]:
    """The names of a change that came after a moment. Of a file that got another name both or none: its lines must not be there twice."""
    names = list(dict.fromkeys((diff.new, diff.old)))
    if diff.status == "R":
        return names if _written(os.path.join(root, diff.new)) > moment else []
    return [path for path in names if _written(os.path.join(root, path)) > moment]


def _written(path: bytes) -> int:
    """When a file was written; when its folder was, where it is gone."""
    while True:
        try:
            return os.lstat(path).st_mtime_ns
        except OSError:
            if os.path.dirname(path) == path:
                return 0
            path = os.path.dirname(path)


def _listed(chain: Chain, tree: str, paths: list[bytes]) -> dict[bytes, tuple[bytes, str]]:
    """Of these files those that a tree has, each with its mode and object."""
    asked = [os.fsdecode(path) for path in paths]
    raw = chain.side.git("--literal-pathspecs", "ls-tree", "-z", tree or chain.side.empty_tree(), "--", *asked)
    rows = (row.partition(b"\t") for row in raw.split(b"\0") if row)
    return {path: (what.split(b" ")[0], what.rpartition(b" ")[2].decode("ascii")) for what, _, path in rows}
