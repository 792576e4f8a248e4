"""Carrying a trim out: beside the rollout and then in its place, with the original kept until the user lets go of it.

Codex locks a thread while it writes to it (`thread-writer-locks/<thread>.lock`). A trim takes the same lock, so that neither comes between the
other. The original is copied first and safe from a power cut before anything is replaced: whoever kills a trim leaves either the old
rollout or the new one, whole, and in both cases the original.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from tapehead import door, system
from tapehead.agents.codex.trimming import LARGEST, Refused
from tapehead.store import atomic, lock
from tapehead.store.paths import is_session_id, make_private

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOCKS = "thread-writer-locks"
_COORDINATION = ".coordination.lock"
_PATIENCE = 5.0
_OLD, _NEW = "old", "new"
WENT_ON = "went on"
"""The thread has more lines than the trim gave it."""
UNKNOWN = "changed"
"""The rollout is neither what it was before the trim, nor what the trim made of it."""


class Trims:
    """The originals of rollouts that were trimmed."""

    def __init__(self, home: str) -> None:
        self.folder = os.path.join(home, "trims")

    def records(self) -> list[dict[str, Any]]:
        """What is kept, oldest first."""
        with suppress(OSError):
            found = (self.record(name) for name in os.listdir(self.folder) if is_session_id(name))
            return sorted((each for each in found if each), key=lambda each: str(each["at"]))
        return []

    def record(self, thread: str) -> dict[str, Any] | None:
        """What is kept of one thread."""
        with suppress(OSError, ValueError):
            found = json.loads(atomic.read(self._path(thread, "trim.json")))
            return found if isinstance(found, dict) and found.get("thread") == thread else None
        return None

    def apply(self, path: str, raw: bytes, line: bytes, thread: str, at: str) -> None:
        """Puts the line behind the rollout, if that is still what was planned with. The lock is held by the caller. Raises Refused."""
        if (kept := self.record(thread)) and self.state(kept) != _OLD:
            raise Refused("the original of an earlier trim is still kept: `tapehead trim --let-go` or `--undo` first")
        make_private(os.path.dirname(self.folder))
        make_private(self.folder)
        make_private(os.path.join(self.folder, thread))
        atomic.write(self._path(thread, "original.jsonl"), raw)
        new = raw + line
        record = {"thread": thread, "path": path, "at": at, _OLD: _sum(raw), _NEW: _sum(new), "size": len(new)}
        atomic.write(self._path(thread, "trim.json"), json.dumps(record, indent=1).encode())
        _replace(path, raw, new)

    def state(self, record: dict[str, Any]) -> str:
        """Where a rollout stands: `old` (nothing was replaced, or it was undone), `new`, `went on` or `changed`."""
        raw = _read(str(record["path"]))
        if _sum(raw) in (record[_OLD], record[_NEW]):
            return _OLD if _sum(raw) == record[_OLD] else _NEW
        size = record.get("size")
        return WENT_ON if isinstance(size, int) and _sum(raw[:size]) == record[_NEW] else UNKNOWN

    def undo(self, record: dict[str, Any], *, force: bool) -> str:
        """Puts the original back, byte for byte; where the thread went on, that is kept beside it. Raises Refused. Returns how it stood."""
        thread, path = str(record["thread"]), str(record["path"])
        original = atomic.read(self._path(thread, "original.jsonl"))
        if _sum(original) != record[_OLD]:
            raise Refused("the original that was kept is damaged: nothing was changed")
        state = self.state(record)
        if state == UNKNOWN or (state == WENT_ON and not force):
            raise Refused(
                "the thread went on since, and would lose that"
                if state == WENT_ON
                else "the rollout was changed by others"
            )
        now = _read(path)
        if state == WENT_ON:
            atomic.write(self._path(thread, f"went-on-{_sum(now)[:12]}.jsonl"), now)
        if state != _OLD:
            _replace(path, now, original)
        os.unlink(self._path(thread, "trim.json"))
        os.unlink(self._path(thread, "original.jsonl"))
        return state

    def let_go(self, thread: str) -> None:
        """Deletes what is kept of a thread."""
        shutil.rmtree(os.path.join(self.folder, thread))

    def _path(self, thread: str, name: str) -> str:
        if not is_session_id(thread):
            raise Refused(f"no thread has the id {thread[:40]!r}")
        return os.path.join(self.folder, thread, name)


def read(path: str) -> bytes:
    """A rollout, if it is a file of the user's own that trim can take. Raises Refused."""
    try:
        about = os.lstat(path)
    except OSError as error:
        raise Refused(f"it cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(about.st_mode) or about.st_uid != system.user_id() or about.st_nlink != 1:
        raise Refused("it is no file of your own, or has other names too")
    if about.st_size > LARGEST:
        raise Refused(f"it is larger than {LARGEST >> 20} MB")
    return _read(path)


@contextmanager
def writer_lock(path: str, thread: str) -> Iterator[None]:
    """Holds Codex's own lock of a thread. Raises Refused where Codex has it, or where nobody can tell."""
    root = _codex_home(path)
    folder = os.path.join(root, _LOCKS)
    if not os.path.isdir(folder):
        raise Refused(f"{folder} is missing: nobody can tell whether Codex is at work on it")
    name = os.path.join(folder, f"{thread}.lock")
    coordination = lock.take(os.path.join(folder, _COORDINATION), _PATIENCE)
    try:
        held = lock.take(name, 0) if coordination is not None else None
    finally:
        if coordination is not None:
            lock.release(coordination)
    if held is None:
        raise Refused("Codex has it open: close it there first")
    try:
        if pids := _open_in(path):
            raise Refused(f"process {pids[0]} has it open")
        yield
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)
        lock.release(held)


def _codex_home(path: str) -> str:
    above = os.path.dirname(path)
    while os.path.basename(above) not in ("sessions", ""):
        above = os.path.dirname(above)
    if not os.path.basename(above):
        raise Refused("it is not in Codex's folder `sessions`")
    return os.path.dirname(above)


def _open_in(path: str) -> list[int]:
    """Processes that have a file open, as far as this user may look."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit() and int(name) != os.getpid():
            with suppress(OSError):
                folder = f"/proc/{name}/fd"
                if any(_leads_to(f"{folder}/{each}", path) for each in os.listdir(folder)):
                    found.append(int(name))
    return found


def _leads_to(link: str, path: str) -> bool:
    with suppress(OSError):
        return os.readlink(link) == path
    return False


def _replace(path: str, expected: bytes, new: bytes) -> None:
    """Writes beside and swaps, if the file is still what was read. It keeps its rights."""
    mode = stat.S_IMODE(os.lstat(path).st_mode)
    beside = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.tapehead")
    with suppress(FileNotFoundError):
        os.unlink(beside)  # of a trim that was killed
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.PRIVATELY, mode)
    try:
        rest = memoryview(new)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if _read(path) != expected:
        os.unlink(beside)
        raise Refused("it changed while it was read: Codex is at work on it")
    system.replace(beside, path)
    system.flush_directory(os.path.dirname(path))


def _read(path: str) -> bytes:
    with door.open_reader(path) as file:
        return file.read()


def _sum(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
