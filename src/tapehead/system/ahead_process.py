"""A process that works ahead of the one that started it: it is given a task, and gives back plain values, piece by piece.

It is forked, so it costs no second start. What it gives goes through files that nobody else sees, since a pipe would hold it up
whenever the other is busy; it is only a few pieces ahead, so that work of any size needs little room.
"""

from __future__ import annotations

import gc
import marshal
import os
import signal
import struct
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tapehead import system

if system.IS_POSIX:
    import select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Work = Callable[[Any], Iterator[Any]]

IS_POSSIBLE = hasattr(os, "fork")
"""Windows has no fork: there one process does everything."""
PIECES = 8
"""How far it may be ahead."""
_BEHIND = 2
"""Whoever takes the pieces comes first: all that is left to do at the end it does alone."""
_LENGTH = struct.Struct("<q")
_TAKEN = b"."
_MANY = 1 << 16
DIED = "the process that read it was ended"


class Ahead:
    """One such process, as the one that started it sees it."""

    def __init__(self, work: Work) -> None:
        self._shelf = [_private_file() for _ in range(PIECES)]
        tasks, self._tasks = os.pipe()
        self.news, news = os.pipe()
        self._count = 0
        self._pid = os.fork()
        if not self._pid:
            _work_ahead(work, tasks, news, self._shelf)
        os.close(tasks)
        os.close(news)

    def ask(self, task: Any) -> None:
        """Give it a task; one that it is given before it is done with the last it does next, without a pause."""
        raw = marshal.dumps(task)
        with suppress(BrokenPipeError):  # it is gone: the answer will say so
            os.write(self._tasks, b"!" + _LENGTH.pack(len(raw)) + raw)

    def answer(self) -> tuple[Any, str]:
        """The next piece, and what is the matter; None where the task is done."""
        head = os.read(self.news, _LENGTH.size)
        if not head:
            return None, DIED
        raw = os.pread(self._shelf[self._count % PIECES], _LENGTH.unpack(head)[0], 0)
        self._count += 1
        with suppress(BrokenPipeError):
            os.write(self._tasks, _TAKEN)
        piece: tuple[Any, str] = marshal.loads(raw)  # noqa: S302 - our own process wrote it
        return piece

    def answers(self) -> Iterator[Any]:
        """All pieces of a task."""
        while (piece := self.answer())[0] is not None:
            yield piece[0]
        if piece[1]:
            raise OSError(piece[1])

    def end(self) -> None:
        """End it, whatever it is at."""
        for descriptor in (self._tasks, self.news, *self._shelf):
            os.close(descriptor)
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGTERM)
        os.waitpid(self._pid, 0)


def waited_for(some: list[Ahead]) -> list[Ahead]:
    """Wait until one has something to give; those that have."""
    heard = select.select([one.news for one in some], [], [])[0]
    return [one for one in some if one.news in heard]


def _private_file() -> int:
    """A file without a name; in memory where the system has such, since nothing of it is to last."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("tapehead")
    import tempfile  # noqa: PLC0415 - elsewhere it need not be loaded

    descriptor, path = tempfile.mkstemp(prefix="tapehead-")
    os.unlink(path)
    return descriptor


def _work_ahead(work: Work, tasks: int, news: int, shelf: list[int]) -> None:
    """The life of the process; it never returns."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it hears it too
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.disable()  # what it makes does not refer to itself
    os.nice(_BEHIND)
    with suppress(BaseException):
        _keep_only({tasks, news, *shelf})
        _Shelf(work, tasks, news, shelf).serve()
    os._exit(0)


def _keep_only(descriptors: set[int]) -> None:
    """Let go of all other files: the end of a pipe that a stranger holds never closes."""
    low = 3
    for descriptor in sorted(descriptors):
        os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, _MANY)


class _Shelf:
    """The process's own side."""

    def __init__(self, work: Work, tasks: int, news: int, shelf: list[int]) -> None:
        self.work = work
        self.tasks = tasks
        self.news = news
        self.shelf = shelf
        self.given: deque[Any] = deque()
        self.count = 0
        self.waiting = 0
        """Pieces that were not taken yet."""

    def serve(self) -> None:
        """Do what is asked, until nobody asks any more."""
        while True:
            self._do(self._task())

    def _do(self, task: Any) -> None:
        problem = ""
        try:
            for piece in self.work(task):
                self._give((piece, ""))
        except BrokenPipeError:
            raise
        except OSError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - one task must not keep the others from being done
            problem = f"{type(error).__name__}: {error}"
        self._give((None, problem))

    def _give(self, piece: tuple[Any, str]) -> None:
        while self.waiting >= PIECES:
            self._hear()
        raw = marshal.dumps(piece)
        written = 0
        while written < len(raw):
            written += os.pwrite(self.shelf[self.count % PIECES], memoryview(raw)[written:], written)
        self.count += 1
        self.waiting += 1
        os.write(self.news, _LENGTH.pack(len(raw)))

    def _task(self) -> Any:
        while not self.given:
            self._hear()
        return self.given.popleft()

    def _hear(self) -> None:
        """A piece was taken, or there is a task more."""
        if self._read(1) == _TAKEN:
            self.waiting -= 1
            return
        length = _LENGTH.unpack(self._read(_LENGTH.size))[0]
        self.given.append(marshal.loads(self._read(length)))  # noqa: S302 - whoever started this process wrote it

    def _read(self, length: int) -> bytes:
        found = b""
        while len(found) < length:
            some = os.read(self.tasks, length - len(found))
            if not some:
                raise EOFError
            found += some
        return found
