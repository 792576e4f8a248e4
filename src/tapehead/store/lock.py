"""A lock that dies with its holder: a lock of the system on a side file, so that a killed process leaves nothing to clean up."""

import errno
import os
import time

from tapehead import system
from tapehead.store.paths import open_own

_PAUSE = 0.005
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)


def take(path: str, wait: float, said: bytes = b"") -> int | None:
    """The descriptor that holds the lock, or None where another holds it for longer than we wait (in seconds).

    Closing the descriptor lets go. A child that inherits it holds the lock too (not on Windows). What is said is appended to the lock's own file before
    it is asked for: whoever holds it can see that somebody came.
    """
    deadline = time.monotonic() + wait
    while True:
        descriptor = open_own(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        try:
            if said:
                os.write(descriptor, said)
            locked = _locked(descriptor, deadline)
            if locked and _is_still(path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if not locked:
            return None


def release(descriptor: int) -> None:
    """Lets go."""
    os.close(descriptor)


def _locked(descriptor: int, deadline: float) -> bool:
    while True:
        try:
            if system.try_lock(descriptor):
                return True
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
            return True  # a file system without locks: better now and then twice than never
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE)


def _is_still(path: str, descriptor: int) -> bool:
    """Whether the file that we locked is the one that others will find: gc takes it away with the session."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False
