"""Who reads which agent's transcripts. Loaded where a transcript is read, never by a light hook."""

from __future__ import annotations

from importlib import import_module

from tapehead.transcript.jsonl import opened
from tapehead.transcript.packed import plain_name

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Protocol

    from tapehead.transcript.recorded import Batch, Cursor
    from tapehead.transcript.turns import Reading, Turn
else:
    Protocol = object  # only mypy looks at Protocols, and making them takes time

_READERS = {agent: f"tapehead.agents.{agent}.transcript" for agent in ("claude", "codex", "gemini")}
_FOLLOWERS = {agent: f"tapehead.agents.{agent}.following" for agent in _READERS}
_PLACES = {agent: f"tapehead.agents.{agent}.places" for agent in _READERS}
_DELIVERIES = {"claude": "tapehead.agents.claude.delivery"}


class Reader(Protocol):
    """A module that turns one agent's own record into turns."""

    def read(self, path: str, offset: int = 0) -> Reading:
        """Everything from a byte on."""

    def skim(self, path: str, offset: int = 0) -> Iterator[Turn]:
        """All turns for a digest, one at a time."""


class Follower(Protocol):
    """A module that gives an agent's own record to the memory, step by step."""

    def follow(self, path: str, cursor: Cursor = ..., *, final: bool = False, at_once: int = ...) -> Iterator[Batch]:
        """What is new since the cursor, in batches; `final` where nobody writes the file any more."""


class Places(Protocol):
    """A module that knows where an agent keeps its own record, and whose a file is."""

    def transcripts(self, home: str, env: Mapping[str, str]) -> Iterator[str]:
        """Every file that is kept."""

    def is_own(self, name: str, head: bytes) -> bool:
        """Whether a file is this agent's, by the name that it had before it was packed and the first bytes in it."""

    def session_of(self, path: str) -> str:
        """The session that a file belongs to; empty where it does not say."""


class Deliveries(Protocol):
    """A module that knows what an agent's record says of our own words."""

    def received(self, path: str, offset: int = 0) -> Iterator[str]:
        """What the host says that the model got from hooks, from a byte on."""


def reader_of(agent: str) -> Reader | None:
    """The reader of an agent's transcripts; None where that agent has none."""
    name = _READERS.get(agent)
    return import_module(name) if name else None


def follower_of(agent: str) -> Follower | None:
    """Who follows an agent's transcripts for the memory; None where nobody does."""
    name = _FOLLOWERS.get(agent)
    return import_module(name) if name else None


def places_of(agent: str) -> Places | None:
    """Where an agent keeps its transcripts; None where nobody knows."""
    name = _PLACES.get(agent)
    return import_module(name) if name else None


def agent_of_file(path: str) -> str | None:
    """Whose record a file is, packed or not, from its name and its first bytes; None where it is nobody's that is known."""
    try:
        with opened(path) as file:
            head = file.read(_HEAD)
    except OSError:
        return None
    return next((agent for agent in _PLACES if _is_own(agent, plain_name(path), head)), None)


def _is_own(agent: str, name: str, head: bytes) -> bool:
    places = places_of(agent)
    return places is not None and places.is_own(name, head)


_HEAD = 64 * 1024


def deliveries_of(agent: str) -> Deliveries | None:
    """Where an agent's record says what reached the model; None where it does not say."""
    name = _DELIVERIES.get(agent)
    return import_module(name) if name else None
