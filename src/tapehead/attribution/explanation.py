"""`explain`: from a commit to the checkpoints behind it, however it is called by now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.attribution import commit_lines
from tapehead.attribution.snapshots import Chain
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.patch_id import patch_id
from tapehead.git import trailers
from tapehead.git.run import GitFailed, git
from tapehead.git.side import Side

if TYPE_CHECKING:
    from tapehead.checkpoints.checkpoint import Checkpoint, Record
    from tapehead.git.layout import Repository
    from tapehead.store.paths import Layout

_SECONDS = 10.0


class Part(NamedTuple):
    """One session's part in a commit."""

    checkpoint: Checkpoint
    brief: str


class Explained(NamedTuple):
    """A commit, and what is known of how it came about."""

    commit: str
    subject: str
    found_by: str
    """`commit`, `trailer`, `tree` or `patch`; nothing where it was not found."""
    parts: tuple[Part, ...]
    record: Record | None
    absent: tuple[str, ...] = ()
    """Checkpoints that its trailers name, and that are not here."""


def explain(layout: Layout, repository: Repository, wanted: str) -> Explained:
    """What is on record of a commit. Raises GitFailed where git knows no such commit."""
    side = Side(layout.lines, repository.common_dir)
    side.ready()
    kept = Checkpoints(side)
    where = repository.worktree or repository.common_dir
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{wanted}^{{commit}}")
    name = git(where, *words, timeout=_SECONDS).decode("ascii").strip()
    commit = commit_lines.read(Chain(side, ""), name)
    found_by, ids, record = _found(kept, where, commit)
    ids += [one for one in trailers.squashed(commit.message) if one not in ids]
    found_by = found_by or "trailer"
    known = [checkpoint for one in ids if (checkpoint := kept.get(one))]
    parts = [Part(one, (kept.file(one.id, "brief.md") or b"").decode("utf-8", "replace")) for one in known]
    absent = tuple(one for one in trailers.found(commit.message) if one not in {part.checkpoint.id for part in parts})
    absent = tuple(one for one in absent if kept.get(one) is None)
    return Explained(name, commit.message.partition("\n")[0], found_by if parts else "", tuple(parts), record, absent)


def _found(kept: Checkpoints, where: str, commit: commit_lines.Commit) -> tuple[str, list[str], Record | None]:
    """By its own name, by its trailer, by its tree, by its patch: the first that leads somewhere."""
    if (record := kept.record(commit.name)) and record.checkpoints:
        return "commit", list(record.checkpoints), record
    if ids := [one for one in trailers.found(commit.message) if kept.get(one)]:
        return "trailer", ids, None
    other = kept.commit_by("tree", commit.tree)
    if (record := kept.record(other)) and not _builds_on(where, commit.name, other):
        return "tree", list(record.checkpoints), record
    other = kept.commit_by("patch", patch_id(where, commit.name))
    if record := kept.record(other):
        return "patch", list(record.checkpoints), record
    return "", [], None


def _builds_on(where: str, commit: str, other: str) -> bool:
    """Whether a commit comes after another: then it only went back to the same files (a revert), or changed none."""
    try:
        git(where, "merge-base", "--is-ancestor", other, commit, timeout=_SECONDS)
    except GitFailed as error:
        error.raise_if_killed()
        return False
    return True
