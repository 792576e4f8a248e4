"""Claude Code's transcripts, of all versions so far, as turns.

What the lines look like was found by reading many: one message is several lines (one per block) that repeat its usage;
prompts typed in mid-turn may stand only in `queue-operation`; compactions are a `compact_boundary` and a summary, or in
old versions the summary alone; `progress` and `api-request*` lines repeat whole messages. So: read what is known, and skip the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapehead.agents.claude import glance
from tapehead.agents.claude.blocks import Blocks, Lean
from tapehead.agents.claude.branches import Branches, branches_of
from tapehead.agents.claude.prompts import (
    is_interruption,
    is_old_summary,
    is_typed,
    own_words,
    said_while_refusing,
    skill_called,
    summary_words,
)
from tapehead.agents.claude.result_copies import lean_entry_of
from tapehead.transcript import jsonl, sparing_reader, turns
from tapehead.transcript.entries import UNEXPECTED, count, entry_of, word
from tapehead.transcript.turn_builder import Building
from tapehead.transcript.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

LATELY = 400_000
"""How many of the newest bytes are read whole by `skim`: more than any window of a turn needs."""
_LONG = 3_000
"""A tool's result beyond this is left out by `skim` where it is old."""
A_PART = 16
"""Steps of a turn that `skim` hands over together: an agent may work for hours on one prompt."""
_END = 64 * 1024
_TAIL = 512 * 1024
QUEUE = 100
"""Queued prompts that wait for their place; of more than that, the oldest is told where it stands."""


def read(path: str, offset: int = 0) -> turns.Reading:
    """Read everything from a byte on: `.turns`, and `.offset`, the byte after the last whole line."""
    conversation = Conversation(branches=branches_of(path, offset))
    at = max(0, offset)
    found: list[turns.Turn] = []
    for at, line in jsonl.lines(path, offset):  # noqa: B007  where it stopped is part of the answer
        if not glance.repeats(line) and (turn := conversation.take(entry_of(line))) is not None:
            found.append(turn)
    return turns.Reading((*found, *conversation.end()), at)


def between(path: str, offset: int, until: int, wants: Callable[[turns.Call], bool]) -> turns.Reading:
    """Read the part between two bytes once more: without thinking, usage and subagents, and without the results that nobody `wants`.

    When such a result came is not noted either: it is not the last that a turn says.
    """
    conversation = Conversation(lean=True, branches=branches_of(path, offset))
    found: list[turns.Turn] = []
    part, at = jsonl.part(path, offset, until)
    for line in part:
        if glance.passed_over(line, TAKE):
            continue
        result = glance.left_out(line)
        if result is not None and (call := _answered(conversation, result)) is not None and not wants(call):
            conversation.main.add(result)
        elif (turn := conversation.take(lean_entry_of(line))) is not None:
            found.append(turn)
    return turns.Reading((*found, *conversation.end()), at)


def _answered(conversation: Conversation, result: turns.Result) -> turns.Call | None:
    """Give the call that a result answers, where it is among the last."""
    last = conversation.main.steps[: -_LAST_STEPS - 1 : -1]
    return next((one for one in last if isinstance(one, turns.Call) and one.id == result.id), None)


_LAST_STEPS = 16


def skim(path: str, offset: int = 0) -> Iterator[turns.Turn]:
    """Yield the session's own turns for a work record, part by part, without what a work record never looks at.

    That is thinking, usage, subagents, old long results, the agent's own copies of results, and of a file before an edit all that is
    far from it.
    """
    conversation = Conversation(lean=True, branches=branches_of(path, offset))
    old = jsonl.size(path) - LATELY
    for at, line in sparing_reader.lines(path, offset, glance.is_unwanted):
        if not glance.passed_over(line, TAKE):
            if at < old and len(line) > _LONG and (result := glance.left_out(line)):
                conversation.main.add(result)
            elif (turn := conversation.take(lean_entry_of(line))) is not None:
                yield turn
            if len(conversation.main.steps) >= A_PART:
                yield conversation.main.part()
    yield from conversation.end()


