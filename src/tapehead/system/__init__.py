"""The operating system: what POSIX and Windows do in different ways. Nobody else names what only one of them has. Light.

A hook loads this module and no other of the package. The functions here are those of POSIX; where `os` has no `posix_spawn`,
`windows.py` puts its own in their places.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

IS_POSIX = hasattr(os, "posix_spawn")
if IS_POSIX:
    import fcntl

LOCKS_ARE_INHERITED = IS_POSIX
"""Whether a child that inherits a locked file holds the lock too. On Windows a lock belongs to one process."""
PRIVATELY = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)
"""How every file is opened: no child inherits it, and no line ending is changed."""
TO_FLUSH = os.O_RDONLY if IS_POSIX else os.O_RDWR
"""How a file is opened that is only to be flushed: Windows does that for writers alone."""
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


def open_at_once(path: str, flags: int, mode: int = 0o600, *, follow: bool = True) -> int:
    """A descriptor of whatever is there; opening it never waits. Without `follow` a link is an error (ELOOP)."""
    return os.open(path, flags | PRIVATELY | _AT_ONCE | (0 if follow else os.O_NOFOLLOW), mode)


def read_at(descriptor: int, size: int, offset: int) -> bytes:
    """Bytes from an offset on; where the descriptor stands does not change."""
    return os.pread(descriptor, size, offset)


def write_at(descriptor: int, data: bytes | memoryview, offset: int) -> int:
    """The same for writing."""
    return os.pwrite(descriptor, data, offset)


def replace(source: str | bytes, target: str | bytes) -> None:
    """One name takes another's place, in one step."""
    os.replace(source, target)


def flush_directory(directory: str) -> None:
    """New names in a directory survive a power cut. Raises OSError where the file system cannot do that."""
    descriptor = os.open(directory or os.curdir, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def take_after(descriptor: int, model: os.stat_result) -> None:
    """Gives a file the owner of another, where that is allowed, and its mode."""
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (model.st_uid, model.st_gid):
        _give(descriptor, model)
    os.fchmod(descriptor, model.st_mode & 0o7777)


def _give(descriptor: int, model: os.stat_result) -> None:
    try:
        os.fchown(descriptor, model.st_uid, model.st_gid)
    except OSError:
        return  # only root gives files away


def set_mode(descriptor: int, mode: int) -> None:
    """Who may read, write and run a file that is open."""
    os.fchmod(descriptor, mode)


def same_name(path: str) -> str:
    """The form in which two names of one file are equal: as the file system compares them."""
    return path


def user_id() -> int:
    """Who we are, as `st_uid` of a file names its owner."""
    return os.geteuid()


def home_of_user() -> str:
    """Where the system says that the user lives; empty where it does not know."""
    import pwd  # noqa: PLC0415 - only where HOME is not set

    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return ""


def try_lock(descriptor: int) -> bool:
    """Locks a file for us alone; False where another holds it. Closing the descriptor lets go. Raises OSError."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_readable(descriptor: int, seconds: float) -> bool:
    """Whether a read would not wait: something came, or nothing will. Waits so long for that."""
    import select  # noqa: PLC0415 - git's hooks read no stdin

    return bool(select.select([descriptor], [], [], seconds)[0])


def never_block(descriptor: int) -> None:
    """Reading from an empty pipe, or writing into a full one, is an error from now on."""
    os.set_blocking(descriptor, False)


def leave_session() -> None:
    """Leaves the terminal and the group of whoever started us. Raises OSError where we lead a group already."""
    os.setsid()


def spawn_detached(command: list[str], env: Mapping[str, str]) -> None:
    """Starts a program far from us: what ends our process group or our terminal leaves it alone. It reads and prints nothing."""
    quiet: list[tuple[int, int, str, int, int]] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        os.posix_spawn(command[0], command, env, file_actions=quiet, setsid=True)
    except NotImplementedError:  # a C library without that flag: it still works, only less far away
        os.posix_spawn(command[0], command, env, file_actions=quiet)


if not IS_POSIX:
    from tapehead.system import windows

    for _name in windows.IN_PLACE:
        setattr(sys.modules[__name__], _name, getattr(windows, _name))
