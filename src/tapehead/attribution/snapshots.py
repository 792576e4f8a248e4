"""The chain of marks of one work tree: what lay there when a turn began and when it ended, and whose lines are whose by then.

One commit a mark in the repository beside the user's, each on top of the one before: its tree holds the work tree (`work`) and
what is known of it (`state.json`). Two sessions in one work tree share the chain; the newer mark is put on top of the other's.

Between two marks a change is the agent's whose turn is open; it is the human's where none is. What cannot be told apart is
the agent's: what the human edits while an agent works, and what changed before a mark that came late.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import attrs

from tapehead.attribution import missing_lines, stashes
from tapehead.attribution.known_lines import (
    END,
    LOOK,
    REWOUND,
    START,
    Known,
    Mark,
    as_json,
    from_json,
    left_out,
    list_open,
    never,
)
from tapehead.attribution.missing_lines import by_whom
from tapehead.attribution.tally import count_change, count_row
from tapehead.checkpoints import line_owners
from tapehead.git import differences, loose, stream, unreadable_refs
from tapehead.git.run import GitFailed
from tapehead.store import lock

__all__ = ["END", "LOOK", "REWOUND", "START", "Chain", "Known", "Mark"]

if TYPE_CHECKING:
    from tapehead.attribution.committed_lines import History
    from tapehead.attribution.evidence import Evidence
    from tapehead.attribution.known_lines import Late
    from tapehead.checkpoints.line_owners import Files
    from tapehead.git.hunks import FileDiff
    from tapehead.git.side import Side
    from tapehead.git.trees import Recorded

_TRIES = 20
_PATIENCE, _PAUSE = 3, 0.02
"""Tries, and seconds between them, in which another's git may still be at the ref without having moved it."""
_WAIT = 10.0
_LOOKED_AT = 50
"""Marks among which one that was made before is looked for."""


