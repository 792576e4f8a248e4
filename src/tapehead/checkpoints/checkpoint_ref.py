"""`refs/tapehead/checkpoints`: a ref outside everybody's branches, whose tree holds the checkpoints and the records of commits.

    ab/cdef01234567/checkpoint.json, brief.md, transcript.jsonl.gz     by the checkpoint's id
    by-commit/ab/cdef….json                                            a commit's record
    by-tree/ab/cdef…, by-patch/ab/cdef…                                the commit of that tree, or of that patch id

A change is one commit on top: its objects first, in a pack that no prune takes (`kept_packs`), then the ref, if it is still where it
was. So a kill leaves either the old or the new one, and of two writers the second looks again and puts its own on top. A ref that is found
broken is mended first. Two machines' trees are united file by file.
"""

from __future__ import annotations

import os
import random
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.checkpoints import checkpoint as values
from tapehead.checkpoints import ref_repair
from tapehead.git import batch, kept_packs, stream, unreadable_refs
from tapehead.git.run import GitFailed, git
from tapehead.git.side import STALE
from tapehead.store import lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tapehead.checkpoints.checkpoint import Checkpoint, Record
    from tapehead.git.side import Side

REF = "refs/tapehead/checkpoints"
_SECONDS = 30.0
_TRIES = 60
_PAUSE = 0.02
_DAY = 86_400


