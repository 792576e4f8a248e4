"""Commits of which nobody here can say that a line without a record is the human's: `blame` and `explain` both ask, so that they agree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.attribution.snapshots import Chain
from tapehead.git import trailers
from tapehead.git.run import git
from tapehead.store.paths import place_name

if TYPE_CHECKING:
    from collections.abc import Collection

    from tapehead.checkpoints.checkpoint_ref import Checkpoints
    from tapehead.git.layout import Repository

_SECONDS = 20.0


class UnclearCommits:
    """One repository's."""

    def __init__(self, kept: Checkpoints, repository: Repository) -> None:
        self.kept = kept
        self.repository = repository
        self.beyond = _boundary(repository.common_dir)
        """Commits at which a shallow clone ends: their lines may be older."""
        self._watched: bool | None = None

    def among(self, commits: Collection[str]) -> set[str]:
        """Those of them."""
        if not self._is_watched():
            return {*commits}
        return {*self.absent(commits)} | {name for name in commits if name in self.beyond}

    def absent(self, commits: Collection[str]) -> dict[str, tuple[str, ...]]:
        """Of commits without a record those whose trailers name checkpoints of which one is not here; and which these are."""
        unknown = sorted({*filter(None, commits)} - self.kept.records(set(commits)).keys())
        if not unknown:
            return {}
        words = ("log", "--no-walk=unsorted", "--format=%x01%H%n%B", "--stdin")
        where = self.repository.worktree or self.repository.common_dir
        raw = git(where, *words, timeout=_SECONDS, stdin="\n".join(unknown).encode(), most=1 << 27)
        rows = [row.partition("\n") for row in raw.decode("utf-8", "replace").split("\x01")[1:]]
        named = {commit: tuple(trailers.found(message)) for commit, _, message in rows}
        lacking = {
            commit: tuple(one for one in ids if self.kept.get(one) is None) for commit, ids in named.items() if ids
        }
        return {commit: ids for commit, ids in lacking.items() if ids}

    def _is_watched(self) -> bool:
        """Whether anything was ever recorded here; in a clone that has not synced nobody can say that no agent wrote a line."""
        if self._watched is None:
            chain = Chain(self.kept.side, place_name(self.repository.worktree_id))
            self._watched = bool(self.kept.tip() or chain.tip().mark)
        return self._watched


def _boundary(common_dir: str) -> frozenset[str]:
    """The commits at which a shallow clone ends, by git's own file."""
    try:
        with door.open_reader(os.path.join(common_dir, "shallow")) as file:
            return frozenset(file.read().decode("ascii", "replace").split())
    except OSError:
        return frozenset()
