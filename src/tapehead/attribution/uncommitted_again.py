"""Lines that were in a commit and are in none any more: HEAD went back (a reset, a squash by hand), and they lie there uncommitted.

While they were committed no mark named them, since their commit's record does. Now that is asked once more, of the commit that
HEAD was at when the work tree was last seen, and of those that it came by since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.attribution.commit_lines import elsewhere
from tapehead.attribution.earlier_lines import by_new_name, find_committed, from_commit
from tapehead.checkpoints import line_owners
from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from tapehead.attribution.snapshots import Chain, Known
    from tapehead.checkpoints.line_owners import Files, Range, Run
    from tapehead.git.hunks import FileDiff

Ranges = dict[bytes, "list[Range]"]


def come_back(chain: Chain, then: Known, head: str, work: str) -> tuple[Files, Ranges]:
    """The agents' lines of a work tree that HEAD does not have now and had before; and all lines, by file, that it had since."""
    others = _others(chain, then, head) if then.head else []
    if not then.head or (then.head == head and not others):
        return {}, {}
    lately = by_new_name(chain.between(then.work, work))
    found: dict[bytes, list[Run]] = {}
    new: Ranges = {}
    for diff in chain.between(head, work):
        if diff.status != "D":
            found[diff.new], new[diff.new] = _in_file(chain, then, lately, diff)
    left = {path: ranges for path, ranges in new.items() if ranges}
    for other in others if left else ():
        left = from_commit(chain, work, other, chain.history(), left, found)
    settled = {path: line_owners.minus(ranges, left.get(path, [])) for path, ranges in new.items()}
    runs = {path: line_owners.join_runs(each) for path, each in found.items()}
    return {path: each for path, each in runs.items() if each}, settled


def _in_file(chain: Chain, then: Known, lately: dict[bytes, FileDiff], diff: FileDiff) -> tuple[list[Run], list[Range]]:
    """What HEAD had then; and the lines that did not lie there then."""
    since = lately.get(diff.new)
    name = since.old if since else diff.new
    _, there, absent = line_owners.came_from(since, then.files.get(name, ()), line_owners.find_added(diff))
    if not there:
        return [], absent
    try:
        behind = by_new_name(chain.between(then.head, then.work)).get(name)
    except GitFailed as error:
        error.raise_if_killed()
        return [], absent  # git has thrown that commit away: nobody can say any more
    return find_committed(chain.history(), then.head, name, behind, there), absent


def _others(chain: Chain, then: Known, head: str) -> list[str]:
    if not head or not chain.git_dir:
        return []
    try:
        return elsewhere(chain, head, chain.git_dir, then.made.get("at", 0), (then.head,))
    except GitFailed as error:
        error.raise_if_killed()
        return []
