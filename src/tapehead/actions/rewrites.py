"""After a rebase: the commits have other names, and their checkpoints and records follow them. After a squash several lead to one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import attrs

from tapehead.actions.commit_counts import line_counts, per_file
from tapehead.attribution import commit_lines
from tapehead.attribution.committed_lines import History
from tapehead.attribution.snapshots import Chain
from tapehead.checkpoints import line_texts
from tapehead.checkpoints.checkpoint import Record, is_name
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.patch_id import patch_id
from tapehead.git import layout as git_layout
from tapehead.git import trailers
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.store import atomic, lock, tape
from tapehead.store.origin import is_own
from tapehead.store.paths import is_session_id, place_name

if TYPE_CHECKING:
    from tapehead.git.layout import Repository
    from tapehead.store.paths import Layout


def follow(layout: Layout) -> int:
    """Reads on from where reading stopped; how many commits were followed. Whoever else is at it does it for us."""
    held = lock.take(layout.rewrites + ".lock", 0)
    if held is None:
        return 0
    try:
        offset = _offset(layout)
        lines, end = tape.unread(layout.rewrites, offset)
        count = sum(_followed(layout, raw) for raw in lines)
        if end != offset:
            atomic.write(layout.rewrites + ".read", str(end).encode())
        return count
    finally:
        lock.release(held)


def _offset(layout: Layout) -> int:
    try:
        raw = atomic.read(layout.rewrites + ".read")
    except OSError:
        return 0
    return int(raw) if raw.isdigit() else 0


def _followed(layout: Layout, raw: bytes) -> int:
    try:
        line = json.loads(raw)
        repository = git_layout.find(line["worktree"])
        olds = _by_new(line["pairs"])
        at = line["at"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return 0
    if repository is None or not isinstance(at, str):
        return 0
    return sum(_follow_one(layout, repository, new, before, at) for new, before in olds.items())


def _by_new(pairs: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for old, new in pairs:
        if is_name(old) and is_name(new):
            found.setdefault(new, []).append(old)
    return found


def _follow_one(layout: Layout, repository: Repository, new: str, olds: list[str], at: str) -> bool:
    side = Side(layout.lines, repository.common_dir)
    side.ready()
    kept = Checkpoints(side)
    chain = Chain(side, place_name(repository.worktree_id))
    try:
        commit = commit_lines.read(chain, new, olds)
    except GitFailed:
        return False  # it is gone already: rebased once more
    records = [record for old in olds if (record := kept.record(old))]
    ids = dict.fromkeys([name for record in records for name in record.checkpoints] + trailers.found(commit.message))
    known = [found for name in ids if (found := kept.get(name))]
    if not known and not records:
        return False
    history = History(repository.worktree or repository.common_dir, kept.records, kept.side.path)
    share = commit_lines.share(chain, commit, history, "", repository.git_dir)
    texts = line_texts.of_commit(side, new, share.files)
    patch = patch_id(repository.common_dir, new)
    # What another's session did is not ours to change: the new commit's record leads to it all the same.
    moved = [
        attrs.evolve(
            one,
            commit=new,
            former_commits=tuple(
                dict.fromkeys(name for name in (*one.former_commits, one.commit) if name not in ("", new))
            ),
            tree=commit.tree,
            patch_id=patch,
            attribution=line_counts(share, one.session),
            per_file=per_file(share, one.session),
            updated_at=at,
        )
        for one in known
        if is_session_id(one.session) and is_own(layout, one.session)
    ]
    record = Record(new, commit.tree, patch, tuple(one.id for one in known), share.files, texts)
    kept.keep(moved, [record], f"rewritten to {new}\n", 0)
    return True
