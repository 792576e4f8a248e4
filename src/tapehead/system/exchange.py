"""Another program that is fed and read at once, within limits of time and size. Light: a hook that speaks may ask git.

posix_spawn and not the subprocess module: importing that costs a hook as much as git itself takes.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from tapehead import system

if system.IS_POSIX:
    import select

if TYPE_CHECKING:
    _Actions = list[tuple[int, ...] | tuple[int, int, str, int, int]]

SAID = 600
"""Bytes of what a program says of its failure: the end of it tells why."""
_BLOCK = 512
"""Bytes that `ulimit -f` counts in."""


class NotStarted(OSError):
    """There is no such program, or no room for one more."""


def run(  # noqa: PLR0913, PLR0917 - a process has that many sides
    command: list[str], env: dict[str, str], stdin: bytes, deadline: float, most: int, largest: int = 0
) -> tuple[bytes | None, int, str]:
    """What it printed (None where it took too long or printed too much), how it ended, and what it said of that. Raises OSError.

    With `largest` no file that it writes gets bigger (Windows has no such limit), it has no terminal to ask at, and at the end of its
    time all that it started ends with it.
    """
    if not system.IS_POSIX:
        from tapehead.system.exchange_threaded import run as run_threaded  # noqa: PLC0415 - POSIX has no use for it

        return run_threaded(command, env, stdin, deadline, most)
    if largest:
        command = ["sh", "-c", 'ulimit -f "$0" && exec "$@"', str(largest // _BLOCK + 1), *command]
    aside = _aside()
    try:
        out, code = _exchanged(command, env, stdin, deadline, most, aside)
        return out, code, _said(aside) if code or out is None else ""
    finally:
        _close(aside)


def _exchanged(  # noqa: PLR0913, PLR0917 - a process has that many sides
    command: list[str], env: dict[str, str], stdin: bytes, deadline: float, most: int, aside: int
) -> tuple[bytes | None, int]:
    reading, writing = os.pipe()
    feeding, feed = os.pipe() if stdin else (-1, -1)
    try:
        pid = _spawn(command, env, feeding, writing, aside)
    except BaseException:
        _close(reading, writing, feeding, feed)
        raise
    _close(writing, feeding)
    try:
        out = _exchange(reading, feed, stdin, deadline, most)
    except BaseException:  # an interrupt ends it as the limit does
        _kill(pid)
        os.waitpid(pid, 0)
        raise
    finally:
        os.close(reading)
    if out is None:
        _kill(pid)
    _, status = os.waitpid(pid, 0)
    return out, os.waitstatus_to_exitcode(status)


def _kill(pid: int) -> None:
    """With all that it started, where it leads a group of its own."""
    from signal import SIGKILL  # noqa: PLC0415 - a program that answers is not killed

    try:
        (os.killpg if os.getpgid(pid) == pid else os.kill)(pid, SIGKILL)
    except OSError:
        return


def _aside() -> int:
    """Where stderr goes: into memory, which is never full for a program to wait; nowhere, where the system has no such file."""
    try:
        return os.memfd_create("stderr")
    except (AttributeError, OSError):
        return -1


def _said(aside: int) -> str:
    if aside < 0:
        return ""
    return in_one_line(os.pread(aside, SAID, max(0, os.fstat(aside).st_size - SAID)))


def in_one_line(raw: bytes) -> str:
    """What a program printed on stderr."""
    return "; ".join(line.strip() for line in raw.decode("utf-8", "replace").splitlines() if line.strip())


def _spawn(command: list[str], env: dict[str, str], feeding: int, out: int, aside: int) -> int:
    actions: _Actions = [
        (os.POSIX_SPAWN_DUP2, feeding, 0) if feeding >= 0 else (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, out, 1),
        (os.POSIX_SPAWN_DUP2, aside, 2) if aside >= 0 else (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        if command[0] == "sh":
            return _alone(command, env, actions)
        return os.posix_spawnp(command[0], command, env, file_actions=actions)
    except OSError as error:
        raise NotStarted(*error.args) from None


def _alone(command: list[str], env: dict[str, str], actions: _Actions) -> int:
    """In a session of its own; in a group of its own, where the system cannot do that."""
    try:
        return os.posix_spawnp(command[0], command, env, file_actions=actions, setsid=True)
    except NotImplementedError:
        return os.posix_spawnp(command[0], command, env, file_actions=actions, setpgroup=0)


def _exchange(reading: int, feed: int, stdin: bytes, deadline: float, most: int) -> bytes | None:
    """Gives and takes at the same time, so that neither side waits for the other; None where it took too long or too much."""
    rest = memoryview(stdin)
    chunks: list[bytes] = []
    size = 0
    try:
        if feed >= 0:
            os.set_blocking(feed, False)
        while size <= most:
            wait = max(0.0, deadline - time.monotonic())
            readable, writable, _ = select.select([reading], [feed] if feed >= 0 else [], [], wait)
            if not readable and not writable:
                return None
            if writable:
                rest, feed = _fed(feed, rest)
            if readable:
                chunk = os.read(reading, 1 << 16)
                if not chunk:
                    return b"".join(chunks)
                chunks.append(chunk)
                size += len(chunk)
        return None
    finally:
        _close(feed)


def _fed(feed: int, rest: memoryview) -> tuple[memoryview, int]:
    """Gives what the pipe takes. One that nobody reads any more is closed: how the program ended will say why."""
    try:
        rest = rest[os.write(feed, rest[: 1 << 16]) :]
    except BlockingIOError:
        return rest, feed
    except BrokenPipeError:
        rest = rest[:0]
    if not rest:
        os.close(feed)
        feed = -1
    return rest, feed


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        if descriptor >= 0:
            os.close(descriptor)
