"""Claude Code's transcripts for the memory: every step with its place, from where the last reading stopped.

The same story as transcript.py tells, cut into the same turns, but nothing is left out and nothing waits for its turn to end.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from tapehead.agents.claude.blocks import IMAGE as IMAGE_MARK
from tapehead.agents.claude.transcript import TAKE, Story, entry_of, word
from tapehead.transcript import jsonl, turns
from tapehead.transcript.building import Building
from tapehead.transcript.recorded import HOOK, IMAGE, SYSTEM, Batch, Cursor, Recorded

if TYPE_CHECKING:
    from collections.abc import Iterator

AT_ONCE = 2_000
"""Steps in a batch."""
_HEAD = 256
_PROGRESS = b'"type":"progress","data"'
"""Lines that repeat a subagent's messages while it works."""
_COPY = b',"toolUseResult":'
"""The host keeps what a tool said a second time, for its own screen; half of a file is this."""
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
_ABOUT = ("cwd", "branch", "version", "session")


def follow(path: str, cursor: Cursor = Cursor(), *, final: bool = False, at_once: int = AT_ONCE) -> Iterator[Batch]:  # noqa: B008  a tuple
    """Yield what is new, in batches. `final` says that nobody writes the file any more: what waits for more is then given out."""
    head = _head(path)
    if cursor.carry.get("head", head) != head or _is_shorter(path, cursor.offset):
        cursor = Cursor()  # another file under the same name: what it repeats is known by its ids
    story = Following(cursor, head)
    at = cursor.offset
    for at, line in jsonl.lines(path, cursor.offset):
        story.hear(line)
        if len(story.steps) >= at_once:
            yield story.batch(at)
    if final:
        story.flush(story.main)
    if story.steps or at != cursor.offset:
        yield story.batch(at)