class Chain:
    """The marks of one work tree."""

    def __init__(self, side: Side, name: str, git_dir: str = "") -> None:
        self.side = side
        self.git_dir = git_dir
        """Of the work tree: it knows where HEAD was in between."""
        self._diffs: dict[tuple[str, str], list[FileDiff]] = {}
        """Between what never changes; one mark asks for the same ones twice."""
        self.ref = f"refs/marks/{name}"
        self.memory = f"{name}.tip.json"
        self.lock = os.path.join(side.path, f"{name}.chain.lock")

    def put(
        self,
        mark: Mark,
        recorded: Recorded,
        kept: str = "",
        is_late: Late = never,
        evidence: Evidence | None = None,
    ) -> Known:
        """One more mark on top; the one that the same line asked for before, where there is one.

        `is_late` says of a file whether it changed after the one who is at work was at work: that is the human's. `evidence` says of
        lines that came in a turn who wrote them.

        One at a time, by a lock. Where that cannot be had, git's own refusal to go back serves, and the slower one tries again.
        """
        held = lock.take(self.lock, _WAIT)
        try:
            return self._put(mark, recorded, kept, is_late, evidence)
        finally:
            if held is not None:
                lock.release(held)

    def _put(self, mark: Mark, recorded: Recorded, kept: str, is_late: Late, evidence: Evidence | None) -> Known:
        for attempt in range(_TRIES):
            before = Known()
            try:
                before = self.tip()
                if made := self._made(before, mark):
                    return made
                after = attrs.evolve(self.after(before, mark, recorded, is_late, evidence), kept=kept)
                return attrs.evolve(after, mark=self._written(before, after, mark))
            except GitFailed:
                if attempt >= _PATIENCE and self.tip().mark == before.mark and not self._mended():
                    raise  # nobody moves it: this is something else
                time.sleep(_PAUSE * (attempt + 1))
        raise GitFailed(f"{self.ref} never stood still")

    def _mended(self) -> bool:
        """Whether the newest mark was damaged (a power cut, a disk), and the chain goes on from an older one now."""
        from tapehead.checkpoints.verification import mend_chain  # noqa: PLC0415 - only where something is wrong

        before = self.side.loose(self.ref)
        mend_chain(self.side, self.ref)
        return self.side.loose(self.ref) != before

    def tip(self) -> Known:
        """What the newest mark says; an empty one where there is none yet. Where nothing moved since, git is not asked."""
        memory = self.side.recall(self.memory)
        if memory and memory.get("mark") == self.side.loose(self.ref):
            return from_json(memory["mark"], memory["state"])
        try:
            raw = self.side.git("cat-file", "--batch", stdin=f"{self.ref}\n{self.ref}:state.json\n".encode())
        except GitFailed as error:
            error.raise_if_killed()
            torn = memory and self.ref in unreadable_refs.oversized(self.side.path, "refs")
            return self.tip() if torn and self._mended() else Known()
        head, _, rest = raw.partition(b"\n")
        name, kind, size = (*head.decode("ascii", "replace").split(" "), "", "")[:3]
        if kind != "commit":
            return self.tip() if memory and self._mended() else Known()  # a ref that is gone, and the mark is there
        return from_json(name, json.loads(rest[int(size) + 1 :].partition(b"\n")[2]))

    def _made(self, before: Known, mark: Mark) -> Known | None:
        """The mark that this line asked for already: it can only be there where the newest is not older than it."""
        if before.made.get("at", -1) < mark.at:
            return None
        asked = f"{mark.line} {mark.kind}"
        return next((self.known(name) for name, line in self.newest(_LOOKED_AT) if line == asked), None)

    def put_back(self, mark: Mark, recorded: Recorded, target: Known) -> Known:
        """A mark for a work tree that is what it was at another mark: so are the owners of its lines."""
        before = self.tip()
        files = line_owners.unite_runs(target.files, self._came_back(target, recorded)[0])
        after = attrs.evolve(self.after(before, mark, recorded), files=files, tally=target.tally)
        if target.head == after.head:
            after = attrs.evolve(after, gone=target.gone)
        return attrs.evolve(after, mark=self._written(before, after, mark))

    def newest(self, most: int) -> list[tuple[str, str]]:
        """The newest marks first, each with the line that asked for it and its kind."""
        try:
            raw = self.side.git("log", f"-{most}", "--format=%H %s", self.ref, "--")
        except GitFailed as error:
            error.raise_if_killed()
            return []
        return [
            (line[0], line[2]) for row in raw.decode("utf-8", "replace").splitlines() if (line := row.partition(" "))
        ]

    def known(self, mark: str) -> Known:
        """What a mark says."""
        return from_json(mark, json.loads(self.side.git("cat-file", "blob", f"{mark}:state.json")))

    def after(
        self, before: Known, mark: Mark, recorded: Recorded, is_late: Late = never, evidence: Evidence | None = None
    ) -> Known:
        """What is known once the work tree was seen again."""
        owner = self._owner(before, mark)
        diffs = self.between(before.work, recorded.tree) if before.work else []
        fresh = None
        files, tally = before.files, before.tally
        again, settled = self._came_back(before, recorded)
        if recorded.head != before.head or settled:
            committed = {diff.new: diff for diff in self.between(recorded.head, recorded.tree)}
            fresh = {
                path: line_owners.minus(line_owners.find_added(diff), settled.get(path, []))
                for path, diff in committed.items()
            }
        allowed, applied = stashes.without_applied(self, before, recorded.tree, diffs, fresh)
        judged = evidence is not None and owner != line_owners.HUMAN
        for who, part in by_whom(diffs, owner, is_late):
            files = line_owners.advance_files(files, part, owner if judged else who, allowed)
            tally = count_change(tally, part, who, allowed)
        if evidence and judged:
            from tapehead.attribution.evidence import apply  # noqa: PLC0415 - only where there is any

            files = apply(self.side, evidence, recorded.tree, files, diffs, allowed, owner)
        files = line_owners.unite_runs(files, applied) if applied else files
        if fresh is not None:
            files = {path: runs for path, runs in files.items() if path in fresh}
            files = line_owners.unite_runs(files, again)
            tally = {
                path: count_row(diff, files.get(path, ()), tally.get(path))
                for path, diff in committed.items()
                if path in tally or path in again  # what was dirty before the first mark is nobody's count
            }
        return Known(
            work=recorded.tree,
            head=recorded.head,
            open=list_open(before.open, mark),
            files=files,
            gone=missing_lines.of_head(self, before, recorded, diffs, owner, is_late),
            stashes=stashes.renew_stashes(self, before, owner),
            tally=tally,
            made={**attrs.asdict(mark), **left_out(recorded, diffs)},
            changed=tuple(sorted({path for diff in diffs for path in (diff.old, diff.new)})),
            raw=recorded.raw,
        )

    def leads_to(self, commit: str, head: str) -> bool:
        """Whether a commit is the other one, or one that it builds on."""
        try:
            self.side.git("merge-base", "--is-ancestor", commit, head)
        except GitFailed as error:
            error.raise_if_killed()
            return False
        return True

    def between(self, old: str, new: str) -> list[FileDiff]:
        """How one tree (or commit) differs from another; nothing at all is the empty tree."""
        if old == new:
            return []
        if (old, new) not in self._diffs:
            self._diffs[old, new] = differences.between(
                self.side, *(name or self.side.empty_tree() for name in (old, new))
            )
        return self._diffs[old, new]

    def _came_back(self, before: Known, recorded: Recorded) -> tuple[Files, dict[bytes, list[line_owners.Range]]]:
        from tapehead.attribution.uncommitted_again import come_back  # noqa: PLC0415 - only where HEAD moved, and it knows us

        return come_back(self, before, recorded.head, recorded.tree)

    def history(self) -> History:
        """The past of the repository, with the records of its commits."""
        from tapehead.attribution.committed_lines import History as Past  # noqa: PLC0415 - as above
        from tapehead.checkpoints.checkpoint_ref import Checkpoints  # noqa: PLC0415 - only where HEAD went back

        return Past(self.side.path, Checkpoints(self.side).records)

    def _owner(self, before: Known, mark: Mark) -> str:
        if mark.kind not in (START, LOOK, REWOUND):
            return mark.session  # it was at work until here, whether or not we heard it begin
        return before.at_work or (mark.session if mark.late and before.mark else line_owners.HUMAN)

    def _written(self, before: Known, after: Known, mark: Mark) -> str:
        state = as_json(after)
        name = self._committed(json.dumps(state).encode(), after, mark, before.mark)
        # Only from where it was: the slower of two finds it moved, is refused, and tries again.
        self.side.git("update-ref", self.ref, name, before.mark or "0" * len(name))
        self.side.remember(self.memory, {"mark": name, "state": state})
        return name

    def _committed(self, state: bytes, after: Known, mark: Mark, parent: str) -> str:
        objects, work = os.path.join(self.side.path, "objects"), after.work
        known = loose.blob(objects, work, state)
        rows = [(b"100644", b"state.json", known), (b"40000", b"work", work)]
        real = [(b"40000", name, tree) for name, tree in ((b"kept", after.kept), (b"raw", after.raw)) if tree]
        folder = loose.tree(objects, work, [*real, *rows])
        message = f"{mark.line} {mark.kind}\n".encode()
        return loose.commit(objects, folder, [parent] if parent else [], stream.WHO + b" %d +0000" % mark.at, message)
