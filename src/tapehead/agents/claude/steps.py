"""Claude Code's transcripts for the memory: every step with its place, from where the last reading stopped.

The same conversation as transcript.py tells, cut into the same turns (a test holds them together), but nothing is left out, nothing waits for
its turn to end, and a file is read in about the time that parsing it takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from tapehead.agents.claude.blocks import IMAGE as IMAGE_MARK
from tapehead.agents.claude.blocks import Blocks
from tapehead.agents.claude.branches import Branches
from tapehead.agents.claude.glance import repeats
from tapehead.agents.claude.prompts import (
    is_interruption,
    is_old_summary,
    is_typed,
    own_words,
    said_while_refusing,
    summary_words,
)
from tapehead.agents.claude.result_copies import bare_entry_of
from tapehead.agents.claude.transcript import QUEUE, boundary_of
from tapehead.transcript import jsonl, turns
from tapehead.transcript.entries import UNEXPECTED, word
from tapehead.transcript.recorded_steps import HOOK, IMAGE, SYSTEM, TAKEN_BACK, Batch, Cursor, Recorded
from tapehead.transcript.step_recorder import AT_ONCE, checksum, head_of, marks_of, resume_cursor, say_taken_back
from tapehead.transcript.turns import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_AT_MOST = 8 * 1024 * 1024
"""Bytes of a file in a batch: so much is in memory at once, whatever the size of the file."""
_CHUNK = 1 << 18
_PROMPTS = 200
"""Of so many prompts it is remembered what they hang on."""
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
_ABOUT = ("cwd", "branch", "version", "session")


def follow(path: str, cursor: Cursor = Cursor(), *, final: bool = False, at_once: int = AT_ONCE) -> Iterator[Batch]:  # noqa: B008  a tuple
    """Yield what is new, in batches. `final` says that nobody writes the file any more: what waits for more is then given out."""
    head = head_of(path)
    cursor = resume_cursor(path, cursor, head)
    conversation = Following(cursor, head)
    again = conversation.is_behind and _read_branches(conversation, path, cursor.offset)
    at = given = cursor.offset
    for at, line in jsonl.lines(path, cursor.offset, final=final, chunk=_CHUNK):
        conversation.hear(line)
        if len(conversation.steps) >= at_once or at - given >= _AT_MOST:
            given = at
            yield conversation.batch(at)
    if final:
        conversation.flush()
    if conversation.steps or at != given or again:
        yield conversation.batch(at)


def _read_branches(conversation: Following, path: str, offset: int) -> bool:
    """Read once more what was read before anybody asked for branches: what was taken back in it is marked now."""
    before = Following(Cursor(), conversation.head)
    marks: list[Recorded] = []
    for at, line in jsonl.lines(path, 0, chunk=_CHUNK):
        if b'"user"' in line:
            before.hear(line)
            marks += [one for one in before.steps if isinstance(one.step, Said) and one.step.who == TAKEN_BACK]
            before.steps.clear()
        if at >= offset:
            break
    if before.turn == conversation.turn:  # else the turns were counted from another byte on
        conversation.steps, conversation.branches = marks, before.branches
    return True


class Queued(str):
    """Words typed while the agent was at work, of which no other trace was seen yet, and where they were typed."""

    __slots__ = ("source", "time")
    source: str
    time: str

    def __new__(cls, words: str, source: str, time: str) -> Self:
        """Equal to the words, wherever they are met again."""
        made = super().__new__(cls, words)
        made.source, made.time = source, time
        return made


class Following:
    """The conversation, told step by step."""

    def __init__(self, cursor: Cursor, head: str) -> None:
        self.steps: list[Recorded] = []
        self.turn = cursor.turn
        self.about = dict(cursor.about)
        self.head = head
        self.waiting = [Queued(*one) for one in cursor.carry.get("waiting", ())]
        self.time: str = cursor.carry.get("time", "")
        self.origin: str = cursor.carry.get("origin", "")
        self.branches = Branches()
        self.branches.count, self.branches.living = cursor.carry.get("living", (0, []))
        self.branches.linked = True
        self.is_behind = cursor.turn > 0 and "living" not in cursor.carry
        """Whether a former version read the file so far, without its branches."""
        self.source = self.subagent = ""
        self.count = 0
        self.place: tuple[object, ...] = ()

    def batch(self, offset: int) -> Batch:
        """Hand over what was read up to a byte."""
        steps, self.steps = self.steps, []
        waiting = [[str(one), one.source, one.time] for one in self.waiting]
        living = [self.branches.count, [list(one) for one in self.branches.living[-_PROMPTS:]]]
        carry = {"head": self.head, "time": self.time, "origin": self.origin, "waiting": waiting, "living": living}
        return Batch(steps, Cursor(offset, self.turn, dict(self.about), carry))

    def hear(self, line: bytes) -> None:
        """Read one line."""
        if repeats(line):
            return
        entry = bare_entry_of(line)
        kind = entry.get("type")
        if kind.__class__ is not str:
            return
        take = _TAKE.get(kind)
        if take is not None:
            source, time = entry.get("uuid"), entry.get("timestamp")
            self.source = source if source.__class__ is str and source else checksum(line.rstrip())
            self.count = 0
            if time.__class__ is str and time:
                self.time = time
            self.subagent = (word(entry, "agentId") or "sidechain") if entry.get("isSidechain") else ""
            self._note_place((entry.get("cwd"), entry.get("gitBranch"), entry.get("version"), entry.get("sessionId")))
            self._take(take, entry)
        elif kind in _TITLES and (title := word(entry, _TITLES[kind])):
            self.about["title"] = title

    def _take(self, take: Callable[[Following, dict[str, Any]], None], entry: dict[str, Any]) -> None:
        try:
            take(self, entry)
        except UNEXPECTED:
            return  # this line is spoilt, and no other

    def _note_place(self, place: tuple[object, ...]) -> None:
        if place != self.place:
            self.place = place
            said = {name: value for name, value in zip(_ABOUT, place, strict=True) if isinstance(value, str) and value}
            self.about = {**self.about, **said, "cwd": self.about.get("cwd") or said.get("cwd", "")}
            self.origin = place[-1] if isinstance(place[-1], str) else self.origin

    def add(self, step: turns.Step) -> None:
        """Note a step of the line that is being read."""
        self.steps.append(
            Recorded(f"{self.source}/{self.count}", self.turn, self.time, step, self.origin, self.subagent)
        )
        self.count += 1

    def flush(self) -> None:
        """Give out queued words that stand nowhere else, with the id and the time of where they were queued."""
        for words in self.waiting:
            self._tell(words)
        self.waiting.clear()

    def _tell(self, words: Queued) -> None:
        step = Said(turns.HUMAN, str(words), queued=True)
        self.steps.append(Recorded(f"{words.source}/0", max(self.turn, 1), words.time, step, self.origin))

    def user(self, entry: dict[str, Any]) -> None:
        """Read a `user` line: a user's words, a summary, what tools said, or what the agent puts into the user's mouth."""
        message = entry.get("message")
        content = message.get("content") if message.__class__ is dict else None
        blocks = [one for one in content if one.__class__ is dict] if content.__class__ is list else []
        results = [one for one in blocks if one.get("type") == "tool_result"]
        for block in results:
            self._result(block)
        if said := said_while_refusing(entry) if results else "":
            self.add(Said(turns.HUMAN, said))
        text = Blocks.words(content)
        if results and text:
            self._queued(text, typed=is_typed(entry))
        elif entry.get("isMeta"):
            self._met(own_words(text))
            self.add(Said(SYSTEM, text))
        elif not results:
            self._words(entry, text)

    def _result(self, block: dict[str, Any]) -> None:
        text = Blocks.words(block.get("content"))
        self.add(turns.Result(str(block.get("tool_use_id", "")), text, block.get("is_error") is True))

    def _words(self, entry: dict[str, Any], text: str) -> None:
        typed = is_typed(entry)
        if entry.get("isCompactSummary") or is_old_summary(entry, text):
            self.add(Said(turns.SUMMARY, summary_words(text)))
        elif is_interruption(text, typed=typed):
            self.add(Said(turns.INTERRUPTED, text.strip()))
        elif words := own_words(text, typed=typed):
            self._asked(words, entry)
        else:
            self._met(own_words(text))
            self.add(Said(SYSTEM, text))
        if IMAGE_MARK in text:
            self.add(Said(IMAGE, f"{text.count(IMAGE_MARK)} with the prompt"))

    def _queued(self, text: str, *, typed: bool | None) -> None:
        """Take words typed in mid-turn, at the place where the agent got them; some of them are a notice of the host."""
        words = own_words(text, typed=typed)
        self._met(words or own_words(text))
        self.add(Said(turns.HUMAN, words, queued=True) if words else Said(SYSTEM, text))

    def _met(self, words: str) -> None:
        if words in self.waiting:
            self.waiting.remove(words)  # type: ignore[arg-type]  # equal to the words, by its class

    def _asked(self, words: str, entry: dict[str, Any]) -> None:
        """Take a user's words: they begin a turn, whatever came before; those of an agent to its subagent do not."""
        self._met(words)
        if not self.subagent:
            self.flush()
            back, _ = self.branches.begin(entry)
            if back:
                self._take_back(max(1, self.turn - back + 1))
            self.turn += 1
        self.add(Said(turns.HUMAN, words))

    def _take_back(self, first: int) -> None:
        """Mark each turn from one on as taken back, and say so where it happened."""
        gone = range(first, self.turn + 1)
        self.add(say_taken_back(gone))
        self.steps += marks_of(gone, self.time, self.origin)

    def assistant(self, entry: dict[str, Any]) -> None:
        """Read an `assistant` line: words, thinking, tools; or what the host says in the agent's name."""
        message = entry.get("message")
        if message.__class__ is not dict:
            return
        model = message.get("model")
        if model == "<synthetic>" or entry.get("isApiErrorMessage"):
            self.add(Said(SYSTEM, Blocks.words(message.get("content"))))
            return
        before = len(self.steps)
        for step in Blocks.done(message):
            self.add(step)
        if len(self.steps) > before and model.__class__ is str:
            self.about["model"] = model

    def system(self, entry: dict[str, Any]) -> None:
        """Read a `system` line: a boundary, and the agent's words."""
        if boundary := boundary_of(entry):
            self.add(boundary)
        if content := word(entry, "content"):
            self.add(Said(HOOK if "hook" in str(entry.get("subtype")) else SYSTEM, content))

    def queue(self, entry: dict[str, Any]) -> None:
        """Read a `queue-operation`: words that wait for their place."""
        text = word(entry, "content")
        operation = entry.get("operation")
        if operation == "popAll":
            # The user took them back to write them anew.
            self.waiting = [one for one in self.waiting if one not in text]
        elif operation == "enqueue" and (words := own_words(text, typed=is_typed(entry))):
            self.waiting.append(Queued(words, self.source, self.time))
            if len(self.waiting) > QUEUE:
                self._tell(self.waiting.pop(0))

    def attachment(self, entry: dict[str, Any]) -> None:
        """Read an `attachment`: a queued prompt where the agent got it, or what hooks and the host put beside the conversation."""
        about = entry.get("attachment")
        if not isinstance(about, dict):
            return
        kind = word(about, "type")
        if kind == "queued_command" and (text := Blocks.words(about.get("prompt"))):
            self._queued(text, typed=is_typed(about))
        elif text := _attached(about):
            self.add(Said(HOOK if kind.startswith("hook") else SYSTEM, text))


_TAKE: dict[str, Callable[[Following, dict[str, Any]], None]] = {
    "user": Following.user,
    "assistant": Following.assistant,
    "system": Following.system,
    "queue-operation": Following.queue,
    "attachment": Following.attachment,
}


def _attached(about: dict[str, Any]) -> str:
    for key in ("content", "text", "stdout", "snippet", "prompt"):
        value = about.get(key)
        words = "\n".join(one for one in value if isinstance(one, str)) if isinstance(value, list) else value
        if isinstance(words, str) and words.strip():
            return words
    return ""