class Following(Story):
    """The story, told step by step."""

    def __init__(self, cursor: Cursor, head: str) -> None:
        super().__init__()
        self.steps: list[Recorded] = []
        self.turn = cursor.turn
        self.about = dict(cursor.about)
        self.head = head
        self.main = _Place(self, "")
        self.queued: dict[str, tuple[str, str]] = {}
        for words, source, time in cursor.carry.get("waiting", ()):
            self.waiting.append(words)
            self.queued[words] = source, time
        self.time: str = cursor.carry.get("time", "")
        self.source = self.origin = ""
        self.count = 0
        self.place: tuple[object, ...] = ()

    def batch(self, offset: int) -> Batch:
        """Hand over what was read up to a byte."""
        steps, self.steps = self.steps, []
        waiting = [[words, *self.queued.get(words, ("", ""))] for words in self.waiting]
        carry = {"head": self.head, "time": self.time, "waiting": waiting}
        return Batch(steps, Cursor(offset, self.turn, dict(self.about), carry))

    def hear(self, line: bytes) -> None:
        """Read one line."""
        if line.find(_PROGRESS, 0, 1_500) >= 0:
            return
        entry = _without_copy(line)
        kind = entry.get("type")
        if not isinstance(kind, str):
            return
        self.source = word(entry, "uuid") or blake2b(line, digest_size=8).hexdigest()
        self.count = 0
        self.time = word(entry, "timestamp") or self.time
        if kind in TAKE:
            self._note_place((entry.get("cwd"), entry.get("gitBranch"), entry.get("version"), entry.get("sessionId")))
            for _ in getattr(self, TAKE[kind])(entry):
                pass
        elif kind in _TITLES and (title := word(entry, _TITLES[kind])):
            self.about["title"] = title

    def _note_place(self, place: tuple[object, ...]) -> None:
        if place != self.place:
            self.place = place
            self.about |= {
                name: value for name, value in zip(_ABOUT, place, strict=True) if isinstance(value, str) and value
            }
            self.origin = place[-1] if isinstance(place[-1], str) else ""

    def record(self, step: turns.Step, subagent: str) -> None:
        """Note a step of the line that is being read."""
        self.steps.append(Recorded(f"{self.source}/{self.count}", self.turn, self.time, step, self.origin, subagent))
        self.count += 1

    def next_turn(self, building: Building) -> Iterator[turns.Turn]:
        """A prompt begins a turn, whatever came before it; a subagent's prompt does not."""
        if building is self.main:
            self.flush(building)
            self.turn += 1
        return iter(())

    def flush(self, building: Building) -> None:  # noqa: ARG002 - the parent's shape
        """Queued words that stand nowhere else, at the place where they were queued."""
        for words in self.waiting:
            source, time = self.queued.get(words, (self.source, self.time))
            step = turns.Said(turns.HUMAN, words, queued=True)
            self.steps.append(Recorded(f"{source}/0", max(self.turn, 1), time, step, self.origin))
        self.waiting.clear()
        self.queued.clear()

    def where(self, entry: dict[str, Any]) -> Building:
        """The session's own place, or that of a subagent."""
        if not entry.get("isSidechain"):
            return self.main
        name = word(entry, "agentId") or "sidechain"
        return self.beside.setdefault(name, _Place(self, name))

    def user(self, entry: dict[str, Any]) -> Iterator[turns.Turn]:
        """Also what the host puts into the person's mouth."""
        if entry.get("isMeta"):
            self.where(entry).add(turns.Said(SYSTEM, self.blocks.told(entry)[0]))
            return iter(())
        return super().user(entry)

    def prompt(self, building: Building, text: str) -> Iterator[turns.Turn]:
        """Also words that are not the person's, and that there was an image."""
        before = len(self.steps)
        yield from super().prompt(building, text)
        if len(self.steps) == before:
            building.add(turns.Said(SYSTEM, text))
        if IMAGE_MARK in text:
            building.add(turns.Said(IMAGE, f"{text.count(IMAGE_MARK)} with the prompt"))

    def assistant(self, entry: dict[str, Any]) -> Iterator[turns.Turn]:
        """Also what the host says in the agent's name."""
        before = len(self.steps)
        message = entry.get("message")
        message = message if isinstance(message, dict) else {}
        yield from super().assistant(entry)
        if message.get("model") == "<synthetic>" or entry.get("isApiErrorMessage"):
            self.where(entry).add(turns.Said(SYSTEM, self.blocks.words(message.get("content"))))
        elif len(self.steps) > before and isinstance(message.get("model"), str):
            self.about["model"] = message["model"]

    def system(self, entry: dict[str, Any]) -> Iterator[turns.Turn]:
        """Also what is no boundary."""
        yield from super().system(entry)
        if content := word(entry, "content"):
            self.where(entry).add(turns.Said(HOOK if "hook" in str(entry.get("subtype")) else SYSTEM, content))

    def queue(self, entry: dict[str, Any]) -> Iterator[turns.Turn]:
        """Also where the words were queued."""
        before = set(self.waiting)
        yield from super().queue(entry)
        for words in self.waiting:
            if words not in before:
                self.queued[words] = self.source, self.time

    def attachment(self, entry: dict[str, Any]) -> Iterator[turns.Turn]:
        """Also what hooks and the host put beside the conversation."""
        before = len(self.steps)
        yield from super().attachment(entry)
        about = entry.get("attachment")
        if len(self.steps) == before and isinstance(about, dict) and (text := self._attached(about)):
            hook = word(about, "type").startswith("hook")
            self.main.add(turns.Said(HOOK if hook else SYSTEM, text))

    def _attached(self, about: dict[str, Any]) -> str:
        for key in ("content", "text", "stdout", "snippet", "prompt"):
            value = about.get(key)
            words = "\n".join(one for one in value if isinstance(one, str)) if isinstance(value, list) else value
            if isinstance(words, str) and words.strip():
                return words
        return ""


class _Place(Building):
    """Where steps go: straight to the record, with the subagent's name."""

    def __init__(self, story: Following, subagent: str) -> None:
        super().__init__(subagent)
        self.story = story

    def add(self, step: turns.Step) -> None:
        """Record it at once."""
        self.story.record(step, self.subagent)

    def stands(self, time: str, session: str, branch: str, cwd: str) -> None:
        """Nothing to note: every step carries its place."""


def _without_copy(line: bytes) -> dict[str, Any]:
    """Parse a line without the host's second copy of a result, which is its last long member where it has one."""
    at = line.find(_COPY)
    if at > 0:
        entry = entry_of(line[:at] + b"}")
        if "uuid" in entry and "timestamp" in entry:  # else something that matters stands behind it
            return entry
    return entry_of(line)


def _head(path: str) -> str:
    """What a file is known by, from its first bytes on."""
    for _, line in jsonl.lines(path):
        return blake2b(line[:_HEAD], digest_size=8).hexdigest()
    return ""


def _is_shorter(path: str, offset: int) -> bool:
    return not path.endswith(".gz") and jsonl.size(path) < offset
