"""The tape: one append-only file of lines per session, the input of the machine. Light: every hook writes one line.

A line is appended with one write on an O_APPEND descriptor, so that writers need no lock. It is never rewritten. Only whole
lines are read: one without its newline waits for the next time. A kill in the middle of a long write, or a full disk, can
tear a line off; the next writer starts on a line of its own.
"""

from __future__ import annotations

import json
import os
import time
from binascii import crc32
from itertools import count
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.store.paths import open_own

if TYPE_CHECKING:
    from collections.abc import Callable

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CREAT


_NUMBER = count()


def stamp(now_ns: int, pid: int) -> str:
    """A line's own name: its time, its writer, and how many the writer wrote before. The order of lines is the file's."""
    return f"{now_ns:016x}-{pid:x}-{next(_NUMBER)}"


def instant(now_ns: int) -> str:
    """A time as the tape writes it: UTC, microseconds, a fixed width, so that text order is time order."""
    seconds, rest = divmod(now_ns, 1_000_000_000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{rest // 1000:06d}Z"


def append(path: str, line: dict[str, object]) -> None:
    """Puts one line at the end of a tape, making the tape if need be.

    Raises OSError where it cannot be written, and where only a part could be (a full disk): that part stays, as a
    damaged line, and the next line starts on its own.
    """
    append_raw(path, with_sum(json.dumps(line, separators=(",", ":")).encode()))


_SUM = b'{"sum":"'
_SUM_SIZE = len(_SUM) + 8 + 2


def with_sum(line: bytes) -> bytes:
    """A line with its own checksum as the first field, so that `doctor` notices where a disk changed a byte of it.

    Not as the last: there stands by what a line is known (duplicate_hooks.py).
    """
    return b'%s%08x",%s' % (_SUM, crc32(line), line[1:])


def is_as_written(line: bytes) -> bool:
    """Whether a line still has its checksum; of one that has none, nobody can tell."""
    return not line.startswith(_SUM) or line == with_sum(b"{" + line[_SUM_SIZE:])


def append_raw(path: str, line: bytes) -> None:
    """The same for a line that is already written out."""
    data = line + b"\n"
    descriptor = open_own(path, _FLAGS)
    try:
        if not _starts_a_line(descriptor, os.fstat(descriptor).st_size):
            data = b"\n" + data  # what a full disk or a crash tore off before us must not take this line along
        _put(descriptor, data, path)
        if not data.startswith(b"\n") and _hangs_on_another(descriptor, len(data)):
            _put(descriptor, b"\n" + data, path)
    finally:
        close(descriptor)


def close(descriptor: int) -> None:
    """Lets go of a tape, without a word: a line that is there must not be written elsewhere again."""
    try:
        os.close(descriptor)
    except OSError:
        return


def flush(path: str) -> None:
    """Has the tape survive a power cut as it stands. No tape: nothing to do."""
    try:
        descriptor = open_own(path, system.TO_FLUSH)
    except FileNotFoundError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unread(path: str, offset: int) -> tuple[list[bytes], int]:
    """The whole lines from an offset on, and the offset after the last of them. No tape: no lines."""
    try:
        descriptor = open_own(path)
    except (FileNotFoundError, NotADirectoryError):
        return [], offset
    try:
        data = _read_from(descriptor, offset)
    finally:
        os.close(descriptor)
    end = data.rfind(b"\n") + 1
    return data[:end].split(b"\n")[:-1], offset + end


def tail(path: str, size: int) -> list[bytes]:
    """The newest whole lines that fit into so many bytes: what it costs does not grow with the tape."""
    return end(path, size).split(b"\n")[:-1]


def end(path: str, size: int) -> bytes:
    """The same in one piece, as it stands on the tape. No tape: nothing."""
    try:
        descriptor = open_own(path)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    try:
        length = os.fstat(descriptor).st_size
        data = system.read_at(descriptor, size, max(0, length - size))
    finally:
        os.close(descriptor)
    begins = data.find(b"\n") + 1 if length > size else 0
    return data[begins : data.rfind(b"\n") + 1]


def blank(path: str, is_meant: Callable[[bytes], bool]) -> int:
    """Overwrites whole lines with spaces, where they stand; how many it were. No tape: none.

    Nothing moves, so that writers need not wait and every offset stays true. Readers pass over a line that says nothing.
    """
    try:
        descriptor = open_own(path, os.O_RDWR)
    except (FileNotFoundError, NotADirectoryError):
        return 0
    try:
        data, at, found = _read_from(descriptor, 0), 0, 0
        for line in data[: data.rfind(b"\n") + 1].split(b"\n")[:-1]:
            if line.strip() and is_meant(line):
                system.write_at(descriptor, b" " * len(line), at)
                found += 1
            at += len(line) + 1
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return found


def _starts_a_line(descriptor: int, offset: int) -> bool:
    return not offset or system.read_at(descriptor, 1, offset - 1) == b"\n"


def _hangs_on_another(descriptor: int, length: int) -> bool:
    """Whether another writer was torn off between our look and our write, so that our line is part of that damage."""
    try:
        return not _starts_a_line(descriptor, os.lseek(descriptor, 0, os.SEEK_CUR) - length)
    except OSError:
        return False  # the line is there, and most likely well: written elsewhere too, it would count twice


def _put(descriptor: int, data: bytes, path: str) -> None:
    written = os.write(descriptor, data)
    if written != len(data):
        raise OSError(28, f"only {written} of {len(data)} bytes could be written", path)


def is_place(path: str, offset: int) -> bool:
    """Whether a reader can stand there: at the beginning, or right after a line that the tape has."""
    if offset == 0:
        return True
    try:
        descriptor = open_own(path)
    except FileNotFoundError:
        return False
    try:
        return system.read_at(descriptor, 1, offset - 1) == b"\n"
    finally:
        os.close(descriptor)


def _read_from(descriptor: int, offset: int) -> bytes:
    """What follows, up to more than any tape has: a reader goes on from there."""
    chunks, last = [], offset + _LARGEST
    while offset < last and (chunk := system.read_at(descriptor, min(1 << 20, last - offset), offset)):
        chunks.append(chunk)
        offset += len(chunk)
    return b"".join(chunks)


_LARGEST = 1 << 28
