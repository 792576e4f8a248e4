"""Files that people write by hand and we write into: read as they are, changed under one lock, replaced whole."""

from __future__ import annotations

import os
from contextlib import contextmanager

from tapehead.store import atomic, lock

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tapehead.store.paths import Layout

_WAIT = 5.0


class Busy(Exception):
    """Another process holds the notes for longer than anyone waits."""


@contextmanager
def editing(layout: Layout, wait: float = _WAIT) -> Iterator[None]:
    """Holds the one lock of everything that people keep, from the reading to the writing; raises Busy."""
    held = lock.take(os.path.join(layout.root, "kept.lock"), wait)
    if held is None:
        raise Busy(f"another process holds {os.path.join(layout.root, 'kept.lock')}")
    try:
        yield
    finally:
        lock.release(held)


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
