"""Claude Code's transcripts for the memory: every step with its place, from where the last reading stopped.

The same story as transcript.py tells, cut into the same turns (a test holds them together), but nothing is left out, nothing waits for
its turn to end, and a file is read in about the time that parsing it takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from tapehead.agents.claude.blocks import IMAGE as IMAGE_MARK
from tapehead.agents.claude.blocks import Blocks
from tapehead.agents.claude.copies import bare_entry_of
from tapehead.agents.claude.glance import repeats
from tapehead.agents.claude.prompts import INTERRUPTED, own_words, said_while_refusing, summary_words
from tapehead.agents.claude.transcript import boundary_of
from tapehead.transcript import jsonl, turns
from tapehead.transcript.entries import word
from tapehead.transcript.recorded import HOOK, IMAGE, SYSTEM, Batch, Cursor, Recorded
from tapehead.transcript.recording import AT_ONCE, checksum, head_of, resumed
from tapehead.transcript.turns import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_AT_MOST = 8 * 1024 * 1024
"""Bytes of a file in a batch: so much is in memory at once, whatever the size of the file."""
_CHUNK = 1 << 18
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
_ABOUT = ("cwd", "branch", "version", "session")
_OLD_SUMMARY = "This session is being continued from a previous conversation"
"""How the summary of a compaction begins; old versions mark it in no other way."""


def follow(path: str, cursor: Cursor = Cursor(), *, final: bool = False, at_once: int = AT_ONCE) -> Iterator[Batch]:  # noqa: B008  a tuple
    """Yield what is new, in batches. `final` says that nobody writes the file any more: what waits for more is then given out."""
    head = head_of(path)
    cursor = resumed(path, cursor, head)
    story = Following(cursor, head)
    at = given = cursor.offset
    for at, line in jsonl.lines(path, cursor.offset, final=final, chunk=_CHUNK):
        story.hear(line)
        if len(story.steps) >= at_once or at - given >= _AT_MOST:
            given = at
            yield story.batch(at)
    if final:
        story.flush()
    if story.steps or at != given:
        yield story.batch(at)


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
    """The story, told step by step."""

    def __init__(self, cursor: Cursor, head: str) -> None:
        self.steps: list[Recorded] = []
        self.turn = cursor.turn
        self.about = dict(cursor.about)
        self.head = head
        self.waiting = [Queued(*one) for one in cursor.carry.get("waiting", ())]
        self.time: str = cursor.carry.get("time", "")
        self.origin: str = cursor.carry.get("origin", "")
        self.source = self.subagent = ""
        self.count = 0
        self.place: tuple[object, ...] = ()

    def batch(self, offset: int) -> Batch:
        """Hand over what was read up to a byte."""
        steps, self.steps = self.steps, []
        waiting = [[str(one), one.source, one.time] for one in self.waiting]
        carry = {"head": self.head, "time": self.time, "origin": self.origin, "waiting": waiting}
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
            take(self, entry)
        elif kind in _TITLES and (title := word(entry, _TITLES[kind])):
            self.about["title"] = title

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
            step = Said(turns.HUMAN, str(words), queued=True)
            self.steps.append(Recorded(f"{words.source}/0", max(self.turn, 1), words.time, step, self.origin))
        self.waiting.clear()

    def user(self, entry: dict[str, Any]) -> None:
        """Read a `user` line: a person's words, a summary, what tools said, or what the host puts into the person's mouth."""
        message = entry.get("message")
        content = message.get("content") if message.__class__ is dict else None
        blocks = [one for one in content if one.__class__ is dict] if content.__class__ is list else []
        results = [one for one in blocks if one.get("type") == "tool_result"]
        for block in results:
            self._result(block)
        text = Blocks.words(content)
        if results and text:
            self._queued(text)
        elif entry.get("isMeta"):
            self.add(Said(SYSTEM, text))
        elif not results:
            self._words(entry, text)

    def _result(self, block: dict[str, Any]) -> None:
        text = Blocks.words(block.get("content"))
        self.add(turns.Result(str(block.get("tool_use_id", "")), text, block.get("is_error") is True))
        if said := said_while_refusing(text):
            self.add(Said(turns.HUMAN, said))

    def _words(self, entry: dict[str, Any], text: str) -> None:
        if entry.get("isCompactSummary") or text.startswith(_OLD_SUMMARY):
            self.add(Said(turns.SUMMARY, summary_words(text)))
        elif text.lstrip().startswith(INTERRUPTED):
            self.add(Said(turns.INTERRUPTED, text.strip()))
        elif words := own_words(text):
            self._asked(words)
        else:
            self.add(Said(SYSTEM, text))
        if IMAGE_MARK in text:
            self.add(Said(IMAGE, f"{text.count(IMAGE_MARK)} with the prompt"))

    def _queued(self, text: str) -> None:
        """Take words typed in mid-turn, at the place where the agent got them; some of them are a notice of the host."""
        words = own_words(text)
        self._met(words)
        self.add(Said(turns.HUMAN, words, queued=True) if words else Said(SYSTEM, text))

    def _met(self, words: str) -> None:
        if words in self.waiting:
            self.waiting.remove(words)  # type: ignore[arg-type]  # equal to the words, by its class

    def _asked(self, words: str) -> None:
        """Take a person's words: they begin a turn, whatever came before; those of an agent to its subagent do not."""
        self._met(words)
        if not self.subagent:
            self.flush()
            self.turn += 1
        self.add(Said(turns.HUMAN, words))

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
        """Read a `system` line: a boundary, and the host's words."""
        if boundary := boundary_of(entry):
            self.add(boundary)
        if content := word(entry, "content"):
            self.add(Said(HOOK if "hook" in str(entry.get("subtype")) else SYSTEM, content))

    def queue(self, entry: dict[str, Any]) -> None:
        """Read a `queue-operation`: words that wait for their place."""
        text = word(entry, "content")
        operation = entry.get("operation")
        if operation == "popAll":
            # The person took them back to write them anew.
            self.waiting = [one for one in self.waiting if one not in text]
        elif operation == "enqueue" and (words := own_words(text)):
            self.waiting.append(Queued(words, self.source, self.time))

    def attachment(self, entry: dict[str, Any]) -> None:
        """Read an `attachment`: a queued prompt where the agent got it, or what hooks and the host put beside the conversation."""
        about = entry.get("attachment")
        if not isinstance(about, dict):
            return
        kind = word(about, "type")
        if kind == "queued_command" and (text := Blocks.words(about.get("prompt"))):
            self._queued(text)
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
