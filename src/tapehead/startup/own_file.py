"""A file of the user's own in the state directory, made for later processes. Whoever could write it would decide what we run."""

from __future__ import annotations

import os
import stat
import sys
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
    scratch = f"{path}.{os.getpid()}"
    try:
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "wb") as file:
            file.writelines(parts)
        os.replace(scratch, path)
    except OSError:
        return
