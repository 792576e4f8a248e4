"""Whether a session has a part in what is staged, line by line: as its checkpoint would have it, for a commit that is not made yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.actions.own_files import own_files
from tapehead.attribution import commit_lines
from tapehead.attribution.committed_lines import History
from tapehead.attribution.last_work import is_late
from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.git import layout as git_layout
from tapehead.git.trees import Trees
from tapehead.git.worktree import Entry
from tapehead.store.paths import place_name
from tapehead.store.sessions import StateStore

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_GONE = b"000000"


def has_line(layout: Layout, session_id: str, changed: dict[bytes, tuple[bytes, str]], *, at_work: bool) -> bool:
    """Of the staged files, each with its mode and its object (none where it goes). Raises GitFailed where git does not tell."""
    state = StateStore(layout).load(session_id)
    tree = work_tree(layout, state) if state else None
    if state is None or tree is None:
        return True
    entries = [Entry(path, mode if name else _GONE, name) for path, (mode, name) in changed.items()]
    head = git_layout.head(tree.repository)[1]
    base = tree.side.git("rev-parse", f"{head}^{{tree}}").decode("ascii").strip() if head else ""
    name = place_name(tree.repository.worktree_id)
    staged = Trees(tree.repository, tree.side, f"{name}.staged").write(base, entries)
    commit = commit_lines.Commit(staged, (head,) if head else (), staged, "")
    history = History(tree.repository.worktree, Checkpoints(tree.side).records, tree.side.path)
    working = session_id if at_work else ""
    seen = tree.chain.tip()
    late = is_late(state, seen, tree.repository.worktree)
    share = commit_lines.share(tree.chain, commit, history, working, is_late=late)
    return bool(own_files(tree, state, share, seen, working))