def newest(path: str, length: int = _TAIL) -> turns.Reading:
    """Read only the end of a file: the last prompts and the last reply, at the same cost whatever its size."""
    return read(path, jsonl.tail(path, length))


def version(path: str) -> str:
    """Tell the client's version, as its newest line says."""
    told = [
        word(bare, "version") for _, line in jsonl.lines(path, jsonl.tail(path, _END)) if (bare := lean_entry_of(line))
    ]
    return next((each for each in reversed(told) if each), "")


class Conversation:
    """The turn that is being read, the subagents beside it, and what must be remembered from line to line."""

    def __init__(self, *, lean: bool = False, branches: Branches | None = None) -> None:
        self.main = Building()
        self.branches = branches or Branches()
        self.beside: dict[str, Building] = {}
        self.blocks = Lean() if lean else Blocks()
        self.counts = not lean
        self.waiting: list[str] = []  # queued prompts of which no other trace was seen yet
        self.counted: dict[str, Usage] = {}  # by message id, as far as it is counted

    def take(self, entry: dict[str, Any]) -> turns.Turn | None:
        """Read one line's object; give the turn that it ends, if it ends one."""
        kind = entry.get("type")
        take = TAKE.get(kind) if isinstance(kind, str) else None
        self.branches.link(entry)
        try:
            return take(self, entry) if take else None
        except UNEXPECTED:
            return None  # this line is spoilt, and no other

    def user(self, entry: dict[str, Any]) -> turns.Turn | None:
        """Read a `user` line: a user's words, a summary, or what tools said."""
        if entry.get("isMeta"):
            text = self.blocks.told(entry)[0]
            self.met(own_words(text))
            if not self.counts and self._called() and not text.lstrip().startswith("<"):
                self.main.add(turns.Said(turns.GIVEN, text))
            return None
        text, results = self.blocks.told(entry)
        building = self.where(entry)
        if entry.get("isCompactSummary") or is_old_summary(entry, text):
            building.add(turns.Said(turns.SUMMARY, summary_words(text)))
            return None
        for result in results:
            building.add(result)
        if results:
            if said := said_while_refusing(entry):
                building.add(turns.Said(turns.HUMAN, said))
            return None
        return self.prompt(building, entry, text)

    def _called(self) -> bool:
        """Whether the last that was said is the user's call of a command: its text is told right behind."""
        last = self.main.steps[-1] if self.main.steps else None
        return isinstance(last, turns.Said) and last.who == turns.HUMAN and last.text.startswith("/")

    def prompt(self, building: Building, entry: dict[str, Any], text: str) -> turns.Turn | None:
        """Read the text of a `user` line in which no tool speaks."""
        typed = is_typed(entry)
        if is_interruption(text, typed=typed):
            building.add(turns.Said(turns.INTERRUPTED, text.strip()))
        for result in self.blocks.notices(text) if not typed else ():
            building.add(result)
        words = own_words(text, typed=typed)
        self.met(words or own_words(text))
        if not words:
            if skill := skill_called(text, typed=typed):
                building.add(turns.Said(turns.HUMAN, skill, queued=True))
            return None
        time = word(entry, "timestamp")
        ended = self.next_turn(building)
        if building is self.main:
            building.drops, building.drops_since = self.branches.begin(entry)
        building.began = building.began or time  # with these words, not with what answers them
        building.add(turns.Said(turns.HUMAN, words))
        return ended

    def next_turn(self, building: Building) -> turns.Turn | None:
        """End the turn that was being read, where there was one."""
        if not (building.steps or building.goes_on):
            return None
        self.flush(building)
        return building.turn()

    def assistant(self, entry: dict[str, Any]) -> turns.Turn | None:
        """Read an `assistant` line: words, thinking, tools; its usage once for all lines of the message.

        The first of them are written while the model still speaks: what it has said in the end, only the last one knows.
        """
        building = self.where(entry)
        message = entry.get("message")
        if not isinstance(message, dict) or message.get("model") == "<synthetic>" or entry.get("isApiErrorMessage"):
            return None  # words that the host put into the agent's mouth
        for step in self.blocks.done(message):
            building.add(step)
        ident = message.get("id")
        if self.counts and isinstance(ident, str):
            usage, before = _usage(message.get("usage"), word(message, "model")), self.counted.get(ident)
            usage = usage.beyond(before) if before else usage
            self.counted[ident] = before.plus(usage) if before else usage
            building.use(usage)
        return None

    def system(self, entry: dict[str, Any]) -> turns.Turn | None:
        """Read a `system` line: only the boundaries matter."""
        if boundary := boundary_of(entry):
            self.where(entry).add(boundary)
        return None

    def queue(self, entry: dict[str, Any]) -> turns.Turn | None:
        """Read a `queue-operation`: words typed while the agent was at work, which may stand nowhere else."""
        content = entry.get("content")
        text = content if isinstance(content, str) else ""
        for result in self.blocks.notices(text):
            self.main.add(result)
        words = own_words(text, typed=is_typed(entry))
        if words and entry.get("operation") == "enqueue":
            self.waiting.append(words)
            if len(self.waiting) > QUEUE:
                self.main.add(turns.Said(turns.HUMAN, self.waiting.pop(0), queued=True))
        elif entry.get("operation") == "popAll":
            # The user took them back to write them anew.
            self.waiting = [one for one in self.waiting if one not in text]
        return None

    def attachment(self, entry: dict[str, Any]) -> turns.Turn | None:
        """Read an `attachment`: a queued prompt at the place where the agent got it."""
        about = entry.get("attachment")
        if not isinstance(about, dict) or about.get("type") != "queued_command":
            return None
        text = self.blocks.words(about.get("prompt"))
        for result in self.blocks.notices(text):
            self.main.add(result)
        words = own_words(text, typed=is_typed(about))
        self.met(words or own_words(text))
        if words:
            self.main.add(turns.Said(turns.HUMAN, words, queued=True))
        return None

    def met(self, words: str) -> None:
        """Let go of queued words that were met where the agent got them, whoever's they turn out to be."""
        if words in self.waiting:
            self.waiting.remove(words)

    def end(self) -> Iterator[turns.Turn]:
        """Yield what is still open when the file ends."""
        self.flush(self.main)
        for building in (*self.beside.values(), self.main):
            if building.steps:
                yield building.turn()

    def flush(self, building: Building) -> None:
        """Put in the queued prompts that stand nowhere else."""
        for words in self.waiting:
            building.add(turns.Said(turns.HUMAN, words, queued=True))
        self.waiting.clear()

    def where(self, entry: dict[str, Any]) -> Building:
        """Give the turn that a line belongs to: the session's own, or that of a subagent."""
        building = self.main
        if entry.get("isSidechain"):
            name = str(entry.get("agentId") or "sidechain")
            building = self.beside.setdefault(name, Building(subagent=name))
        building.stands(*[value if isinstance(value, str) else "" for value in map(entry.get, _PLACE)])
        return building


