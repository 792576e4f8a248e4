"""Who reads which agent's transcripts. Loaded where a transcript is read, never by a light hook."""

from __future__ import annotations

from sys import modules
from typing import TYPE_CHECKING

from tapehead.transcript import jsonl, packed_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime
    from types import ModuleType
    from typing import Any, Protocol

    from tapehead.transcript.file_writes import WritingCall
    from tapehead.transcript.recorded_steps import Batch, Cursor
    from tapehead.transcript.turns import Call, Reading, Turn
else:
    Protocol = object  # only mypy looks at Protocols, and making them takes time
# The first whose file it may be has it: Claude Code's lines are known by the least, and what is nobody's may have the plain form.
RECORDS = ("codex", "gemini", "copilot", "opencode", "droid", "qwen", "cursor", "claude", "plain")
_READERS = {agent: f"tapehead.agents.{agent}.transcript" for agent in RECORDS}
_FOLLOWERS = {agent: f"tapehead.agents.{agent}.steps" for agent in RECORDS}
_PLACES = {agent: f"tapehead.agents.{agent}.places" for agent in RECORDS}
_HEAD = 64 * 1024
UNPROVEN = ("cursor", "qwen", "plain")  # their record does not say what the model got from hooks
_DELIVERIES = {agent: f"tapehead.agents.{agent}.delivery" for agent in RECORDS if agent not in UNPROVEN}


class Reader(Protocol):
    """A module that turns one agent's own record into turns."""

    def read(self, path: str, offset: int = 0) -> Reading:
        """Everything from a byte on."""

    def newest(self, path: str, length: int = ...) -> Reading:
        """Only the end, at the same cost whatever the size."""

    def skim(self, path: str, offset: int = 0) -> Iterator[Turn]:
        """All turns for a work record, one at a time."""


class Again(Protocol):
    """A reader of a record that only ever grows: a part of it reads the same whatever came since."""

    def between(self, path: str, offset: int, until: int, wants: Callable[[Call], bool]) -> Reading:
        """What stands between two bytes; what it cost need not be counted, and what came of a call that nobody `wants` to know of, not be read."""


class Follower(Protocol):
    """A module that gives an agent's own record to the memory, step by step."""

    def follow(self, path: str, cursor: Cursor = ..., *, final: bool = False, at_once: int = ...) -> Iterator[Batch]:
        """What is new since the cursor, in batches; `final` where nobody writes the file any more."""


class Places(Protocol):
    """A module that knows where an agent keeps its transcripts."""

    def transcripts(self, home: str, env: Mapping[str, str]) -> Iterator[str]:
        """All that are kept."""

    def is_own(self, name: str, head: bytes) -> bool:
        """Whether a file is one, by its name and first bytes."""

    def session_of(self, path: str) -> str:
        """The session that one belongs to."""


class Deliveries(Protocol):
    """A module that knows what an agent's record says of our own words."""

    def received(self, path: str, offset: int = 0) -> Iterator[str] | None:
        """What the agent says that the model got from hooks, from a byte on; None where this record says nothing of it."""


class Compactions(Protocol):
    """A module that knows what an agent's record looks like after a compaction that broke off."""

    def broke_off(self, path: str, offset: int, since: datetime) -> bool:
        """Whether a compaction that began at a moment is over without a summary, by the record from a byte on."""


class Ending(Protocol):
    """The last word of an agent's record."""

    @property
    def interrupted_ns(self) -> int:
        """When the user interrupted the agent, in nanoseconds since 1970; 0 where the last word is another."""

    @property
    def in_flight(self) -> bool:
        """Whether a tool call has no result yet."""


class Endings(Protocol):
    """A module that knows how an agent's record ends."""

    def ending_of(self, path: str) -> Ending:
        """Its last word. Raises OSError."""


class Writings(Protocol):
    """What an agent's tools wrote."""

    @property
    def texts(self) -> dict[str, str]:
        """By file, all that edits put there."""

    @property
    def edits(self) -> tuple[tuple[int, int], ...]:
        """When edits were under way, in nanoseconds since 1970."""

    @property
    def others(self) -> tuple[tuple[int, int], ...]:
        """When anything else was that may have written any file."""

    @property
    def originals(self) -> dict[str, tuple[tuple[int, int, str], ...]]:
        """By file, of each edit whose result tells it: when it was under way, and what the file held before."""

    @property
    def until(self) -> int:
        """When the record was last written: what changed later it does not know of."""


class WritingTools(Protocol):
    """A module that knows what an agent's record says of its tools."""

    def writings_of(self, path: str, since: int) -> Writings | None:
        """What they wrote since a moment; None where the record does not tell. Raises OSError."""


class Answers(Protocol):
    """A module that knows how an agent's user is seen to have answered."""

    def is_answered(self, path: str, asked: dict[str, Any], pid: int | None) -> bool:
        """Whether what was asked (see store.state.Waiting) has its answer, by the transcript or by what the agent's process does."""


class Forks(Protocol):
    """A module that knows what an agent copies when it forks a session."""

    def forked_from(self, path: str, session_id: str, words: list[str]) -> str:
        """The session that a new one is a copy of, by its transcript or by the agent's command line; empty where neither says."""

    def first_own_byte(self, path: str, started: datetime, offset: int = 0) -> int:
        """The byte after the last line that was copied, from a byte on."""


