"""The turns of a session laid out in one row, each step with its place: what every part of the work record looks at."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from tapehead.transcript import turns
from tapehead.work_record.files_in_play import names
from tapehead.work_record.statements import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

NEWEST_RESULTS = 120
"""Older results are let go of while reading: a work record of a huge transcript must not hold it."""
NEWEST_CALLS, LETTERS = 120, 400_000
"""Older calls, or beyond so many letters, are only remembered for what they were about, not as they were made."""
NEWEST_DOCUMENTS, OF_A_DOCUMENT, DOCUMENTS = 40, 60_000, (".md", ".mdx", ".rst", ".txt")
"""How many changes of documents are held whole, up to so many letters each: decisions stand in them."""
NEWEST_WORDS = 200
"""Of the agent's older messages, the last words are kept."""
SENTENCES_OF = NEWEST_WORDS
"""How many of the agent's newest messages are taken apart into sentences that tell something."""


class Place:
    """Where a step stands."""

    __slots__ = ("at", "time", "turn")

    def __init__(self, at: int, turn: int, time: str) -> None:
        self.at = at
        self.turn = turn
        self.time = time


class Act:
    """A call with what came of it."""

    __slots__ = ("call", "faded", "place", "result", "results", "since", "task")

    def __init__(self, call: turns.Call, place: Place) -> None:
        self.call = call
        self.place = place
        self.result: turns.Result | None = None
        self.results = 0
        self.faded: tuple[str, ...] | None = None
        self.task = self.since = ""

    @property
    def letters(self) -> int:
        """How much was written or changed."""
        return len(self.call.text) + sum(len(old) + len(new) for old, new in self.call.pairs)

    def fade(self) -> None:
        """Let go of what was written or changed: what is remembered of it are the names that were worked on."""
        self.faded = tuple(names(self.call, self.result))
        if self.call.kind != turns.TASK_ADD:  # what a task is about is asked for as long as it is open
            self.call = self.call._replace(note="")
        self.call = self.call._replace(arguments=_NONE)
        if self.call.kind in _WRITES:
            self.call = self.call._replace(pairs=(), text="")
        if self.result is not None:
            self.result = self.result._replace(before="")

    @property
    def symbols(self) -> tuple[str, ...]:
        """The functions and classes that were worked on."""
        return tuple(names(self.call, self.result)) if self.faded is None else self.faded

    @property
    def said(self) -> str:
        """What the tool said, as far as it was kept."""
        return self.result.text if self.result else ""

    @property
    def failed(self) -> bool:
        """Whether the tool said that it failed."""
        return self.result is not None and self.result.failed


