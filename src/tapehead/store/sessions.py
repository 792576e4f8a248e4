"""StateStore: the only writer of state. It decides nothing, and it is told its directory."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from attrs import evolve

from tapehead.door import NotRegular
from tapehead.store import atomic, lock, off_switch, tape
from tapehead.store.codec_light import structure, unstructure
from tapehead.store.line import readable
from tapehead.store.paths import Layout, is_session_id, make_private
from tapehead.store.state import SCHEMA_VERSION
from tapehead.store.upgrades import upgrade

if TYPE_CHECKING:
    import builtins
    from collections.abc import Iterator
    from typing import Any

    from tapehead.store.line import Line
    from tapehead.store.state import State


class Unreadable(Exception):
    """A state file that cannot be read, with the reason."""


class StateStore:
    """The sessions below one directory."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def load(self, session_id: str) -> State | None:
        """The saved state, or None where there is none. Raises Unreadable where there is one that cannot be read."""
        try:
            raw = atomic.read(self.layout.state(session_id))
        except (NotRegular, PermissionError) as error:
            raise Unreadable(f"{type(error).__name__}: {error}") from error
        except FileNotFoundError:
            return None
        try:
            document = json.loads(raw)
            if type(document) is not dict:
                raise ValueError("not a JSON object")
            state = _checked(structure(upgrade(document)), session_id)
        except (ValueError, TypeError, RecursionError) as error:
            raise Unreadable(f"{type(error).__name__}: {error}") from error
        is_kept_out = state.transcript_path and off_switch.is_left_out(self.layout, session_id)
        return evolve(state, transcript_path="") if is_kept_out else state

    def readable(self, session_id: str, raw: builtins.list[bytes]) -> builtins.list[Line]:
        """Lines of a session's tape, as a state takes them in: of one that ran while tapehead was off, none leads to the transcript."""
        lines = readable(raw)
        if not lines or not off_switch.is_left_out(self.layout, session_id):
            return lines
        return [line._replace(data={**line.data, "transcript_path": "", "left_out": True}) for line in lines]

    def save(self, state: State) -> None:
        """Writes the state in one step, after the lines that it has read are as safe from a power cut as it will be."""
        tape.flush(self.layout.tape(state.session_id))
        data = json.dumps(unstructure(state), indent=1).encode() + b"\n"
        atomic.write(self.layout.state(state.session_id), data)

    def list(self) -> builtins.list[str]:
        """The ids of all sessions that have a state or a tape, in order of their names."""
        try:
            names = os.listdir(self.layout.sessions)
        except (FileNotFoundError, NotADirectoryError):
            return []
        found = {name.rsplit(".", 1)[0] for name in names if name.endswith((".json", ".tape"))}
        return sorted(filter(is_session_id, found))

    def behind(self, session_id: str, state: State | None) -> bool:
        """Whether the tape holds whole lines that the state has not read: one that was torn off waits for nobody.

        A state that an older version saved is behind with all of them: it lacks what that version did not take from the lines.
        """
        offset = 0 if state is None or state.schema_version < SCHEMA_VERSION else state.tape_offset
        try:
            size = os.stat(self.layout.tape(session_id)).st_size
        except FileNotFoundError:
            return False
        return size > offset and self.lines(session_id, offset)[1] > offset

    @contextmanager
    def transaction(self, session_id: str, wait: float) -> Iterator[bool]:
        """Holds a session's lock; yields False, holding nothing, where another holds it for longer than we wait."""
        held = lock.take(self.layout.lock(session_id), wait)
        try:
            yield held is not None
        finally:
            if held is not None:
                lock.release(held)

    def set_aside(self, session_id: str, reason: str, now_ns: int) -> str:
        """Moves an unreadable state file out of the way, with its reason beside it; returns where it is now."""
        make_private(self.layout.aside)
        kept = os.path.join(self.layout.aside, f"{session_id}.{now_ns}.json")
        os.rename(self.layout.state(session_id), kept)
        atomic.write(kept + ".reason", reason.encode("utf-8", "replace") + b"\n")
        return kept

    def clear(self, session_id: str) -> None:
        """Removes a session for good: state and tape. The lock's file stays while someone may hold it."""
        for path in (self.layout.state(session_id), self.layout.seen(session_id), self.layout.tape(session_id)):
            with suppress(FileNotFoundError):
                os.unlink(path)

    def archive(self, session_id: str) -> None:
        """Moves a session's files to the archive; the tape goes last, so that a crash in between is done again."""
        make_private(self.layout.archive)
        both = (self.layout.tape(session_id), os.path.join(self.layout.archive, session_id + ".tape"))
        if all(map(os.path.exists, both)):
            self._unite(session_id)
        for ending in (".json", ".seen", ".others", ".tape"):
            with suppress(FileNotFoundError):
                os.rename(self._file(session_id, ending), os.path.join(self.layout.archive, session_id + ending))
        for ending in (".lock", ".worker"):
            with suppress(FileNotFoundError):
                os.unlink(self._file(session_id, ending))

    def _unite(self, session_id: str) -> None:
        """A session that came back without a start has a tape of its own: it goes behind the one that the archive has.

        No state fits the two of them; whoever brings the session back makes it again from the tape.
        """
        kept = os.path.join(self.layout.archive, session_id + ".tape")
        known = set(tape.unread(kept, 0)[0])
        for line in self.lines(session_id)[0]:
            if line not in known:
                tape.append_raw(kept, line)
        self.clear(session_id)
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(self.layout.archive, session_id + ".json"))

    def unarchive(self, session_id: str) -> bool:
        """Brings a session back that comes to life again; False where the archive does not have it."""
        if os.path.exists(self.layout.tape(session_id)):
            return False
        back = False
        for ending in (".tape", ".json", ".seen", ".others"):
            with suppress(FileNotFoundError):
                os.rename(os.path.join(self.layout.archive, session_id + ending), self._file(session_id, ending))
                back = True
        return back

    def remove_all(self) -> None:
        """Removes everything that this store holds, and the store itself. No command does this by itself."""
        for directory, folders, files in os.walk(self.layout.root, topdown=False):
            for name in files:
                os.unlink(os.path.join(directory, name))
            for name in folders:
                _remove_folder(os.path.join(directory, name))
        with suppress(FileNotFoundError):
            os.rmdir(self.layout.root)

    def lines(self, session_id: str, offset: int = 0) -> tuple[builtins.list[bytes], int]:
        """The whole lines of a session's tape from an offset on, and the offset after them."""
        return tape.unread(self.layout.tape(session_id), offset)

    def append(self, session_id: str, line: dict[str, Any]) -> None:
        """One more line for a session's tape."""
        tape.append(self.layout.tape(session_id), line)

    def _file(self, session_id: str, ending: str) -> str:
        return os.path.join(self.layout.sessions, session_id + ending)


def _checked(state: State, session_id: str) -> State:
    """A state names the files that are written next, so it must be of the session whose file it was read from."""
    if state.session_id != session_id:
        raise ValueError(f"the state of another session: {state.session_id[:80]!r}")
    if state.tape_offset < 0:
        raise ValueError(f"no place on a tape: {state.tape_offset}")
    return state


def _remove_folder(path: str) -> None:
    """A link to a folder is removed as a link: what it points to is not ours."""
    if os.path.islink(path):
        os.unlink(path)
    else:
        os.rmdir(path)
