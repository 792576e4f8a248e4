"""`rewind`: the files as they were after a turn. What lies there now is kept first, and `--undo` brings it back."""

from __future__ import annotations

import os
from collections import Counter
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from tapehead.attribution.snapshot_keeper import work_tree
from tapehead.attribution.snapshots import END, LOOK, REWOUND, START, Known, Mark
from tapehead.git import raw_files
from tapehead.history.turn_numbers import turn_numbers
from tapehead.rewind import plan as plans
from tapehead.rewind.file_writer import Impossible, Plan, keep, put_back
from tapehead.rewind.undo_stack import Safety
from tapehead.store import atomic

if TYPE_CHECKING:
    from tapehead.attribution.snapshot_keeper import WorkTree
    from tapehead.git.raw_files import Reals
    from tapehead.git.trees import Recorded
    from tapehead.rewind.undo_stack import Stack, Waiting
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

_MARKS = 400
JOURNAL = ".rewinding"
"""How the file is called that is there while files are put back, after the name of the worktree."""
_NOBODYS = (0, 0, 0, 0)


class TurnMade(NamedTuple):
    """A turn that can be gone back to: the files as it left them."""

    turn: int
    """As every command numbers it: see turn_numbers.py."""
    at: int
    mark: str
    files: tuple[str, ...]
    """That it changed."""
    work: str
    """The snapshot that it left."""
    prompt: str = ""
    tape: int = 0
    """As the tape counts it."""
    name: str = ""
    """What it is asked for by: its number, and a letter where the agent stopped more than once in it."""


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
        found: list[TurnMade] = []
        numbers = turn_numbers(self.layout, self.state.session_id)
        for name, asked in reversed(self.tree.chain.newest(_MARKS)):
            kind = asked.rpartition(" ")[2]
            if kind not in (START, END):
                continue
            known = self.tree.chain.known(name)
            if known.made.get("session") != self.state.session_id:
                continue
            turn, at = known.made["turn"], known.made["at"]
            if kind == END:
                number = numbers.ended(turn, str(known.made.get("line", "")))
                files = tuple(map(os.fsdecode, known.changed))
                made = TurnMade(number, at, name, files, _snapshot(known), numbers.asked(number))
                found = [*(one for one in found if one.tape != turn or one.turn != number), made._replace(tape=turn)]
            elif not found:
                found.append(TurnMade(numbers.of(turn) - 1, at, name, (), _snapshot(known), tape=turn - 1))
        return _named(found)

    def now(self) -> str:
        """The snapshot that lies there."""
        recorded = self.tree.trees.record()
        return f"{recorded.tree} {recorded.raw}"

    def to(self, mark: str, line: str, at: int, *, force: bool) -> Plan:
        """Puts the files back to a mark's. Raises Refused or Impossible; nothing is touched then."""
        return self.to_known(self.tree.chain.known(mark), line, at, force=force)

    def to_known(self, target: Known, line: str, at: int, *, force: bool) -> Plan:
        """Puts the files back to what is known of a moment. As above."""
        recorded = self.tree.trees.record()
        spared = frozenset(map(os.fsencode, self.state.untracked_files_at_start or ()))
        plan = plans.to_snapshot(self.tree.side, self._root, recorded, target, spared)
        now, before = self._seen(plan, recorded, line, at)
        self._refuse(now, target, plan, recorded, force=force)
        if plan.files:
            waiting = self.safety.entries()
            self.safety.rewinding(now.mark, self._needless())
            self._done(target, plan, before, line, at, waiting)
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
        recorded = self.tree.trees.record()
        if target.kept:
            plan = plans.to_kept(self.tree.side, self._root, target.kept)
        else:  # a former version's
            plan = plans.to_snapshot(self.tree.side, self._root, recorded, target)
        now, before = self._seen(plan, recorded, line, at)
        self._refuse(now, self._last_put_back(), plan, recorded, force=force)
        if plan.files:
            waiting = self.safety.entries()
            if self._cut_short() != ref:  # half of this very step: what lay there before it waits already
                given.push(now.mark)
            self._done(target, plan, before, line, at, waiting, ref)
        taken.drop(ref)  # last: what was cut short before it is undone once more, and that changes nothing
        return plan

    @property
    def _root(self) -> str:
        return self.tree.repository.worktree

    @property
    def _journal(self) -> str:
        return journal(self.layout, self.tree)

    def _cut_short(self) -> str:
        """The entry of the step that was begun and not ended; nothing where none was."""
        try:
            return atomic.read(self._journal).decode("utf-8", "replace")
        except OSError:
            return ""

    def _seen(self, plan: Plan, recorded: Recorded, line: str, at: int) -> tuple[Known, Reals]:
        """What is there, with an exact copy of all that the plan would touch."""
        before = keep(self.tree.side, self._root, plan)
        kept = raw_files.write(os.path.join(self.tree.side.path, "objects"), recorded.tree, before)
        return self.tree.chain.put(Mark(LOOK, "", 0, line, at), recorded, kept), before

    def _refuse(self, now: Known, known: Known, plan: Plan, recorded: Recorded, *, force: bool) -> None:
        """What the human did, and `known` does not have, is lost by nobody's mistake."""
        if force or not plan.files:
            return
        if now.open:
            raise Refused("an agent is at work here")
        theirs = [
            path
            for path in plan.files
            if path in recorded.flagged
            or (now.tally.get(path, _NOBODYS)[2:] != (0, 0) and now.tally.get(path) != known.tally.get(path))
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
        return {mark for mark in waiting if _snapshot(self.tree.chain.known(mark)) in left}

    def _done(  # noqa: PLR0913, PLR0917 - as it was asked
        self, target: Known, plan: Plan, before: Reals, line: str, at: int, waiting: Waiting, step: str = "to"
    ) -> None:
        """After the safety: whatever breaks now can be undone. What was taken back whole leaves no step behind."""
        atomic.write(self._journal, step.encode())
        try:
            put_back(self.tree.side, self._root, plan, before)
        except (OSError, Impossible):
            atomic.remove(self._journal)
            if all(plans.is_so(os.fsencode(self._root), path, one) for path, one in before.items()):
                self.safety.restore(waiting)
            raise
        self.tree.chain.put_back(Mark(REWOUND, "", 0, line, at), self.tree.trees.record(), target)
        atomic.remove(self._journal)


def journal(layout: Layout, tree: WorkTree) -> str:
    """The file that is there while files are put back."""
    return os.path.join(layout.lines, tree.chain.ref.rpartition("/")[2] + JOURNAL)


def _snapshot(known: Known) -> str:
    return f"{known.work} {known.raw}"


def rewind_of(layout: Layout, state: State) -> Rewind | None:
    """For a session in a work tree; None outside of git."""
    tree = work_tree(layout, state)
    if tree is None:
        return None
    tree.side.ready()
    return Rewind(layout, state, tree)


def _named(turns: list[TurnMade]) -> list[TurnMade]:
    """Each by its number; where several have the same one, with a letter behind it."""
    times = Counter(made.turn for made in turns)
    letters = {turn: iter(ascii_lowercase) for turn, count in times.items() if count > 1}
    return [made._replace(name=f"{made.turn}{next(letters.get(made.turn, iter(())), '')}") for made in turns]
