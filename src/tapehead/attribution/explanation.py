"""`explain`: from a commit to the checkpoints behind it, however it is called by now."""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import attrs

from tapehead.attribution import commit_lines
from tapehead.attribution.copies import Copies
from tapehead.attribution.shares import Shares
from tapehead.attribution.shares import of_commit as commit_shares
from tapehead.attribution.snapshots import Chain
from tapehead.attribution.unclear_commits import UnclearCommits
from tapehead.checkpoints import line_owners
from tapehead.checkpoints.checkpoint import TRANSCRIPT
from tapehead.checkpoints.checkpoint_ref import Checkpoints
from tapehead.checkpoints.patch_id import patch_id
from tapehead.git import trailers
from tapehead.git.run import git
from tapehead.git.side import Side

if TYPE_CHECKING:
    from tapehead.checkpoints.checkpoint import Checkpoint, Record
    from tapehead.git.layout import Repository
    from tapehead.store.paths import Layout

_SECONDS = 10.0
_MOST = 64 * 1024 * 1024
"""Bytes of a transcript that are shown."""


class Part(NamedTuple):
    """One session's part in a commit."""

    checkpoint: Checkpoint
    brief: str
    transcript: str = ""
    """Its part of the transcript, where that was asked for."""


class Explained(NamedTuple):
    """A commit, and what is known of how it came about."""

    commit: str
    subject: str
    found_by: str
    """`commit`; where it was worked out, `tree`, `patch`, `trailer` or `content`; nothing where nothing is known."""
    parts: tuple[Part, ...]
    record: Record | None
    absent: tuple[str, ...] = ()
    """Checkpoints that its trailers name, and that are not here."""
    shares: Shares = Shares()


def explain(layout: Layout, repository: Repository, wanted: str, *, with_transcript: bool = False) -> Explained:
    """What is on record of a commit. Raises GitFailed where git knows no such commit."""
    side = Side(layout.lines, repository.common_dir)
    side.ready()
    kept = Checkpoints(side)
    where = repository.worktree or repository.common_dir
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{wanted}^{{commit}}")
    name = git(where, *words, timeout=_SECONDS).decode("ascii").strip()
    chain = Chain(side, "")
    commit = commit_lines.read(chain, name)
    record = Copies(kept, where).records([name]).get(name)
    ids = _ids(kept, where, commit, record)
    known = [checkpoint for one in ids if (checkpoint := kept.get(one))]
    parts = [_part(kept, one, with_transcript=with_transcript) for one in known]
    absent = tuple(one for one in trailers.found(commit.message) if one not in {part.checkpoint.id for part in parts})
    absent = tuple(one for one in absent if kept.get(one) is None)
    told_by = (record.derived or "commit") if record else "trailer"
    unclear = UnclearCommits(kept, repository)
    if name in unclear.beyond:
        commit = attrs.evolve(commit, parents=())  # they are not here: to git it brought all that there is
    without = line_owners.NOT_KNOWN if unclear.among([name]) else line_owners.HUMAN
    shares = commit_shares(chain, commit, record, without)
    subject = commit.message.partition("\n")[0]
    return Explained(name, subject, told_by if parts else "", tuple(parts), record, absent, shares)


def _part(kept: Checkpoints, one: Checkpoint, *, with_transcript: bool) -> Part:
    brief = (kept.file(one.id, "brief.md") or b"").decode("utf-8", "replace")
    packed = (kept.file(one.id, TRANSCRIPT) or b"") if with_transcript else b""
    return Part(one, brief, unpacked(packed))


def unpacked(packed: bytes) -> str:
    """A checkpoint may come from others: what is damaged is left out, and nothing grows without end."""
    found = b""
    with suppress(OSError, EOFError, zlib.error), gzip.open(io.BytesIO(packed)) as file:
        while len(found) < _MOST and (more := file.read1(_MOST)):
            found += more
    return found.decode("utf-8", "replace")


def _ids(kept: Checkpoints, where: str, commit: commit_lines.Commit, record: Record | None) -> list[str]:
    """The checkpoints behind a commit: of its record, or of one with the same change; and those that its message names."""
    ids = list(record.checkpoints) if record else []
    ids += [one for one in trailers.everywhere(commit.message) if one not in ids]
    if ids or record:
        return ids
    other = kept.record(kept.commit_by("patch", patch_id(where, commit.name)))  # it may bring no line at all
    return list(other.checkpoints) if other else []
