"""The calls of new turns, sorted by what the notes want of them: each file and each command once, the last touched last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.notes.knowledge import EDITED, MOST, READ, WRITTEN
from tapehead.transcript import turns
from tapehead.work_record.commands import purpose
from tapehead.work_record.files_in_play import names
from tapehead.work_record.outcomes import outcome_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tapehead.work_record.step_row import Act

_VERBS = {turns.EDIT: EDITED, turns.WRITE: WRITTEN, turns.READ: READ}
_EDITS = 3
_A_COMMAND = 300
_AN_OUTCOME = 1_000
"""Characters of an output in which its outcome is looked for."""


class Touched:
    """One file: how often what was done to it, and by which edits."""

    __slots__ = ("edits", "times", "turn")

    def __init__(self) -> None:
        self.times = [0, 0, 0]
        self.turn = 0
        self.edits: list[Act] = []

    @property
    def symbols(self) -> list[str]:
        """The functions of its newest edits; where those define none, the one that the last edit stands in."""
        if not self.edits:
            return []
        named = dict.fromkeys(name for act in reversed(self.edits[-_EDITS:]) for name in names(act.call, None))
        return list(named or dict.fromkeys(self.edits[-1].symbols))


class Sorted:
    """All of them."""

    def __init__(self, acts: Iterable[Act]) -> None:
        self.files: dict[str, Touched] = {}
        self.runs: dict[str, list[Act]] = {}
        self.tasks: list[Act] = []
        self.lists: dict[int, Act] = {}
        """The agent's task list is given whole each time: the last of each turn counts, of the newest turns."""
        for act in acts:
            if (take := _TAKE.get(act.call.kind)) is not None:
                take(self, act)

    def ends(self) -> list[tuple[str, str, Act, int]]:
        """Each command with what it is for, its last run, and how often it ran."""
        return [(text, purpose(text), acts[-1], len(acts)) for text, acts in self.runs.items()]

    def _touched(self, act: Act) -> None:
        path = act.call.path
        if path and not act.failed:
            file = self.files.pop(path, None) or Touched()
            self.files[path] = file
            file.times[_VERBS[act.call.kind]] += 1
            file.turn = act.place.turn
            if act.call.kind != turns.READ:
                file.edits.append(act)

    def _ran(self, act: Act) -> None:
        text = act.call.text.strip()
        if text and len(text) <= _A_COMMAND:
            self.runs[text] = [*self.runs.pop(text, ()), act]

    def _listed(self, act: Act) -> None:
        self.lists.pop(act.place.turn, None)
        self.lists[act.place.turn] = act
        if len(self.lists) > MOST["lists"]:
            del self.lists[next(iter(self.lists))]

    def _task(self, act: Act) -> None:
        self.tasks.append(act)


def looks_at_result(call: turns.Call) -> bool:
    """Whether the notes look at what came of a call that went well."""
    return call.kind not in _TAKEN_AS_DONE and (call.kind != turns.RUN or purpose(call.text) != "")


_TAKEN_AS_DONE = (turns.READ, turns.WRITE, turns.SEARCH, turns.TODOS, turns.TASK_ADD, turns.TASK_SET)


def said_at_last(act: Act) -> str:
    """How a run ended, in a line."""
    return outcome_of(act.said[-_AN_OUTCOME:], failed=act.failed)


_TAKE: dict[str, Callable[[Sorted, Act], None]] = {
    turns.EDIT: Sorted._touched,  # noqa: SLF001 - the table of this class
    turns.WRITE: Sorted._touched,  # noqa: SLF001 - as above
    turns.READ: Sorted._touched,  # noqa: SLF001 - as above
    turns.RUN: Sorted._ran,  # noqa: SLF001 - as above
    turns.TODOS: Sorted._listed,  # noqa: SLF001 - as above
    turns.TASK_ADD: Sorted._task,  # noqa: SLF001 - as above
    turns.TASK_SET: Sorted._task,  # noqa: SLF001 - as above
    turns.TASK_LIST: Sorted._task,  # noqa: SLF001 - as above
}
