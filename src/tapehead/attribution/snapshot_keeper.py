"""The work tree of a session: recorded when a turn begins and when it ends, so that it is known whose lines are whose.

When is soon enough? A turn's beginning is recorded by the worker that the prompt's hook starts, some tens of milliseconds after
it; no model answers as fast. A turn's end is recorded by the worker of its end: what a user types in that moment is taken for
the agent's. What a user types during the turn is told by the agent's own tool calls (`evidence`). A beginning that is recorded late says so, and what changed before it counts as the agent's.
"""

from __future__ import annotations

import os
from itertools import takewhile
from typing import TYPE_CHECKING

import attrs

from tapehead.attribution.earlier_tree import as_of
from tapehead.attribution.evidence import gather, load
from tapehead.attribution.known_lines import never
from tapehead.attribution.last_work import is_late, worked_until
from tapehead.attribution.snapshots import END, START, Chain, Known, Mark
from tapehead.git import layout as git_layout
from tapehead.git.reflog import head_at
from tapehead.git.run import GitFailed
from tapehead.git.side import Side
from tapehead.git.trees import Busy, Trees
from tapehead.statemachine.vocabulary import Event
from tapehead.store import tape
from tapehead.store.line import readable
from tapehead.store.paths import place_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tapehead.attribution.evidence import Evidence
    from tapehead.git.trees import Recorded
    from tapehead.store.line import Line
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

FIRST_SEEN = "first_seen"
"""In the data of a turn's beginning: the repository was found after it."""
_LATE = 5.0
"""Seconds after a prompt within which no agent has changed a file."""
_FILES = 200
_TAPE_LOOKED_AT = 64 * 1024
_OVER = frozenset({Event.TURN_END, Event.TURN_FAILED})
"""These prove that an agent was at work until now, also where nobody heard it begin."""


class WorkTree:
    """One session's work tree, with the chain of its marks."""

    def __init__(self, layout: Layout, state: State, repository: git_layout.Repository) -> None:
        self.repository = repository
        self.side = Side(layout.lines, repository.common_dir)
        name = place_name(state.worktree_id)
        self.trees = Trees(repository, self.side, name)
        self.chain = Chain(self.side, name, repository.git_dir)


def work_tree(layout: Layout, state: State) -> WorkTree | None:
    """The session's own; None outside of git, and in a bare repository."""
    repository = git_layout.find(state.worktree_path) if state.worktree_path else None
    return WorkTree(layout, state, repository) if repository and repository.worktree else None


