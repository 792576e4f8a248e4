"""A session that another machine handed over becomes one of this store: its tape, its brief, its memory.

What came is another's word: names are looked at before they become files, and what unpacks to too much is refused. It brings only its own:
the session that was handed over and those that it goes on from. A session that this store knows by itself gets nothing, and one that came
through another remote neither. Done again, it is the same.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

from attrs import evolve

from tapehead.actions.fold import replay
from tapehead.handoff.unpacking import Unpacker
from tapehead.statemachine.vocabulary import Event
from tapehead.store import atomic, origin, tape
from tapehead.store.line import readable
from tapehead.store.paths import is_session_id, make_private
from tapehead.store.sessions import StateStore
from tapehead.store.state import State

if TYPE_CHECKING:
    from typing import Any

    from tapehead.history.layers import Entry
    from tapehead.store.paths import Layout

TAKEN = "taken.json"
"""Beside a session's captures: which handoffs of it were taken here."""
_GENERATIONS = 5
"""Sessions of one handoff: the one that was handed over, and those before it."""
_FILES = 200
"""Files of one session."""
_ROWS = 500_000
_LONGEST = 1 << 20
"""Bytes of a file that is not compressed."""
_WAIT = 10.0


class Place(NamedTuple):
    """Where it arrives, and when."""

    worktree: str
    worktree_id: str
    now_ns: int
    pid: int


class Sender(NamedTuple):
    """Who handed what over. It is what they say of themselves."""

    session: str
    """The session that was handed over."""
    remote: str = ""
    by: str = ""
    went_there: frozenset[str] = frozenset()
    """The sessions that were handed over through the same remote before: one of ours that did may have been gone on with."""


class Busy(Exception):
    """Another process is at work on the session."""


def receive(layout: Layout, files: dict[str, bytes], place: Place, sender: Sender) -> dict[str, int]:
    """Takes in the sessions of a handoff; the new rows in the memory, by session. Raises TooMuch before anything is written."""
    unpack = Unpacker()
    sessions = {name: _unpacked(found, unpack) for name, found in _by_session(files).items()}
    chain: list[_Arrival] = []
    name = sender.session
    while name in sessions and len(chain) < _GENERATIONS and name not in {one.session_id for one in chain}:
        chain.append(_Arrival(layout, name, place, sender, frozenset(sessions)))
        name = chain[-1].predecessor(sessions[name])
    return {one.session_id: one.take(sessions[one.session_id]) for one in chain}


def _by_session(files: dict[str, bytes]) -> dict[str, dict[str, bytes]]:
    sessions: dict[str, dict[str, bytes]] = {}
    for path, content in files.items():
        parts = path.split("/")
        if len(parts) == _PARTS and parts[0] == "sessions" and is_session_id(parts[1]):
            found = sessions.setdefault(parts[1], {})
            if len(found) < _FILES:
                found[parts[2]] = content
    return sessions


_PARTS = 3
_PACKED = (".gz",)


def _unpacked(files: dict[str, bytes], unpack: Unpacker) -> dict[str, bytes]:
    """All files of a session, none of them compressed."""
    packed = {name: unpack(content) for name, content in files.items() if name.endswith(_PACKED)}
    plain = {name: content for name, content in files.items() if name not in packed and len(content) <= _LONGEST}
    return {**packed, **plain}


def took(layout: Layout, session_id: str, handoff: str, by: str) -> None:
    """Remembers by which word a handoff was taken here."""
    make_private(layout.captures(session_id))
    path = os.path.join(layout.captures(session_id), TAKEN)
    atomic.write(path, json.dumps({**taken_here(layout, session_id), handoff: by}).encode() + b"\n")


def taken_here(layout: Layout, session_id: str) -> dict[str, Any]:
    """The handoffs of a session that were taken here, each with the word."""
    try:
        return _object(atomic.read(os.path.join(layout.captures(session_id), TAKEN)))
    except OSError:
        return {}


