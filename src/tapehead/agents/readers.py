"""Who reads which agent's transcripts. Loaded where a transcript is read, never by a light hook."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from tapehead.transcript.recorded import Batch, Cursor
    from tapehead.transcript.turns import Reading, Turn
else:
    Protocol = object  # only mypy looks at Protocols, and making them takes time

_READERS = {"claude": "tapehead.agents.claude.transcript"}
_FOLLOWERS = {"claude": "tapehead.agents.claude.following"}
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


def deliveries_of(agent: str) -> Deliveries | None:
    """Where an agent's record says what reached the model; None where it does not say."""
    name = _DELIVERIES.get(agent)
    return import_module(name) if name else None
