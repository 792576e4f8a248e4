"""The only place that starts git. Bounded in time and in output; it never takes git's locks and never asks anyone.

posix_spawn and not the subprocess module: importing that costs a hook as much as git itself takes.
"""

from __future__ import annotations

import os
import select
import time

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Mapping

    _Actions = list[tuple[int, ...] | tuple[int, int, str, int, int]]

_LIMIT = 4 * 1024 * 1024
_SAID = 600
"""Bytes of what git says of its failure: the end of it tells why."""
_BLOCK = 512
"""Bytes that `ulimit -f` counts in."""
_NOT_INHERITED = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_QUARANTINE_PATH",
    "GIT_NAMESPACE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
)
"""What a hook of git finds in its environment is about the command that runs the hook, not about what we ask."""


class GitFailed(Exception):
    """Git was not there, took too long, was killed, or said no."""

    def __init__(self, reason: str, code: int = 0, said: str = "") -> None:
        super().__init__(reason)
        self.code = code
        self.said = said
        """The end of what it printed on stderr. It may hold what nobody else may read: an address with its password."""

    def raise_if_killed(self) -> None:
        """For whoever takes a no for an answer: a git that somebody else killed gave none."""
        if self.code < 0:
            raise self


def git(  # noqa: PLR0913 - a process has that many sides
    directory: str,
    *words: str,
    timeout: float,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    most: int = _LIMIT,
    private: bool = False,
    largest: int = 0,
) -> bytes:
    """What git prints on stdout, run in a directory. `private` closes what it writes to everyone else.

    `largest` is for a git that talks to others: no file that it writes gets bigger (bytes), it has no terminal to ask at, and at the
    limit in time all that it started ends with it.
    """
    command = ["git", "-C", directory, "--no-optional-locks", *words]
    if largest:
        command = ["sh", "-c", 'ulimit -f "$0" && exec "$@"', str(largest // _BLOCK + 1), *command]
    around = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
    around |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "TAPEHEAD_INTERNAL": "1", **(env or {})}
    before = os.umask(0o077) if private else None
    try:
        out, code, said = _ran(command, around, stdin, time.monotonic() + timeout, most)
    finally:
        if before is not None:
            os.umask(before)
    name = next((word for word in words if not word.startswith("-") and "=" not in word), "")
    if out is None:
        raise GitFailed(f"git {name} took longer than {timeout:g} s, or said too much", said=said)
    if code:
        raise GitFailed(f"git {name} ended with {code}", code, said)
    return out


def changed_files(directory: str, timeout: float) -> list[str]:
    """`git status` in short form, one entry a file: two letters, a space and the path."""
    raw = git(directory, "status", "--porcelain=v1", "-z", "--untracked-files=normal", timeout=timeout)
    fields = iter(raw.decode("utf-8", "replace").split("\0"))
    found = []
    for field in fields:
        if field:
            found.append(field)
            if {"R", "C"} & set(field[:2]):
                next(fields, None)  # the name that it had before
    return found


def untracked_files(directory: str, timeout: float) -> list[str]:
    """Files that git does not know and does not ignore."""
    raw = git(directory, "ls-files", "--others", "--exclude-standard", "-z", timeout=timeout)
    return [name for name in raw.decode("utf-8", "replace").split("\0") if name]


def recent_commits(directory: str, count: int, timeout: float, since: str = "") -> list[str]:
    """The newest commits, a line each; those since a commit, where one is given."""
    reach = [f"{since}..HEAD"] if since.isalnum() else []
    raw = git(directory, "log", f"-{count}", "--format=%h %s", *reach, timeout=timeout)
    return raw.decode("utf-8", "replace").splitlines()


def _ran(
    command: list[str], env: dict[str, str], stdin: bytes, deadline: float, most: int
) -> tuple[bytes | None, int, str]:
    """What it printed (None where it was stopped for it), how it ended, and what it said of that."""
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
    from signal import SIGKILL  # noqa: PLC0415 - a git that answers is not killed

    try:
        (os.killpg if os.getpgid(pid) == pid else os.kill)(pid, SIGKILL)
    except OSError:
        return


def _aside() -> int:
    """Where stderr goes: into memory, which is never full for git to wait; nowhere, where the system has no such file."""
    try:
        return os.memfd_create("stderr")
    except (AttributeError, OSError):
        return -1


def _said(aside: int) -> str:
    if aside < 0:
        return ""
    raw = os.pread(aside, _SAID, max(0, os.fstat(aside).st_size - _SAID)).decode("utf-8", "replace")
    return "; ".join(line.strip() for line in raw.splitlines() if line.strip())


def _spawn(command: list[str], env: dict[str, str], feeding: int, out: int, aside: int) -> int:
    actions: _Actions = [
        (os.POSIX_SPAWN_DUP2, feeding, 0) if feeding >= 0 else (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, out, 1),
        (os.POSIX_SPAWN_DUP2, aside, 2) if aside >= 0 else (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        if command[0] == "git":
            return os.posix_spawnp("git", command, env, file_actions=actions)
        return _alone(command, env, actions)
    except OSError as error:
        raise GitFailed(f"git cannot be started: {error}") from None


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
    """Gives what the pipe takes. One that nobody reads any more is closed: how git ended will say why."""
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