class _Arrival:
    """One session's."""

    def __init__(self, layout: Layout, session_id: str, place: Place, sender: Sender, together: frozenset[str]) -> None:
        self.layout = layout
        self.session_id = session_id
        self.place = place
        self.sender = sender
        self.together = together
        """The sessions that came with it."""
        self.store = StateStore(layout)
        self.folder = layout.captures(session_id)
        self.transcript = os.path.join(self.folder, "transcript.jsonl")

    def predecessor(self, files: dict[str, bytes]) -> str:
        """The session that this one goes on from, by its own tape."""
        return self._replayed(self._lines(files)).predecessor

    def take(self, files: dict[str, bytes]) -> int:
        if not self._may_come():
            return 0
        self.store.unarchive(self.session_id)
        with self.store.transaction(self.session_id, _WAIT) as held:
            if not held:
                raise Busy(self.session_id)
            if not self._may_come():
                return 0
            self._settle_in(files)
        return self._remember(files.get("turns.jsonl.gz", b""))

    def _may_come(self) -> bool:
        """Not where this store knows the session by itself, from hooks or from an import; nor where it came through another remote."""
        former = origin.sender(self.layout, self.session_id)
        if former is not None:
            return former[0] in ("", self.sender.remote)
        return not origin.is_own(self.layout, self.session_id) and not self._is_remembered()

    def _is_remembered(self) -> bool:
        if not os.path.exists(self.layout.memory):
            return False
        from tapehead.history.database import Database  # noqa: PLC0415 - only where there is a memory
        from tapehead.history.recall import Recall  # noqa: PLC0415 - as above

        with Database(self.layout.memory) as database:
            return bool(Recall(database).sessions(self.session_id))

    def _settle_in(self, files: dict[str, bytes]) -> None:
        """The mark first: whatever breaks after it is done again."""
        make_private(self.folder)
        origin.mark(self.layout, self.session_id, self.sender.remote, self.sender.by)
        for name, content in files.items():
            if name in ("state.md", "notes.md", "notes.json") or _is_summary(name):
                atomic.write(self._file(name), content)
        atomic.write(self.transcript, files.get("transcript.gz", b""))
        lines = [*self._lines(files), self._ours({"note": "carried"})]
        if not self._replayed(lines).phase.is_closed:
            lines.append(self._ours({"event": Event.PROCESS_LOST.value}))  # its process is not one of this machine
        atomic.write(self.layout.tape(self.session_id), b"".join(line + b"\n" for line in lines))
        self.store.save(self._replayed(lines))

    def _lines(self, files: dict[str, bytes]) -> list[bytes]:
        return [line for raw in files.get("tape.gz", b"").split(b"\n")[:_ROWS] if (line := self._here(raw))]

    def _believed(self, predecessor: object) -> str:
        """The predecessor that a session names, where it can be true: one that came along, or one of ours that was handed over there."""
        if not is_session_id(predecessor) or predecessor == self.session_id:
            return ""
        known = predecessor in self.together or predecessor in self.sender.went_there
        return str(predecessor) if known else ""

    def _replayed(self, lines: list[bytes]) -> State:
        state = State(self.session_id)
        for move in replay(self.session_id, readable(lines)):
            state = move.state
        return evolve(state, tape_offset=sum(len(line) + 1 for line in lines))

    def _here(self, line: bytes) -> bytes:
        """A line with the places of this machine; nothing for what is none."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return b""
        if not isinstance(found, dict) or not isinstance(data := found.get("data") or {}, dict):
            return b""
        places = {
            "worktree": self.place.worktree,
            "worktree_id": self.place.worktree_id,
            "transcript_path": self.transcript,
            "pid": None,
        }
        here = {**data, **{name: value for name, value in places.items() if name in data}}
        if "predecessor" in here:
            here["predecessor"] = self._believed(here["predecessor"])
        found.pop("sum", None)  # of the line as it was there
        return tape.with_sum(json.dumps({**found, "data": here}, separators=(",", ":")).encode())

    def _ours(self, line: dict[str, object]) -> bytes:
        now = self.place.now_ns
        stamped = {"id": tape.stamp(now, self.place.pid), "at": tape.instant(now), "host": "tapehead"}
        return tape.with_sum(json.dumps({**stamped, **line}, separators=(",", ":")).encode())

    def _remember(self, raw: bytes) -> int:
        if not raw:
            return 0
        from tapehead.history import session_lines  # noqa: PLC0415 - only where something came
        from tapehead.history.database import Database  # noqa: PLC0415 - as above
        from tapehead.history.writing import Keeper  # noqa: PLC0415 - as above

        first, *lines = raw.split(b"\n")
        said = _object(first)
        state = self.store.load(self.session_id) or State(self.session_id)
        about = {**said, "session": self.session_id, "agent": state.agent, "cwd": self.place.worktree}
        with Database(self.layout.memory) as database:
            if before := self._believed(said.get("predecessor")):
                at = state.started_at.isoformat() if state.started_at else ""
                rule = said["rule"] if type(said.get("rule")) is int else 0
                Keeper(database).inherit(self.session_id, before, rule, at)
            size = os.path.getsize(self.transcript) if os.path.exists(self.transcript) else 0
            rows = [self._own_row(row) for row in session_lines.read(lines[:_ROWS])]
            return session_lines.take(database, about, rows, os.path.realpath(self.transcript), size)

    def _own_row(self, row: Entry) -> Entry:
        """A row that says to be copied from a session counts as that one's only where that came along too."""
        return row if row.origin in self.together else row._replace(origin="")

    def _file(self, name: str) -> str:
        return os.path.join(self.folder, name)


def _is_summary(name: str) -> bool:
    return name.startswith("summary-") and name.endswith(".md") and name[8:-3].isdecimal() and name.isascii()


def _object(raw: bytes) -> dict[str, Any]:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
