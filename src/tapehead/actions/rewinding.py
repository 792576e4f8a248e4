"""`rewind`: the files as they were after a turn. What lies there now is kept first, and `--undo` brings it back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead.actions.work_trees import work_tree
from tapehead.git.marks import END, LOOK, REWOUND, START, Known, Mark
from tapehead.git.putting_back import Plan, planned, put_back

if TYPE_CHECKING:
    from tapehead.actions.work_trees import WorkTree
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_MARKS = 400


class TurnMade(NamedTuple):
    """A turn that can be gone back to: the files as it left them."""

    turn: int
    at: int
    mark: str
    files: tuple[str, ...]
    """That it changed."""


class Refused(Exception):
    """Something would be lost without a word."""

    def __init__(self, reason: str, files: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.files = files


class Rewind:
    """One session's work tree, back and forth."""

    def __init__(self, layout: Layout, state: State, tree: WorkTree) -> None:
        self.layout = layout
        self.state = state
        self.tree = tree
        self.safety = tree.chain.ref.rpartition("/")[2]

    def turns(self) -> list[TurnMade]:
        """Oldest first; turn 0 is what was there before the first."""
        found: dict[int, TurnMade] = {}
        for name, asked in reversed(self.tree.chain.newest(_MARKS)):
            kind = asked.rpartition(" ")[2]
            if kind not in (START, END):
                continue
            known = self.tree.chain.known(name)
            if known.made.get("session") != self.state.session_id:
                continue
            turn = known.made["turn"]
            if kind == END:
                found[turn] = TurnMade(turn, known.made["at"], name, tuple(map(os.fsdecode, known.changed)))
            elif not found:
                found[turn - 1] = TurnMade(turn - 1, known.made["at"], name, ())
        return [found[turn] for turn in sorted(found)]

    def to(self, mark: str, line: str, at: int, *, force: bool) -> Plan:
        """Puts the files back to a mark's. Raises Refused; nothing is touched then."""
        target = self.tree.chain.known(mark)
        now = self.tree.chain.put(Mark(LOOK, "", 0, line, at), self.tree.trees.record())
        plan = planned(self.tree.side, now.work, target.work, frozenset(self.state.untracked_files_at_start or ()))
        if now.open and not force:
            raise Refused("an agent is at work here")
        lost = tuple(os.fsdecode(path) for path in plan.files if now.tally.get(path, (0, 0, 0, 0))[2:] != (0, 0))
        theirs = tuple(name for name in lost if target.tally.get(os.fsencode(name)) != now.tally.get(os.fsencode(name)))
        if theirs and not force:
            raise Refused("changes of your own that are not committed would go", theirs)
        self._done(now, target, plan, line, at)
        return plan

    def undo(self, line: str, at: int) -> Plan | None:
        """Goes back to what lay there before the last rewind; None where there was none."""
        kept = self.tree.chain.kept(self.safety)
        if not kept:
            return None
        target = self.tree.chain.known(kept)
        now = self.tree.chain.put(Mark(LOOK, "", 0, line, at), self.tree.trees.record())
        plan = planned(self.tree.side, now.work, target.work, frozenset())
        self._done(now, target, plan, line, at)
        return plan

    def _done(self, now: Known, target: Known, plan: Plan, line: str, at: int) -> None:
        """The safety first: whatever breaks after it can be undone."""
        self.tree.chain.keep(self.safety, now.mark)
        put_back(self.tree.repository, self.tree.side, target.work, plan)
        self.tree.chain.put_back(Mark(REWOUND, "", 0, line, at), self.tree.trees.record(), target)


def rewind_of(layout: Layout, state: State) -> Rewind | None:
    """For a session in a work tree; None outside of git."""
    tree = work_tree(layout, state)
    if tree is None:
        return None
    tree.side.ready()
    return Rewind(layout, state, tree)