class Checkpoints:
    """The checkpoints of one repository."""

    def __init__(self, side: Side, ref: str = REF, shared: str = "") -> None:
        self.side = side
        self.ref = ref
        self.shared = shared or ref
        """The name of the ref on a remote."""

    def tip(self) -> str:
        """The commit that the ref names; nothing where there is none yet."""
        try:
            return self._git("rev-parse", "--verify", "--quiet", self.ref).decode("ascii").strip()
        except GitFailed as error:
            error.raise_if_killed()
            return ""

    def begun(self) -> int:
        """When the first one was made, in seconds since 1970, less a day: clocks differ."""
        raw = self._git("log", "--max-parents=0", "--format=%ct", self.ref)
        return max(min((int(row) for row in raw.split()), default=0) - _DAY, 0)

    def get(self, checkpoint_id: str) -> Checkpoint | None:
        """A checkpoint by its id."""
        raw = self.file(checkpoint_id, "checkpoint.json")
        return values.read(raw) if raw is not None else None

    def file(self, checkpoint_id: str, name: str) -> bytes | None:
        """A file of a checkpoint: its brief, or its part of the transcript."""
        return self.blob(f"{_place(checkpoint_id)}/{name}") if values.is_id(checkpoint_id) else None

    def ids(self) -> list[str]:
        """The ids of all of them."""
        try:
            raw = self._git("ls-tree", "-r", "--name-only", self.ref)
        except GitFailed as error:
            error.raise_if_killed()
            return []
        return sorted(row[:2].decode() + row[3:13].decode() for row in raw.splitlines() if is_checkpoint(row))

    def record(self, commit: str) -> Record | None:
        """A commit's record by its name."""
        raw = self.blob(_by("commit", commit) + ".json") if values.is_name(commit) else None
        return values.read_record(raw) if raw is not None else None

    def records(self, commits: Iterable[str]) -> dict[str, Record]:
        """The records of all these commits, as far as there are any, with one process."""
        wanted = [commit for commit in commits if values.is_name(commit)]
        asked = "".join(f"{self.ref}:{_by('commit', commit)}.json\n" for commit in wanted).encode()
        return {record.commit: record for record in self._read(asked)}

    def every_record(self) -> list[Record]:
        """All of them."""
        try:
            raw = self._git("ls-tree", "-r", f"{self.ref}:by-commit")
        except GitFailed as error:
            error.raise_if_killed()
            return []  # there are none yet
        rows = (row.partition(b"\t") for row in raw.splitlines())
        names = [about.split(b" ")[2] for about, _, path in rows if path.endswith(b".json")]
        return self._read(b"".join(name + b"\n" for name in names))

    def _read(self, asked: bytes) -> list[Record]:
        raw = self._git("cat-file", "--batch", stdin=asked) if asked else b""
        read = (values.read_record(each) for each in batch.blobs(raw) if each)
        return [record for record in read if record]

    def commit_by(self, kind: str, name: str) -> str:
        """The commit of a tree, or of a patch id; nothing where it is not known."""
        raw = self.blob(_by(kind, name)) if values.is_name(name) else None
        return raw.decode("ascii", "replace").strip() if raw is not None else ""

    def put(self, checkpoint: Checkpoint, files: dict[str, bytes], record: Record, at: int) -> None:
        """Writes a checkpoint with its files, and its commit's record, in one step."""
        content = values.written(checkpoint)
        changes = [stream.given(f"{_place(checkpoint.id)}/{name}".encode(), data) for name, data in files.items()]
        changes.append(stream.given(f"{_place(checkpoint.id)}/checkpoint.json".encode(), content))
        self.change(lambda: [*changes, *self._recorded(record)], f"checkpoint {checkpoint.id}\n", at)

    def revise(
        self, checkpoint_id: str, change: Callable[[Checkpoint], Checkpoint], files: dict[str, bytes], at: int
    ) -> None:
        """Writes a known checkpoint anew, from what it is at that very moment: a rewrite may have come between."""
        place = _place(checkpoint_id)

        def changes() -> list[bytes]:
            known = self.get(checkpoint_id)
            if known is None:
                return []
            rows = [stream.given(f"{place}/{name}".encode(), data) for name, data in files.items()]
            return [*rows, stream.given(f"{place}/checkpoint.json".encode(), values.written(change(known)))]

        self.change(changes, f"finished {checkpoint_id}\n", at)

    def keep(self, checkpoints: Iterable[Checkpoint], records: Iterable[Record], message: str, at: int) -> None:
        """Writes what became of known checkpoints and commits: a rewrite gave them other names."""
        again = [stream.given(f"{_place(one.id)}/checkpoint.json".encode(), values.written(one)) for one in checkpoints]
        both = list(records)
        self.change(lambda: [*again, *(row for record in both for row in self._recorded(record))], message, at)

    def _recorded(self, record: Record) -> list[bytes]:
        """A record joins the one that is there, and is found by its tree and its patch id too."""
        known = self.record(record.commit)
        record = values.merged_record(known, record) if known else record
        rows = [stream.given((_by("commit", record.commit) + ".json").encode(), values.written_record(record))]
        for kind, name in (("tree", record.tree), ("patch", record.patch_id)):
            if name:
                rows.append(stream.given(_by(kind, name).encode(), record.commit.encode() + b"\n"))
        return rows

    def change(self, changes: Callable[[], list[bytes]], message: str, at: int, other: str = "") -> str:
        """Puts a commit on top; what it changes is worked out anew whenever someone else was faster. Returns its name."""
        self.side.ready()
        held = lock.take(os.path.join(self.side.path, "checkpoints.lock"), _SECONDS)
        try:
            if held is not None:
                kept_packs.clear(self.side)
            if self.ref in unreadable_refs.find(self.side.common_dir, ref_repair.OURS):
                ref_repair.mend(self.side, self.ref, "")
            for attempt in range(_TRIES):
                if new := self._put_on_top(changes, message, at, other):
                    return new
                time.sleep(_PAUSE * (1 + random.random()) * min(attempt + 1, 10))  # noqa: S311 - it need not be unguessable
                self._clear()
        finally:
            if held is not None:
                lock.release(held)
        raise GitFailed(f"{self.ref} could not be moved")

    def _put_on_top(self, changes: Callable[[], list[bytes]], message: str, at: int, other: str) -> str:
        """One try; nothing where somebody else was faster."""
        tip = self.tip()
        try:
            new, pack = self._written(tip, other, changes(), message, at)
        except GitFailed as error:
            error.raise_if_killed()
            if not tip or kept_packs.is_whole(self.side.common_dir, tip):
                raise
            ref_repair.mend(self.side, self.ref, tip)
            return ""
        kept = kept_packs.Kept(self.side, pack)
        try:
            if not self.moved(tip, new):
                return ""
            kept_packs.copy(self.side, pack)
            if not kept_packs.is_whole(self.side.common_dir, new, tip):
                ref_repair.mend(self.side, self.ref, new)
            return new
        finally:
            kept.let_go()

    def _written(self, tip: str, other: str, changes: list[bytes], message: str, at: int) -> tuple[str, bytes]:
        """The commit, and the pack of all that is new with it; neither is the user's yet."""
        parents = [parent for parent in (tip, other) if parent]
        with kept_packs.Scratch(self.side) as scratch:
            new = scratch.commit(stream.commit("refs/import", at, message.encode(), parents, changes))
            return new, scratch.pack(new, (tip, other))

    def moved(self, old: str, new: str) -> bool:
        """Moves the ref, if it is still where it was."""
        try:
            self._git("update-ref", "--no-deref", self.ref, new, old or "0" * len(new))
        except GitFailed:
            return False
        ref_repair.note(self.side, self.ref, new)
        return True

    def _clear(self) -> None:
        """Removes the lock that a git left which was killed in the very moment: nobody needs it for so long."""
        path = os.path.join(self.side.common_dir, *self.ref.split("/")) + ".lock"
        with suppress(OSError):
            if time.time() - os.stat(path).st_mtime > STALE:
                os.unlink(path)

    def blob(self, path: str) -> bytes | None:
        """A file, by its path below the ref."""
        try:
            return self._git("cat-file", "blob", f"{self.ref}:{path}")
        except GitFailed as error:
            error.raise_if_killed()
            return None

    def _git(self, *words: str, stdin: bytes = b"") -> bytes:
        return git(self.side.common_dir, *words, timeout=_SECONDS, stdin=stdin, most=1 << 28)


def is_checkpoint(path: bytes) -> bool:
    """Whether a file below the ref is the one that a checkpoint is known by."""
    return path.endswith(b"/checkpoint.json") and values.is_id(
        path[:-16].replace(b"/", b"", 1).decode("ascii", "replace")
    )


def _place(checkpoint_id: str) -> str:
    return f"{checkpoint_id[:2]}/{checkpoint_id[2:]}"


def _by(kind: str, name: str) -> str:
    return f"by-{kind}/{name[:2]}/{name[2:]}"
