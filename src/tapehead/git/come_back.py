"""Lines that were in a commit and are in none any more: HEAD went back (a reset, a squash by hand), and they lie there uncommitted.

While they were committed no mark named them, since their commit's record does. Now that is asked once more.
"""

from __future__ import annotations

from tapehead.git import attribution
from tapehead.git.commit_lines import by_new_name, committed
from tapehead.git.run import GitFailed

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.git.attribution import Files
    from tapehead.git.hunks import FileDiff
    from tapehead.git.marks import Chain, Known


def come_back(chain: Chain, then: Known, head: str, work: str) -> Files:
    """The agents' lines of a work tree that HEAD does not have now, and had then."""
    if not then.head or then.head == head:
        return {}
    lately = by_new_name(chain.between(then.work, work))
    found = {}
    for diff in chain.between(head, work):
        runs = _in_file(chain, then, lately, diff) if diff.status != "D" else ()
        if runs:
            found[diff.new] = runs
    return found


def _in_file(chain: Chain, then: Known, lately: dict[bytes, FileDiff], diff: FileDiff) -> attribution.Runs:
    since = lately.get(diff.new)
    name = since.old if since else diff.new
    _, there, _ = attribution.came_from(since, then.files.get(name, ()), attribution.added(diff))
    if not there:
        return ()
    try:
        behind = by_new_name(chain.between(then.head, then.work)).get(name)
    except GitFailed:
        return ()  # git has thrown that commit away: nobody can say any more
    return attribution.joined(committed(chain.history(), then.head, name, behind, there))
