"""Files that people write by hand and we write into: read as they are, changed under one lock, replaced whole."""

from __future__ import annotations

import os

from tapehead.store import atomic, lock

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_WAIT = 5.0


class Busy(Exception):
    """Another process holds the notes for longer than anyone waits."""


def editing(layout: Layout, wait: float = _WAIT) -> _Editing:
    """Holds the one lock of everything that people keep, from the reading to the writing; raises Busy."""
    return _Editing(os.path.join(layout.root, "kept.lock"), wait)


class _Editing:
    """A class, since notes are written at many a turn's end, and a generator takes longer to begin and to end."""

    __slots__ = ("held", "path", "wait")

    def __init__(self, path: str, wait: float) -> None:
        self.path = path
        self.wait = wait

    def __enter__(self) -> None:
        held = lock.take(self.path, self.wait)
        if held is None:
            raise Busy(f"another process holds {self.path}")
        self.held = held

    def __exit__(self, *_: object) -> None:
        lock.release(self.held)


def text_of(path: str) -> str:
    """A file's text, nothing where there is none. Bytes that are no UTF-8 are carried along and written back as they were."""
    return bytes_of(path).decode("utf-8", "surrogateescape")


def bytes_of(path: str) -> bytes:
    """The same as it stands."""
    try:
        return atomic.read(path)
    except (FileNotFoundError, NotADirectoryError):
        return b""


def put(path: str, text: str) -> None:
    """Replaces the file in one step. Where a person made it a link, what it points to is replaced and the link stays."""
    atomic.write(os.path.realpath(path), text.encode("utf-8", "surrogateescape"))
