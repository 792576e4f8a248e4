"""Work that does not come to its end: tried twice, and then not before a pause. Light.

The worker is ended after two minutes, whatever it is at, and the next one begins the same work again. What it is at stands in the file of
its lock, so that a kill leaves it there. Whoever settles passes over work that was begun twice and never ended, and notes that, so that
the rest of the session goes on.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tapehead import system
from tapehead.store import atomic
from tapehead.store.paths import open_own

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tapehead.store.paths import Layout

TRIES = 2
PAUSE = 600
"""Seconds until it is tried once more."""
_SAME = {"mark_lines": "snapshot", "condense_if_touched": "condense"}
"""Actions that do the same work."""


class Paused(Exception):
    """It was begun twice and never ended."""


class Attempts:
    """What was begun and did not end, by session."""

    def __init__(self, layout: Layout, clock_ns: Callable[[], int]) -> None:
        self.layout = layout
        self.clock_ns = clock_ns
        self.counts = False
        """Only the worker's tries count: a hook breaks off what it has no time for."""

    @contextmanager
    def trying(self, session_id: str, what: str, of: str = "") -> Iterator[None]:
        """Around a piece of work. Raises Paused where it is not to be tried now."""
        key = f"{_SAME.get(what, what)} {of}".rstrip()
        path = self.layout.worker(session_id)
        begun = _read(path)
        count, last = begun.get(key, (0, 0))
        if count >= TRIES and 0 <= self._now() - last < PAUSE:
            raise Paused(f"it was begun {count} times and never ended; it is tried again after {PAUSE // 60} minutes")
        if not self.counts:
            yield
            return
        _write(path, {**begun, key: (count + 1, self._now())})
        try:
            yield
        finally:  # a failure is an end, too; a kill does not come by here
            _write(path, {name: tries for name, tries in _read(path).items() if name != key})

    def _now(self) -> int:
        return self.clock_ns() // 1_000_000_000


def _read(path: str) -> dict[str, tuple[int, int]]:
    try:
        found = json.loads(atomic.read(path) or b"{}")
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict):
        return {}
    pairs = {
        name: value for name, value in found.items() if isinstance(value, list) and len(value) == len(("tries", "last"))
    }
    return {name: (value[0], value[1]) for name, value in pairs.items() if [type(one) for one in value] == [int, int]}


def _write(path: str, begun: dict[str, tuple[int, int]]) -> None:
    """In place: the file is a lock, and a new one in its stead would not be. Half of it is read as nothing."""
    data = json.dumps(begun).encode() if begun else b""
    try:
        descriptor = open_own(path, os.O_WRONLY | os.O_CREAT)
    except OSError:
        return  # it only saves time
    try:
        os.ftruncate(descriptor, 0)
        system.write_at(descriptor, data, 0)
    except OSError:
        return
    finally:
        os.close(descriptor)
