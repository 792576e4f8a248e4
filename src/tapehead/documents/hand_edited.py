"""Files that people write by hand and we write into: read as they are, changed under one lock, replaced whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.store import atomic, lock

if TYPE_CHECKING:
    from tapehead.store.paths import Layout

_WAIT = 5.0
_LARGEST = 1 << 30


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


def text_of(path: str, *, follow: bool = False) -> str:
    """A file's text, nothing where there is none. Bytes that are no UTF-8 are carried along and written back as they were.

    `follow` is for a directory of the user's own, outside the store: there a link leads where they want it. Raises OSError.
    """
    return bytes_of(path, follow=follow).decode("utf-8", "surrogateescape")


def bytes_of(path: str, *, follow: bool = False) -> bytes:
    """The same as it stands."""
    try:
        return door.read(path, _LARGEST) if follow else atomic.read(path)
    except door.NotRegular:
        raise
    except (FileNotFoundError, NotADirectoryError):
        return b""


def put(path: str, text: str, *, follow: bool = False) -> None:
    """Replaces the file in one step. With `follow`, what a link points to is replaced and the link stays; without, a link is an error."""
    if os.path.islink(path) and not follow:
        raise door.NotRegular(2, "a link, which is not followed inside a store", path)
    atomic.write(os.path.realpath(path) if follow else path, text.encode("utf-8", "surrogateescape"))
