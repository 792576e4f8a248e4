"""What lay in a work tree before each rewind, and before each undo: two stacks of marks, kept by refs of their own.

Nothing that lay there is ever dropped for a newer one. A rewind puts what is there onto the first stack; an undo takes it from
there and puts what is there onto the second, from which a redo takes it. A rewind after an undo would make a redo meaningless: what
waited for it goes under the newest entry of the first stack, where undo comes by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.git.run import GitFailed

if TYPE_CHECKING:
    from collections.abc import Collection

    from tapehead.git.side import Side

    Entries = list[tuple[str, str]]
    """Each entry's ref with the mark that it names."""
    Waiting = tuple[Entries, Entries]
    """What waits for an undo and for a redo."""

_DIGITS = 10


class Stack:
    """Marks, the newest last."""

    def __init__(self, side: Side, kind: str, name: str, older: str = "") -> None:
        self.side = side
        self.folder = f"refs/{kind}/{name}"
        self.older = older
        """The one ref that former versions had: the oldest entry."""

    def entries(self) -> Entries:
        """Each entry's ref with the mark that it names."""
        try:
            raw = self.side.git("for-each-ref", "--format=%(refname) %(objectname)", self.folder, *self._older())
        except GitFailed as error:
            error.raise_if_killed()
            return []
        rows = [row.split(" ") for row in raw.decode("utf-8", "surrogateescape").splitlines()]
        return sorted(((ref, mark) for ref, mark in rows), key=lambda row: (row[0] != self.older, row[0]))

    def top(self) -> tuple[str, str]:
        """The newest entry; nothing where the stack is empty."""
        found = self.entries()
        return found[-1] if found else ("", "")

    def push(self, mark: str) -> None:
        """One more on top; the same once more is no more."""
        ref, newest = self.top()
        if newest == mark:
            return
        number = int(ref.rpartition("/")[2]) + 1 if ref and ref != self.older else 1
        self.side.git("update-ref", f"{self.folder}/{number:0{_DIGITS}}", mark)

    def restore(self, before: Entries) -> None:
        """As it was: entries that came since go, and those that went come back."""
        now = self.entries()
        for ref, mark in before:
            if (ref, mark) not in now:
                self.side.git("update-ref", ref, mark)
        for ref, _ in now:
            if ref not in dict(before):
                self.drop(ref)

    def drop(self, ref: str) -> None:
        """Takes an entry out."""
        self.side.git("update-ref", "-d", ref)

    def _older(self) -> list[str]:
        return [self.older] if self.older else []


class Safety:
    """Both stacks of one work tree."""

    def __init__(self, side: Side, name: str) -> None:
        self.undo = Stack(side, "undo", name, f"refs/safety/{name}")
        self.redo = Stack(side, "redo", name)

    def entries(self) -> Waiting:
        """What waits for an undo and for a redo."""
        return self.undo.entries(), self.redo.entries()

    def restore(self, before: Waiting) -> None:
        """Both as they were: what was begun was taken back whole."""
        self.undo.restore(before[0])
        self.redo.restore(before[1])

    def rewinding(self, mark: str, needless: Collection[str]) -> None:
        """Keeps what is there before a rewind. `needless` marks can be gone to anyhow: those need not wait any more."""
        for ref, waiting in self.redo.entries():
            if waiting not in needless:
                self.undo.push(waiting)
            self.redo.drop(ref)
        self.undo.push(mark)