class Mended(Protocol):
    """A transcript that its agent can resume."""

    @property
    def data(self) -> bytes:
        """The transcript."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What was the matter with it."""


class Compaction(Protocol):
    """A compaction in a transcript."""

    @property
    def at(self) -> int:
        """The byte at which it begins."""

    @property
    def was_full(self) -> bool:
        """Whether the agent's window was full."""


class Resumables(Protocol):
    """A module that knows what an agent can resume."""

    def mend(self, data: bytes) -> Mended:
        """A transcript without its damage."""

    def is_conversation(self, data: bytes) -> bool:
        """Whether there is anything to resume."""

    FULL_HINT: str
    """What to tell whoever goes back to before a compaction that came because the window was full."""

    def compactions(self, data: bytes) -> Sequence[Compaction]:
        """The compactions of the conversation, oldest first."""

    def directory(self, data: bytes) -> str:
        """Where the session worked; empty where it does not say."""

    def copy(self, data: bytes, session: str, new: str) -> bytes:
        """The same conversation under a new id."""


class Retention(Protocol):
    """A module that knows when an agent deletes its transcripts."""

    def days_kept(self, home: str, env: Mapping[str, str], project: str) -> int:
        """Days after which a transcript that nobody writes is deleted."""

    def folder_of(self, home: str, env: Mapping[str, str], directory: str) -> str:
        """The folder with the transcripts of a directory; empty where nobody here knows its name."""


def _loaded(name: str) -> ModuleType:
    """A module. Not by importlib, which brings `warnings` along: a start and a compaction wait for this."""
    return modules.get(name) or __import__(name, fromlist=["_"])


def reader_of(agent: str) -> Reader | None:
    """The reader of an agent's transcripts; None where that agent has none."""
    name = _READERS.get(agent)
    return _loaded(name) if name else None


def again_of(agent: str) -> Again | None:
    """Who reads a part of an agent's transcript once more; None where that cannot be done."""
    return _loaded(_READERS[agent]) if agent in _APPENDED else None


_APPENDED = ("claude", "codex")


def compactions_of(agent: str) -> Compactions | None:
    """Who can tell that a compaction failed; None where the agent says it itself, or nobody can."""
    return _loaded("tapehead.agents.claude.compactions") if agent == "claude" else None


def endings_of(agent: str) -> Endings | None:
    """Who can tell how an agent's record ends; None where nobody can."""
    return _loaded("tapehead.agents.claude.interruptions") if agent == "claude" else None


def writings_of(agent: str) -> WritingTools | None:
    """Who can tell what an agent's tools wrote; None where nobody can."""
    return _loaded("tapehead.agents.claude.writings") if agent == "claude" else None


def writing_calls(agent: str, path: str, since: int, until: int) -> list[WritingCall] | None:
    """The calls by which an agent changed files between two moments; None where its record does not tell. Raises OSError."""
    module = "tapehead.agents.claude.writing_calls"
    return _loaded(module).writing_calls(path, since, until) if agent == "claude" else None


def answers_of(agent: str) -> Answers | None:
    """Who can tell that an agent's question was answered; None where only the agent's next event does."""
    return _loaded(f"tapehead.agents.{agent}.answers") if agent in ("claude", "codex", "gemini") else None


def forks_of(agent: str) -> Forks | None:
    """What an agent's forks are known by; None where it makes none, or its record does not repeat what it forks."""
    return _loaded(f"tapehead.agents.{agent}.forks") if agent in ("claude", "codex") else None


def resumables_of(agent: str) -> Resumables | None:
    """Who mends and cuts an agent's transcripts; None where they only go back as they were."""
    return _loaded("tapehead.agents.claude.resumable") if agent == "claude" else None


def retention_of(agent: str) -> Retention | None:
    """How long an agent keeps its transcripts; None where it deletes none, as far as anybody knows."""
    return _loaded(f"tapehead.agents.{agent}.retention") if agent in DELETING else None


DELETING = ("claude",)
"""The agents that delete old transcripts by themselves."""


def follower_of(agent: str) -> Follower | None:
    """Who follows an agent's transcripts for the memory; None where nobody does."""
    name = _FOLLOWERS.get(agent)
    return _loaded(name) if name else None


def places_of(agent: str) -> Places:
    """Where an agent keeps its transcripts."""
    return _loaded(_PLACES[agent])


def agent_of_file(path: str) -> str | None:
    """Whose transcript a file is, packed or not, by its name and first bytes; None where it is nobody's.

    Where nothing here can unpack it, its name alone must do: whoever reads it then says what is the matter.
    """
    try:
        with jsonl.open_jsonl(path) as file:
            head = file.read(_HEAD)
    except packed_files.Unreadable:
        head = b""
    name = packed_files.plain_name(path)
    return next((agent for agent in RECORDS if places_of(agent).is_own(name, head)), None)


def deliveries_of(agent: str) -> Deliveries | None:
    """Where an agent's record says what reached the model; None where it does not say."""
    name = _DELIVERIES.get(agent)
    return _loaded(name) if name else None
