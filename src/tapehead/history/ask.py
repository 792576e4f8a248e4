"""The history, for those who ask in plain words: `recall` gives hits with pointers, `open` gives what a pointer stands for.

One door for the commands and for the server: neither knows how the search works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tapehead.history import layers
from tapehead.history.pointers import Pointer, parse_pointer, shorten_ids
from tapehead.history.recall import Recall
from tapehead.history.search import LIMIT, Hit, Wanted, search

if TYPE_CHECKING:
    from tapehead.history.database import Database
    from tapehead.history.layers import Entry


class NoSuchPointer(Exception):
    """There is nothing behind a pointer; the words say why."""


class Passage(NamedTuple):
    """A hit, and the pointer that opens its turn."""

    pointer: str
    hit: Hit


class Opened(NamedTuple):
    """A turn, and everything in it."""

    session: str
    turn: int
    time: str
    line: str
    entries: list[Entry]
    """In their order, without the line."""
    taken_back: bool = False
    """The user cancelled the turn, or went back to before it: it is not in the conversation any more."""
    only_running: bool = False
    """Nothing in it is of the time that was asked for: the turn was running then."""


class History:
    """Asks one open database. It writes nothing."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def recall(self, question: str, *, file: str = "", since: str = "", limit: int = LIMIT) -> list[Passage]:
        """The best hits for a question in plain words; `since` is a time in ISO form."""
        return self.ask(Wanted(question, file=file, since=since, limit=limit))

    def ask(self, wanted: Wanted) -> list[Passage]:
        """The best hits, with all that a search can be narrowed to."""
        hits = search(self.database, wanted)
        ids = shorten_ids(list({hit.session for hit in hits}), self.session_ids() if hits else [])
        return [Passage(str(Pointer(ids[hit.session], hit.turn)), hit) for hit in hits]

    def open(self, pointer: str) -> Opened:
        """Everything of the turn that a pointer stands for."""
        found = parse_pointer(pointer)
        if found is None:
            raise NoSuchPointer(f"{pointer!r} is not a pointer; a pointer looks like 3f2a91bc/12")
        recall = Recall(self.database)
        known = recall.known(found.session)
        if found.session not in known and len(known) != 1:
            raise NoSuchPointer(f"{len(known) or 'no'} sessions begin with {found.session!r}")
        session = found.session if found.session in known else known[0]
        entries = recall.turn(session, found.turn)
        if not entries:
            raise NoSuchPointer(f"session {session} has no turn {found.turn}")
        return open_turn(session, found.turn, entries)

    def session_ids(self) -> list[str]:
        """All sessions that are known here."""
        return [str(row[0]) for row in self.database.rows("SELECT id FROM sessions")]


def open_turn(session: str, turn: int, entries: list[Entry]) -> Opened:
    """A turn of some entries."""
    line = next((entry.body for entry in entries if entry.kind == layers.LINE), "")
    time = next((entry.time for entry in entries if entry.time), "")
    gone = any(entry.kind == layers.TAKEN_BACK for entry in entries)
    return Opened(session, turn, time, line, [entry for entry in entries if entry.layer > layers.SKELETON], gone)
