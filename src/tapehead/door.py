"""The one door to files: what it opens is a regular file, or nothing is opened. Light: every hook comes through here.

A path that others named (a transcript, a file of git's, a file of a store) may lead to a pipe, a device or a directory. Opening one
of those can wait for ever, and reading it can fill the memory. To whoever asks, such a path holds no file.
"""

import errno
import os
import stat
from typing import TYPE_CHECKING

from tapehead import system

if TYPE_CHECKING:
    from typing import BinaryIO

_NO_FILE = (errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.EMLINK)
"""A link that is not followed (EMLINK on some systems), a directory, a pipe that nobody reads."""


class NotRegular(FileNotFoundError):
    """Something is there, and it is no regular file."""


def open_file(path: str, flags: int = os.O_RDONLY, *, follow: bool = True) -> int:
    """The descriptor of a regular file. Never waits. Raises OSError; NotRegular where something else is there.

    Without `follow` a link is something else.
    """
    try:
        descriptor = system.open_at_once(path, flags, follow=follow)
    except ValueError:
        raise OSError(errno.EINVAL, "no name of a file", path) from None
    except OSError as error:
        if error.errno in _NO_FILE:
            raise _other(path) from None
        raise
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise _other(path)


def open_reader(path: str, buffering: int = -1) -> "BinaryIO":
    """A regular file to read from, for those who go through it piece by piece. Raises OSError."""
    return open(open_file(path), "rb", buffering=buffering)


def must_be_regular(path: str) -> None:
    """For those who hand the path on to others that open it. Raises OSError, also where nothing is there."""
    os.close(open_file(path))


def read(path: str, most: int, *, follow: bool = True, start: int = 0) -> bytes:
    """Up to `most` bytes of a regular file. Raises OSError."""
    descriptor = open_file(path, follow=follow)
    try:
        chunks: list[bytes] = []
        while most > 0 and (chunk := system.read_at(descriptor, min(most, 1 << 20), start)):
            chunks.append(chunk)
            start += len(chunk)
            most -= len(chunk)
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)
    finally:
        os.close(descriptor)


def _other(path: str) -> NotRegular:
    return NotRegular(errno.ENOENT, "not a regular file", path)