class Conversation:
    """The session's own steps in file order; subagents stand apart and are only known by the call that started them."""

    def __init__(self, told: Iterable[turns.Turn]) -> None:
        self.human: list[tuple[Place, turns.Said]] = []
        self.agent: list[tuple[Place, str]] = []
        self.acts: list[Act] = []
        self.documents: deque[tuple[Act, turns.Call]] = deque(maxlen=NEWEST_DOCUMENTS)
        self.summary = ""
        self.given: tuple[Place, str, str] | None = None
        self.compactions = self.turns = self.at = 0
        self.session = self.branch = self.cwd = self.began = self.ended = ""
        self._open: dict[str, Act] = {}
        self._held: deque[Act] = deque()
        self._whole: deque[Act] = deque()
        self._letters = 0
        for turn in told:
            if not turn.subagent:
                self._take(turn)
        self.sentences = [(place, statements(text)) for place, text in self.agent[-SENTENCES_OF:]]

    def _take(self, turn: turns.Turn) -> None:
        self.turns += turns.begins_with_words(turn)
        if turn.drops:
            self._drop(self.turns - turn.drops)
        self.session = turn.session or self.session
        self.branch = turn.branch or self.branch
        self.cwd = turn.cwd or self.cwd
        self.began = self.began or turn.began
        self.ended = turn.ended or self.ended
        # One place per turn's step, but the time only as fine as the turn: that is what a pointer needs.
        # Before the first prompt there may be work all the same, and words that were queued: those belong to the first turn.
        number = self.turns or int(bool(turn.human))
        for step in turn.steps:
            self.at += 1
            _STEP[type(step)](self, step, Place(self.at, number, turn.began))

    def _drop(self, since: int) -> None:
        """Let go of the turns from a number on: the user took them back."""
        self.human = [one for one in self.human if one[0].turn < since]
        self.agent = [one for one in self.agent if one[0].turn < since]
        for act in self.acts:
            if act.place.turn >= since and act.call.kind == turns.TASK_ADD:
                act.call = act.call._replace(text="")  # it is no task any more, and keeps its number
        self.acts = [act for act in self.acts if act.place.turn < since or act.call.kind == turns.TASK_ADD]
        documents = [one for one in self.documents if one[0].place.turn < since]
        self.documents.clear()
        self.documents.extend(documents)

    def _said(self, said: turns.Said, place: Place) -> None:
        if said.who == turns.AGENT:
            self.agent.append((place, said.text))
            if len(self.agent) > NEWEST_WORDS:
                place, text = self.agent[-NEWEST_WORDS - 1]
                self.agent[-NEWEST_WORDS - 1] = (place, text[-_A_LINE:])  # the last words are what a user answers
        elif said.who == turns.HUMAN:
            self.human.append((place, said))
        elif said.who == turns.GIVEN and self.human:
            name = self.human[-1][1].text.partition(" ")[0]
            self.given = (place, name, said.text[:_OF_A_COMMAND])
        elif said.who == turns.SUMMARY:
            self.summary = said.text
            self.compactions += 1

    def _call(self, call: turns.Call, place: Place) -> None:
        act = Act(call, place)
        self.acts.append(act)
        self._open[call.id] = act
        self._whole.append(act)
        self._letters += act.letters
        if call.kind in _WRITES and call.path.endswith(DOCUMENTS) and act.letters <= OF_A_DOCUMENT:
            self.documents.append((act, call))
        while len(self._whole) > NEWEST_CALLS or (self._letters > LETTERS and len(self._whole) > 1):
            old = self._whole.popleft()
            self._letters -= old.letters
            old.fade()

    def _result(self, result: turns.Result, _place: Place) -> None:
        act = self._open.get(result.id)
        if act is None:
            return
        act.result = _shortened(result, act.call.id)
        act.results += 1
        if result.task:
            act.task, act.since = result.task, result.time
        if act.call.kind in _REPEATED:
            _let_go(act)
            return
        self._held.append(act)
        if len(self._held) > NEWEST_RESULTS:
            _let_go(self._held.popleft())

    def _boundary(self, _boundary: turns.Boundary, _place: Place) -> None:
        """Nothing: a compaction is counted where its summary stands, which old versions have too."""


def _shortened(result: turns.Result, ident: str) -> turns.Result:
    """A result without the middle of a long text, under the id that is held already."""
    over = len(result.text) - _BEGINNING - _END
    if over <= 0:
        return result._replace(id=ident)
    text = f"{result.text[:_BEGINNING]}\n…\n{result.text[-_END:]}"
    return result._replace(id=ident, text=text, left_out=over)


def _let_go(act: Act) -> None:
    if act.result is not None and not act.result.failed and len(act.result.text) > _A_LINE:
        act.result = act.result._replace(text=act.result.text[-_A_LINE:], left_out=len(act.result.text) - _A_LINE)


_A_LINE = 300
_OF_A_COMMAND = 12_000
_BEGINNING, _END = 6_000, 2_000
_NONE: dict[str, Any] = {}
_WRITES = (turns.EDIT, turns.WRITE)
_REPEATED = (turns.TODOS, turns.TASK_ADD, turns.TASK_SET, turns.EDIT, turns.WRITE, turns.PLAN)
"""What these say when all went well is what they were given."""

_STEP: dict[type, Callable[[Conversation, Any, Place], None]] = {
    turns.Said: Conversation._said,  # noqa: SLF001  the table of this class
    turns.Call: Conversation._call,  # noqa: SLF001  as above
    turns.Result: Conversation._result,  # noqa: SLF001  as above
    turns.Boundary: Conversation._boundary,  # noqa: SLF001  as above
}
