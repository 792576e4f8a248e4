"""What Windows does in its own way, under the names of `system`. Light: a hook on Windows loads it.

Files are opened by CreateFileW and not by the C library: its O_APPEND moves and writes in two steps, so that two writers could
overwrite each other, and a file that it holds open can neither be removed nor replaced.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from typing import TYPE_CHECKING

from tapehead.system import windows_api as api

if TYPE_CHECKING:
    from collections.abc import Mapping

IN_PLACE = (
    "open_at_once", "read_at", "write_at", "replace", "flush_directory", "take_after", "set_mode", "same_name", "user_id",
    "home_of_user", "try_lock", "is_readable", "never_block", "leave_session", "spawn_detached",
)  # fmt: skip
LOCKED_BYTE = 0x7FFF_FFF0
"""Where in a file the lock lies: far behind all data, since what is locked nobody else can read."""
_NOT_BEFORE, _LONGEST_NAME = 0.5, 240
_PAUSE = 0.005


def long_path(path: str) -> str:
    """A path that is longer than Windows takes by itself, in the form that has no such limit."""
    if len(path) < _LONGEST_NAME or path.startswith("\\\\?\\"):
        return path
    whole = os.path.abspath(path)
    return "\\\\?\\UNC\\" + whole[2:] if whole.startswith("\\\\") else "\\\\?\\" + whole


def open_at_once(path: str, flags: int, mode: int = 0o600, *, follow: bool = True) -> int:
    """A descriptor of whatever is there. Who may read it follows from the directory: Windows has no mode bits."""
    del mode
    if not follow and _is_link(path):
        raise OSError(errno.ELOOP, "a link", path)
    return api.open_file(long_path(path), flags, follow=follow)


def _is_link(path: str) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except OSError:
        return False


def read_at(descriptor: int, size: int, offset: int) -> bytes:
    """Bytes from an offset on; where the descriptor stands does not change."""
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, size)
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)


def write_at(descriptor: int, data: bytes | memoryview, offset: int) -> int:
    """The same for writing."""
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.write(descriptor, data)
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)


def replace(source: str | bytes, target: str | bytes) -> None:
    """One name takes another's place. Somebody who reads the old file, or looks it through for viruses, is waited for."""
    ends = time.monotonic() + _NOT_BEFORE
    while True:
        try:
            os.replace(source, target)
        except PermissionError:
            if time.monotonic() >= ends:
                raise
            time.sleep(_PAUSE)
        else:
            return


def flush_directory(directory: str) -> None:
    """NTFS keeps a journal of names itself, and opens no directory for this."""


def take_after(descriptor: int, model: os.stat_result) -> None:
    """The new file has the rights of its directory, as the old one had."""


def set_mode(descriptor: int, mode: int) -> None:
    """There are no mode bits."""


def same_name(path: str) -> str:
    """Windows compares names without case, and takes either slash."""
    return os.path.normcase(path)


def user_id() -> int:
    """`st_uid` is 0 for every file."""
    return 0


def home_of_user() -> str:
    """As the shell says it."""
    return os.environ.get("USERPROFILE", "")


def try_lock(descriptor: int) -> bool:
    """Locks one byte far behind the data, for this handle alone."""
    return api.lock_byte(descriptor, LOCKED_BYTE)


def is_readable(descriptor: int, seconds: float) -> bool:
    """Looks into a pipe now and then: `select` knows sockets only. A file never lets its reader wait."""
    ends = time.monotonic() + seconds
    while stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        if api.has_come(descriptor):
            return True
        if time.monotonic() >= ends:
            return False
        time.sleep(_PAUSE)
    return True


def never_block(descriptor: int) -> None:
    """Pipes of Windows know no such thing before Python 3.12."""


def leave_session() -> None:
    """There are no sessions with leaders."""


def spawn_detached(command: list[str], env: Mapping[str, str]) -> None:
    """Without a console, so that no window flashes, and in no group of ours."""
    import subprocess  # noqa: PLC0415 - Windows has no lighter way

    subprocess.Popen(  # noqa: S603 - our own program; nobody waits for it
        command,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=True,
        **api.QUIETLY,
    ).returncode = 0
