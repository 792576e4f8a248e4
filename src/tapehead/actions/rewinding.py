"""`rewind`: the files as they were after a turn. What lies there now is kept first, and `--undo` brings it back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tapehead.actions.asked_for import prompts_of
from tapehead.actions.work_trees import work_tree
from tapehead.git.marks import END, LOOK, REWOUND, START, Known, Mark
from tapehead.git.putting_back import Plan, planned, put_back
from tapehead.git.safety import Safety

if TYPE_CHECKING:
    from tapehead.actions.work_trees import WorkTree
    from tapehead.git.safety import Stack
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_MARKS = 400
_NOBODYS = (0, 0, 0, 0)


class TurnMade(NamedTuple):
    """A turn that can be gone back to: the files as it left them."""

    turn: int
    at: int
    mark: str
    files: tuple[str, ...]
    """That it changed."""
    work: str
    """The tree that it left."""
    prompt: str = ""


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
        self.safety = Safety(tree.side, tree.chain.ref.rpartition("/")[2])

    def turns(self) -> list[TurnMade]:
        """Oldest first; turn 0 is what was there before the first."""
        found: dict[int, TurnMade] = {}
        asked_for = prompts_of(self.layout, self.state.session_id)
        for name, asked in reversed(self.tree.chain.newest(_MARKS)):
            kind = asked.rpartition(" ")[2]
            if kind not in (START, END):
                continue
            known = self.tree.chain.known(name)
            if known.made.get("session") != self.state.session_id:
                continue
            turn, at = known.made["turn"], known.made["at"]
            if kind == END:
                files = tuple(map(os.fsdecode, known.changed))
                found[turn] = TurnMade(turn, at, name, files, known.work, asked_for.get(turn, ""))
            elif not found:
                found[turn - 1] = TurnMade(turn - 1, at, name, (), known.work)
        return [found[turn] for turn in sorted(found)]

    def now(self) -> str:
        """The tree that lies there."""
        return self.tree.trees.record().tree

    def to(self, mark: str, line: str, at: int, *, force: bool) -> Plan:
        """Puts the files back to a mark's. Raises Refused; nothing is touched then."""
        target = self.tree.chain.known(mark)
        now = self._seen(line, at)
        spared = frozenset(self.state.untracked_files_at_start or ())
        plan = planned(self.tree.side, self.tree.repository.worktree, now.work, target.work, spared)
        self._refuse(now, target, plan, force=force)
        if plan.files:
            self.safety.rewinding(now.mark, self._needless())
            self._done(target, plan, line, at)
        return plan

    def undo(self, line: str, at: int, *, force: bool) -> Plan | None:
        """Goes back to what lay there before the last rewind; None where there was none."""
        return self._step(self.safety.undo, self.safety.redo, line, at, force=force)

    def redo(self, line: str, at: int, *, force: bool) -> Plan | None:
        """Goes back to what lay there before the last undo; None where there was none."""
        return self._step(self.safety.redo, self.safety.undo, line, at, force=force)

    def _step(self, taken: Stack, given: Stack, line: str, at: int, *, force: bool) -> Plan | None:
        ref, mark = taken.top()
        if not ref:
            return None
        target = self.tree.chain.known(mark)
        now = self._seen(line, at)
        plan = planned(self.tree.side, self.tree.repository.worktree, now.work, target.work)
        self._refuse(now, self._last_put_back(), plan, force=force)
        if plan.files:
            given.push(now.mark)
            self._done(target, plan, line, at)
        taken.drop(ref)  # last: what was cut short before it is undone once more, and that changes nothing
        return plan

    def _seen(self, line: str, at: int) -> Known:
        return self.tree.chain.put(Mark(LOOK, "", 0, line, at), self.tree.trees.record())

    def _refuse(self, now: Known, known: Known, plan: Plan, *, force: bool) -> None:
        """What the human did, and `known` does not have, is lost by nobody's mistake."""
        if force or not plan.files:
            return
        if now.open:
            raise Refused("an agent is at work here")
        theirs = [
            path
            for path in plan.files
            if now.tally.get(path, _NOBODYS)[2:] != (0, 0) and now.tally.get(path) != known.tally.get(path)
        ]
        if theirs:
            raise Refused("changes of your own that are not committed would go", tuple(map(os.fsdecode, theirs)))

    def _last_put_back(self) -> Known:
        """The work tree as the last rewind, undo or redo left it: what is different since is news."""
        newest = self.tree.chain.newest(_MARKS)
        name = next((name for name, asked in newest if asked.rpartition(" ")[2] == REWOUND), "")
        return self.tree.chain.known(name) if name else Known()

    def _needless(self) -> set[str]:
        """What waits for a redo and is nothing but what some turn left."""
        waiting = [mark for _, mark in self.safety.redo.entries()]
        left = {made.work for made in self.turns()} if waiting else set()
        return {mark for mark in waiting if self.tree.chain.known(mark).work in left}

    def _done(self, target: Known, plan: Plan, line: str, at: int) -> None:
        """After the safety: whatever breaks now can be undone."""
        put_back(self.tree.repository, self.tree.side, target.work, plan)
        self.tree.chain.put_back(Mark(REWOUND, "", 0, line, at), self.tree.trees.record(), target)


def rewind_of(layout: Layout, state: State) -> Rewind | None:
    """For a session in a work tree; None outside of git."""
    tree = work_tree(layout, state)
    if tree is None:
        return None
    tree.side.ready()
    return Rewind(layout, state, tree)
