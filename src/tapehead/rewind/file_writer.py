"""Puts the files of a work tree back, byte for byte: past git's filters, without the user's index, and without HEAD.

All that could go wrong is looked for first. What is to be written is laid ready, then put in place file by file; where that fails all the same,
what was done is taken back. A kill leaves what the safety can undo: everything that is touched was kept before.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from tapehead import door, system
from tapehead.git import raw_files
from tapehead.store import atomic
from tapehead.store.paths import make_private

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.git.raw_files import Real, Reals
    from tapehead.git.side import Side

_AT_ONCE = 1 << 26
_EXECUTABLE = 0o111


class Impossible(Exception):
    """It cannot be carried out whole, so nothing was touched; with the files."""

    def __init__(self, reason: str, files: tuple[bytes, ...] = ()) -> None:
        super().__init__(reason)
        self.files = files


@attrs.frozen
class Plan:
    """How each file is to be; what differs from that now."""

    wanted: Reals = attrs.field(factory=dict)
    left: tuple[bytes, ...] = ()
    """What would have to make room and is in no record, or belongs to another repository: it stays, and so it is not written."""

    @property
    def files(self) -> tuple[bytes, ...]:
        return tuple(sorted(self.wanted))

    @property
    def write(self) -> dict[bytes, Real]:
        return {path: one for path, one in self.wanted.items() if one}

    @property
    def remove(self) -> tuple[bytes, ...]:
        return tuple(sorted(path for path, one in self.wanted.items() if one is None))


def keep(side: Side, root: str, plan: Plan) -> Reals:
    """What lies now where a plan would touch something: bytes, permissions and links, in our own store."""
    found: Reals = {}
    unread = []
    for path in plan.files:
        try:
            found[path] = raw_files.look(
                os.fsencode(root), path, os.path.join(side.path, "objects"), side.like(), exact=True
            )
        except OSError:
            unread.append(path)
    if unread:
        raise Impossible("these files cannot be read, so nothing could bring them back", tuple(unread))
    return found


def put_back(side: Side, root: str, plan: Plan, before: Reals) -> None:
    """Does it, whole or not at all."""
    base = os.fsencode(root)
    _check(base, plan)
    ready = os.path.join(side.path, f"scratch-{os.getpid()}-{time.monotonic_ns()}")
    make_private(ready)
    done: list[bytes] = []
    try:
        laid = _lay_ready(side, ready, plan.write)
        try:
            for path in sorted(plan.remove, reverse=True):
                done.append(path)
                _take(base, path)
            for path, one in sorted(plan.write.items()):
                done.append(path)
                _place(base, path, one, laid[one.name])
        except OSError:
            _take_back(side, base, {path: before.get(path) for path in done}, ready)
            raise
    finally:
        _clear(ready)


def _check(base: bytes, plan: Plan) -> None:
    """That every folder can be written to: git's own half-done checkouts come from there."""
    bad = []
    for path in plan.files:
        folder = os.path.dirname(os.path.join(base, path))
        while not os.path.lexists(folder):
            folder = os.path.dirname(folder)
        if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK):
            bad.append(path)
    if bad:
        raise Impossible("these files lie where nothing may be written", tuple(bad))


def _lay_ready(side: Side, ready: str, wanted: dict[bytes, Real]) -> dict[str, str]:
    """Each blob as a file. Raises where git lacks one: nothing was touched then."""
    names = sorted({one.name for one in wanted.values()})
    laid = {}
    for chunk in _chunks(side, names):
        raw = side.git("cat-file", "--batch", stdin="".join(f"{name}\n" for name in chunk).encode(), most=1 << 31)
        at = 0
        for name in chunk:
            end = raw.index(b"\n", at)
            size = int(raw[at:end].rpartition(b" ")[2])
            laid[name] = os.path.join(ready, name)
            atomic.write(laid[name], raw[end + 1 : end + 1 + size], flushed=False)
            at = end + size + 2
    return laid


def _chunks(side: Side, names: list[str]) -> Iterator[list[str]]:
    """So many at once as fit into memory."""
    raw = side.git("cat-file", "--batch-check", stdin="".join(f"{name}\n" for name in names).encode()) if names else b""
    chunk: list[str] = []
    room = _AT_ONCE
    lost = [row.split(b" ")[0].decode() for row in raw.splitlines() if row.endswith(b" missing")]
    if lost:
        raise Impossible(f"git has thrown away {len(lost)} of the recorded files (such as {lost[0][:12]})")
    for row in raw.decode("ascii").splitlines():
        name, _, size = row.split(" ")
        room -= int(size)
        if chunk and room < 0:
            yield chunk
            chunk, room = [], _AT_ONCE - int(size)
        chunk.append(name)
    if chunk:
        yield chunk


def _take(base: bytes, path: bytes) -> None:
    """Removes a file, and the folders that were there for it alone."""
    with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
        os.unlink(os.path.join(base, path))
    folder = os.path.dirname(path)
    while folder:
        try:
            os.rmdir(os.path.join(base, folder))
        except OSError:
            return
        folder = os.path.dirname(folder)


def _place(base: bytes, path: bytes, one: Real, content: str) -> None:
    """One file or link, in one step."""
    full = os.path.join(base, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    scratch = os.path.join(os.path.dirname(full), b".tapehead-%d-%d" % (os.getpid(), time.monotonic_ns()))
    try:
        if one.mode == raw_files.LINK:
            os.symlink(os.fsencode(atomic.read(content)), scratch)
        else:
            _copied(content, scratch, _permissions(full, one))
        if os.path.isdir(full) and not os.path.islink(full):
            os.rmdir(full)  # an empty one: what lies in it would have been in the way
        os.replace(scratch, full)
    except BaseException:
        with suppress(OSError):
            os.unlink(scratch)
        raise


def _copied(content: str, scratch: bytes, permissions: int) -> None:
    out = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.PRIVATELY, 0o600)
    try:
        with door.open_reader(content) as source:
            while piece := source.read(1 << 20):
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(out, rest) :]
        system.set_mode(out, permissions)
    finally:
        os.close(out)


def _permissions(full: bytes, one: Real) -> int:
    """As recorded; or else as the file that lies there has them, and may be run or not; or as any new file's."""
    if one.permissions:
        return one.permissions
    try:
        found = os.lstat(full).st_mode
    except OSError:
        found = 0
    if not stat.S_ISREG(found):
        mask = os.umask(0)
        os.umask(mask)
        found = 0o666 & ~mask
    bits = stat.S_IMODE(found)
    return bits | (bits & 0o444) >> 2 if one.mode == raw_files.PROGRAM else bits & ~_EXECUTABLE


def _take_back(side: Side, base: bytes, before: Reals, ready: str) -> None:
    """As it was before, as far as that goes: what breaks here, too, the safety still has."""
    laid = _lay_ready(side, ready, {path: one for path, one in before.items() if one})
    for path, one in sorted(before.items(), key=lambda row: (row[1] is not None, row[0])):
        with suppress(OSError):
            if one is None:
                _take(base, path)
            else:
                _place(base, path, one, laid[one.name])


def _clear(ready: str) -> None:
    for name in os.listdir(ready):
        atomic.remove(os.path.join(ready, name))
    with suppress(OSError):
        os.rmdir(ready)
