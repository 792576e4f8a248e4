"""A session that another machine handed over becomes one of this store: its tape, its story, its memory.

What came is another's word: names are looked at before they become files, and what unpacks to too much is left. A session that
this store knows by itself stays as it is. Done again, it is the same.
"""

from __future__ import annotations

import json
import os
import zlib

from tapehead.actions.fold import replay
from tapehead.statemachine.vocabulary import Event, Phase
from tapehead.store import atomic, tape
from tapehead.store.line import readable
from tapehead.store.paths import is_session_id, make_private
from tapehead.store.sessions import StateStore
from tapehead.store.state import State

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    from attrs import evolve

    from tapehead.store.paths import Layout
else:
    from tapehead.store.frozen import evolve
    from tapehead.transcript.named import NamedTuple

MARK = "carried.json"
"""Beside a session's captures: it came from elsewhere, and may come again."""
TAKEN = "taken.json"
"""Beside a session's captures: which handoffs of it were taken here."""
_MOST = 128 * 1024 * 1024
_WAIT = 10.0
_CLOSED = (Phase.ENDED, Phase.HALTED)


class Place(NamedTuple):
    """Where it arrives, and when."""

    worktree: str
    worktree_id: str
    now_ns: int
    pid: int


class Busy(Exception):
    """Another process is at work on the session."""


def receive(layout: Layout, files: dict[str, bytes], place: Place) -> dict[str, int]:
    """Takes in all sessions of a handoff; the new rows in the memory, by session."""
    sessions: dict[str, dict[str, bytes]] = {}
    for path, content in files.items():
        parts = path.split("/")
        if len(parts) == _PARTS and parts[0] == "sessions" and is_session_id(parts[1]):
            sessions.setdefault(parts[1], {})[parts[2]] = content
    return {session_id: _Arrival(layout, session_id, place).take(found) for session_id, found in sessions.items()}


_PARTS = 3


def is_carried(layout: Layout, session_id: str) -> bool:
    """Whether a session came from another machine: no agent of this one can open it again."""
    return os.path.exists(os.path.join(layout.captures(session_id), MARK))


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

    def __init__(self, layout: Layout, session_id: str, place: Place) -> None:
        self.layout = layout
        self.session_id = session_id
        self.place = place
        self.store = StateStore(layout)
        self.folder = layout.captures(session_id)
        self.transcript = os.path.join(self.folder, "transcript.jsonl")

    def take(self, files: dict[str, bytes]) -> int:
        self.store.unarchive(self.session_id)
        with self.store.transaction(self.session_id, _WAIT) as held:
            if not held:
                raise Busy(self.session_id)
            if not os.path.exists(self.layout.tape(self.session_id)) or is_carried(self.layout, self.session_id):
                self._settle_in(files)
        return self._remember(unpacked(files.get("turns.jsonl.gz", b"")))

    def _settle_in(self, files: dict[str, bytes]) -> None:
        """The mark first: whatever breaks after it is done again."""
        make_private(self.folder)
        atomic.write(self._file(MARK), b"{}\n")
        for name, content in files.items():
            if name in ("state.md", "notes.md", "notes.json") or _is_summary(name):
                atomic.write(self._file(name), content)
        atomic.write(self.transcript, unpacked(files.get("transcript.gz", b"")))
        lines = [self._here(line) for line in unpacked(files.get("tape.gz", b"")).split(b"\n")]
        lines = [*filter(None, lines), self._ours({"note": "carried"})]
        if self._replayed(lines).phase not in _CLOSED:
            lines.append(self._ours({"event": Event.PROCESS_LOST.value}))  # its process is not one of this machine
        atomic.write(self.layout.tape(self.session_id), b"".join(line + b"\n" for line in lines))
        self.store.save(self._replayed(lines))

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
        return json.dumps({**found, "data": here}, separators=(",", ":")).encode()

    def _ours(self, line: dict[str, object]) -> bytes:
        now = self.place.now_ns
        stamped = {"id": tape.stamp(now, self.place.pid), "at": tape.instant(now), "host": "tapehead"}
        return json.dumps({**stamped, **line}, separators=(",", ":")).encode()

    def _remember(self, raw: bytes) -> int:
        if not raw:
            return 0
        from tapehead.memory import carried  # noqa: PLC0415 - only where something came
        from tapehead.memory.database import Database  # noqa: PLC0415 - as above
        from tapehead.memory.keeping import Keeper  # noqa: PLC0415 - as above

        first, *lines = raw.split(b"\n")
        said = _object(first)
        state = self.store.load(self.session_id) or State(self.session_id)
        about = {**said, "session": self.session_id, "agent": state.agent, "cwd": self.place.worktree}
        with Database(self.layout.memory) as database:
            if is_session_id(before := str(said.get("predecessor") or "")):
                at = state.started_at.isoformat() if state.started_at else ""
                rule = said["rule"] if type(said.get("rule")) is int else 0
                Keeper(database).inherit(self.session_id, before, rule, at)
            size = os.path.getsize(self.transcript) if os.path.exists(self.transcript) else 0
            return carried.take(database, about, carried.read(lines), os.path.realpath(self.transcript), size)

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


def unpacked(raw: bytes, most: int = _MOST) -> bytes:
    """What `gzip` packed; nothing where it is damaged, or more than anybody would send."""
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = reader.decompress(raw, most)
    except zlib.error:
        return b""
    return found if reader.eof else b""
