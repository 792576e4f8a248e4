"""A file of the user's own in the state directory, made for later processes. Whoever could write it would decide what we run."""

from __future__ import annotations

import os
import stat
import sys
import time
from typing import TYPE_CHECKING

from tapehead import system

if TYPE_CHECKING:
    from collections.abc import Iterable


def path_in(state: str, name: str) -> str:
    """Where such a file is, below the state directory: one for each version of Python."""
    return os.path.join(state, f"{name}.{sys.implementation.cache_tag}") if state else ""


def open_own(path: str) -> int:
    """Open it. Raises OSError where it is not there, no regular file, a link, or another user's."""
    descriptor = system.open_at_once(path, os.O_RDONLY, follow=False)
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode) or about.st_uid != system.user_id():
        os.close(descriptor)
        raise PermissionError(path)
    return descriptor


def read_own(path: str) -> bytes:
    """All that is in it. Raises OSError."""
    with open(open_own(path), "rb", buffering=0) as file:
        return file.read()


def write(path: str, parts: Iterable[bytes]) -> None:
    """Write it whole or not at all: without it all works as well, only slower."""
    if not path:
        return
    scratch = path + _SCRATCH
    try:
        with open(_open_scratch(scratch), "wb") as file:
            file.truncate()
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, path)
    except OSError:
        _give_up(scratch)


def _give_up(scratch: str) -> None:
    """Leave an empty file: for a while nobody tries again."""
    try:
        os.truncate(scratch, 0)
    except OSError:
        return


def claim(path: str) -> int | None:
    """Be the only one who makes a file: a descriptor, to be closed in the end. None where another does, or lately failed."""
    try:
        descriptor = _open_scratch(path + _SCRATCH)
    except OSError:
        return None
    about = os.fstat(descriptor)
    failed_lately = _EMPTY_FOR_A_MOMENT < time.time() - about.st_mtime < _PAUSE and not about.st_size
    if failed_lately or not system.try_lock(descriptor):
        os.close(descriptor)
        return None
    return descriptor


def _open_scratch(scratch: str) -> int:
    return system.open_at_once(scratch, os.O_WRONLY | os.O_CREAT, 0o600, follow=False)


_SCRATCH = ".new"
_PAUSE, _EMPTY_FOR_A_MOMENT = 600, 1
"""Seconds for which nobody tries again after a failure; an empty file younger than a second may just have been made."""