class LineMarker:
    """Puts the marks."""

    def __init__(self, layout: Layout, clock_ns: Callable[[], int]) -> None:
        self.layout = layout
        self.clock_ns = clock_ns

    def begin(self, state: State, line: Line) -> dict[str, Any] | None:
        """A turn begins: what the human changed since the last one ended is the human's."""
        tree = work_tree(self.layout, state)
        if tree is None:
            return None
        late = line.data.get("late") is True or self.clock_ns() / 1e9 - line.at.timestamp() > _LATE
        seen = self._close_interrupted(tree, state, line)
        others = gather(self.layout, state, seen, tree.repository.worktree, self.clock_ns()) if seen.open else None
        late = late and line.data.get(FIRST_SEEN) is not True
        known = self._put(tree, state, line, START, late=late or self._worked_between(state, line), evidence=others)
        return {**_told(known), **_counts(known, state), "late": late}

    def _close_interrupted(self, tree: WorkTree, state: State, line: Line) -> Known:
        """The turns that are open in the newest mark though their agent was interrupted, or died, are ended: this one's and others'."""
        seen = tree.chain.tip()
        for session, turn in seen.open.items():
            whose = state if session == state.session_id else load(self.layout, session)
            if whose and worked_until(whose, seen) is not None:
                root = tree.repository.worktree
                told = gather(self.layout, whose, seen, root, self.clock_ns())
                seen = self._put(tree, whose, line, END, turn=turn, is_late=is_late(whose, seen, root), evidence=told)
        return seen

    def _worked_between(self, state: State, line: Line) -> bool:
        """Whether a subagent of the session ran since its last turn ended: then what changed meanwhile is not the human's."""
        lines = readable(tape.tail(self.layout.tape(state.session_id), _TAPE_LOOKED_AT))
        earlier = list(takewhile(lambda one: one.id != line.id, lines))
        for one in reversed(earlier):
            if one.event in _OVER:
                return bool(one.texts("subagents"))
            if one.note == "subagent_stop" and one.text("agent_type"):
                return True
        return False

    def end(self, state: State, line: Line) -> dict[str, Any] | None:
        """A turn ends. What goes wrong is told and keeps nothing else from being done."""
        tree = work_tree(self.layout, state)
        if tree is None:
            return None
        try:
            seen = tree.chain.tip()
            if line.event not in _OVER and state.session_id not in seen.open:
                return None  # nothing was under way, and what changed since is the human's
            gone = line.event is Event.PROCESS_LOST
            ended = is_late(state, seen, tree.repository.worktree, is_gone=gone) if line.event not in _OVER else never
            evidence = gather(self.layout, state, seen, tree.repository.worktree, self.clock_ns())
            known = self._put(tree, state, line, END, is_late=ended, evidence=evidence)
        except (GitFailed, Busy, OSError) as error:
            return {"mark_failed": f"{type(error).__name__}: {error}"[:300]}
        alone = not set(known.open) - {state.session_id}
        uncommitted = [os.fsdecode(path) for path in known.changed if path in known.tally]
        changed = [os.path.join(tree.repository.worktree, path) for path in uncommitted[:_FILES]]
        return {**_told(known), "changed": changed if alone else []}

    def _put(  # noqa: PLR0913 - all that a mark is
        self,
        tree: WorkTree,
        state: State,
        line: Line,
        kind: str,
        *,
        late: bool = False,
        turn: int | None = None,
        is_late: Callable[[bytes], bool] = never,
        evidence: Evidence | None = None,
    ) -> Known:
        turn = state.turn_number if turn is None else turn
        mark = Mark(kind, state.session_id, turn, line.id, int(line.at.timestamp()), late)
        try:
            recorded = self._record(tree, line, at_prompt=kind == START and not late)
        except GitFailed as error:
            if error.code >= 0:
                raise
            recorded = self._record(tree, line, at_prompt=kind == START and not late)  # somebody killed git: ask again
        return tree.chain.put(mark, recorded, is_late=is_late, evidence=evidence)

    def _record(self, tree: WorkTree, line: Line, *, at_prompt: bool) -> Recorded:
        recorded = tree.trees.record()
        return self._at_prompt(tree, line, recorded) if at_prompt else recorded

    @staticmethod
    def _at_prompt(tree: WorkTree, line: Line, recorded: Recorded) -> Recorded:
        """As it was when the prompt came: an agent may write before anybody looks, and a repository may be found only after the turn."""
        seen, moment = tree.chain.tip(), int(line.at.timestamp() * 1e9)
        if line.data.get(FIRST_SEEN) is True:
            head = head_at(tree.repository.git_dir, line.at.timestamp())
            recorded = attrs.evolve(recorded, head=recorded.head if head is None else head)
        older = seen.work if seen.mark and seen.head == recorded.head else recorded.head
        return as_of(tree.chain, tree.trees, recorded, older, moment)


def _told(known: Known) -> dict[str, Any]:
    named = {word: known.made[word] for word in ("skipped", "too_large") if known.made.get(word)}
    return {"mark": known.mark, "tree": known.work, **named}


def _counts(known: Known, state: State) -> dict[str, Any]:
    """Whose lines changed and are not committed; the agent's that are committed come from the session's own count."""
    sums = [sum(counts[column] for counts in known.tally.values()) for column in range(4)]
    names = ("agent_files", "agent_files_removed", "user_files", "user_files_removed")
    return {
        "agent_added": sums[0] + state.agent_lines_checkpointed,
        "agent_removed": sums[1],
        "user_added": sums[2],
        "user_removed": sums[3],
        **{name: _per_file(known, column) for column, name in enumerate(names)},
    }


def _per_file(known: Known, column: int) -> dict[str, int]:
    found = {os.fsdecode(path): counts[column] for path, counts in known.tally.items() if counts[column]}
    return dict(sorted(found.items())[:_FILES])
