"""What was said and done, whichever agent did it: a turn is what a user asked and everything that came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.transcript.usage import NOTHING_USED, Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

HUMAN = "human"
AGENT = "agent"
THINKING = "thinking"
SUMMARY = "summary"
"""The agent's own account of what it dropped at a compaction."""
INTERRUPTED = "interrupted"
"""The user stopped the agent here; the words, if any, are the host's."""
GIVEN = "given"
"""The text of a command or a skill that the user called: what it says is asked for, and nobody said it. Only what is read for a work record has it."""
SPEAKERS = (HUMAN, AGENT, THINKING, SUMMARY, INTERRUPTED)

EDIT = "edit"
WRITE = "write"
READ = "read"
RUN = "run"
SEARCH = "search"
TODOS = "todos"
"""The agent's whole task list at once: `pairs` are (text, status)."""
TASK_ADD = "task_add"
TASK_SET = "task_set"
TASK_LIST = "task_list"
DELEGATE = "delegate"
PLAN = "plan"
QUESTION = "question"
"""The agent asked the user; the result holds the user's own words."""
OTHER = "other"
KINDS = (EDIT, WRITE, READ, RUN, SEARCH, TODOS, TASK_ADD, TASK_SET, TASK_LIST, DELEGATE, PLAN, QUESTION, OTHER)


class Said(NamedTuple):
    """Words, and whose."""

    who: str
    text: str
    queued: bool = False
    """Typed while the agent was at work: some hosts record such words nowhere else."""


class Call(NamedTuple):
    """A tool that the agent used. What a field holds depends on the kind; what a tool does not have is empty."""

    id: str
    tool: str
    """The agent's own name for the tool."""
    kind: str
    path: str = ""
    text: str = ""
    """The command, the pattern, the new content, the plan, the task's subject: what the call is about."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Edits as (old, new), task lists as (text, status), questions with options as (question, label of an option)."""
    note: str = ""
    background: bool = False
    arguments: dict[str, Any] = {}  # noqa: RUF012  never changed: the same empty one serves all
    """The call as it was made, in the agent's own words: shown as it is, looked into only by that agent's reader."""


class Result(NamedTuple):
    """What a tool said. `text` is empty where a reader left it out, as too old or because nobody wants it, and `left_out` says how much."""

    id: str
    text: str
    failed: bool = False
    before: str = ""
    """The whole file as it was before an edit, where the agent tells."""
    left_out: int = 0
    task: str = ""
    """The agent's name for work that this result only says was started: it goes on beside the session."""
    time: str = ""
    """When it was started, for such work."""
    refused: bool = False
    """The agent's record says, in a field that no tool can write, that the user refused the call."""


class Boundary(NamedTuple):
    """The agent dropped context here: all of it for a summary, or only old tool results (`partial`)."""

    trigger: str
    tokens: int = 0
    partial: bool = False
    time: str = ""


Step = Said | Call | Result | Boundary


class Measure(NamedTuple):
    """How full the window was at one answer of the model."""

    step: int
    """How many steps of the turn came before it, its own included."""
    time: str
    context: int


class Turn(NamedTuple):
    """A user's words and all that followed until the next ones. A subagent's turns carry its id and stand apart."""

    number: int
    steps: tuple[Step, ...]
    began: str = ""
    ended: str = ""
    session: str = ""
    subagent: str = ""
    usage: Usage = NOTHING_USED
    branch: str = ""
    cwd: str = ""
    goes_on: bool = False
    """More of the turn before it: a reader that must not hold a long turn whole hands it over in parts."""
    drops: int = 0
    """How many turns right before it are no longer in the conversation: the user cancelled them, or went back to before them."""
    drops_since: str = ""
    """When the first of those began."""
    measures: tuple[Measure, ...] = ()
    """How full the window was at each answer, where the reader tells; `usage` has the last of them."""

    def words(self, who: str) -> Iterator[str]:
        """Give what one speaker said in this turn."""
        return (step.text for step in self.steps if isinstance(step, Said) and step.who == who)

    @property
    def human(self) -> tuple[str, ...]:
        """The user's own words, queued ones included."""
        return tuple(self.words(HUMAN))

    @property
    def agent(self) -> tuple[str, ...]:
        """What the agent said to the user."""
        return tuple(self.words(AGENT))

    @property
    def calls(self) -> tuple[Call, ...]:
        """The tools that were used."""
        return tuple(step for step in self.steps if isinstance(step, Call))

    @property
    def results(self) -> tuple[Result, ...]:
        """What the tools said."""
        return tuple(step for step in self.steps if isinstance(step, Result))

    @property
    def boundaries(self) -> tuple[Boundary, ...]:
        """Where the agent dropped context."""
        return tuple(step for step in self.steps if isinstance(step, Boundary))


def begins_with_words(turn: Turn) -> bool:
    """Whether the user's words begin it, so that it has a number of its own: what stands before the first prompt has none."""
    first = turn.steps[0] if turn.steps else None
    return isinstance(first, Said) and first.who == HUMAN and not first.queued and not turn.goes_on


def number_turns(own: Iterable[Turn]) -> Iterator[tuple[int, Turn]]:
    """Give the turns with their numbers, as every command tells them: counted by the prompts that begin them."""
    number = 0
    for turn in own:
        number += begins_with_words(turn)
        yield number, turn


def living(own: Sequence[tuple[int, Turn]]) -> tuple[list[tuple[int, Turn]], int | None]:
    """Give the numbered turns that are still in the conversation; and the number from which on those before them are not, if any."""
    found: list[tuple[int, Turn]] = []
    earlier: int | None = None
    for number, turn in own:
        if turn.drops:
            since = number - turn.drops
            found = [one for one in found if one[0] < since]
            if since <= own[0][0]:
                earlier = since if earlier is None else min(earlier, since)
        found.append((number, turn))
    return found, earlier


class Reading(NamedTuple):
    """What a reader found in a file, and where it stopped."""

    turns: tuple[Turn, ...]
    offset: int
    """The byte after the last whole line: where the next reading begins."""


def join_readings(former: Reading, reading: Reading) -> Reading:
    """Two readings, one of which goes on where the other stopped; a turn that was cut is one turn."""
    rest = reading.turns
    if former.turns and rest and not _asks(rest[0]):
        rest = (rest[0]._replace(goes_on=True), *rest[1:])
    return Reading((*former.turns, *rest), reading.offset)


def _asks(turn: Turn) -> bool:
    """Whether a user's words begin it."""
    return any(isinstance(step, Said) and step.who == HUMAN and not step.queued for step in turn.steps)
