"""Files that are whole or not there: readers never see half of one, whatever kills the writer."""

import errno
import os
import time

from tapehead import system
from tapehead.door import NotRegular
from tapehead.store.paths import open_own

SCRATCH = ".scratch"
LARGEST = 1 << 29
"""Bytes of a file that is read whole."""


def write(path: str, data: bytes, *, flushed: bool = True, scratch: str = "") -> None:
    """Puts data into a file in one step that also survives a power cut: scratch file, fsync, replace, fsync.

    Without `flushed` a power cut may leave the old one, or none: for what can be made again. `scratch` is how the scratch file's
    name begins where somebody else tidies up after a kill.
    """
    one = f"{os.getpid()}-{time.monotonic_ns()}"
    scratch = os.path.join(os.path.dirname(path), scratch + one) if scratch else f"{path}.{one}{SCRATCH}"
    try:
        _fill(scratch, data, flushed=flushed)
        system.replace(scratch, path)
    except BaseException:
        remove(scratch)
        raise
    if flushed:
        _flush_directory(os.path.dirname(path))


def remove(path: str) -> None:
    """Takes a file away that may not be there, or not be ours to take."""
    try:
        os.unlink(path)
    except OSError:
        return


def read(path: str) -> bytes:
    """All of a file. One that is larger than any that we write holds nothing of ours, and would only fill the memory: NotRegular."""
    descriptor = open_own(path)
    try:
        size = os.fstat(descriptor).st_size + 1
        if size > LARGEST:
            raise NotRegular(errno.ENOENT, "too large for a file of a store", path)
        chunks = [os.read(descriptor, size)]
        while len(chunks[-1]) >= size:  # it grew meanwhile
            chunks.append(os.read(descriptor, size))
        return b"".join(chunks) if len(chunks) > 1 else chunks[0]
    finally:
        os.close(descriptor)


def _fill(scratch: str, data: bytes, *, flushed: bool) -> None:
    descriptor = open_own(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if flushed:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_directory(directory: str) -> None:
    """For a power cut. The file is in place already, so a file system that cannot do this is no reason to fail."""
    try:
        system.flush_directory(directory)
    except OSError:
        return