TAKE: dict[str, Callable[[Conversation, dict[str, Any]], turns.Turn | None]] = {
    "user": Conversation.user,
    "assistant": Conversation.assistant,
    "system": Conversation.system,
    "queue-operation": Conversation.queue,
    "attachment": Conversation.attachment,
}
"""Which method of a conversation reads which line."""

_BOUNDARIES = {"compact_boundary": "compactMetadata", "microcompact_boundary": "microcompactMetadata"}


def boundary_of(entry: dict[str, Any]) -> turns.Boundary | None:
    """Tell the boundary that a `system` line is, if it is one."""
    kind = str(entry.get("subtype", ""))
    if kind not in _BOUNDARIES:
        return None
    about = entry.get(_BOUNDARIES[kind])
    about = about if isinstance(about, dict) else {}
    partial, time = kind != "compact_boundary", word(entry, "timestamp")
    return turns.Boundary(str(about.get("trigger", "")), count(about, "preTokens"), partial, time)


_PLACE = ("timestamp", "sessionId", "gitBranch", "cwd")


def _usage(counts: Any, model: str) -> Usage:
    if not isinstance(counts, dict):
        return Usage(model=model)
    sent, read_, written = (
        count(counts, key) for key in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    )
    return Usage(sent, count(counts, "output_tokens"), read_, written, 1, sent + read_ + written, model=model)
