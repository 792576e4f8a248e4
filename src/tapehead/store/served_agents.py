"""Which agents' processes have our MCP server running: a file for each, named by its number, that says when the process started."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.store import atomic

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.store.paths import Layout

_ENDING = ".served"


def note(layout: Layout, pid: int, started: str, is_lost: Callable[[int, str], bool]) -> None:
    """Mark an agent's process, in a store that is there; the marks of processes that are gone go. Raises OSError."""
    folder = os.path.dirname(layout.served(pid))
    if not os.path.isdir(folder):
        return
    for name in os.listdir(folder):
        number = name.removesuffix(_ENDING)
        if name.endswith(_ENDING) and number.isdigit() and is_lost(int(number), _read(layout, int(number))):
            forget(layout, int(number))
    atomic.write(layout.served(pid), started.encode(), flushed=False)


def forget(layout: Layout, pid: int) -> None:
    """Take the mark away."""
    with suppress(OSError):
        atomic.remove(layout.served(pid))


def is_served(layout: Layout, pid: int | None, started: str) -> bool:
    """Whether the process has our server running, as far as the server could leave word."""
    return pid is not None and os.path.exists(layout.served(pid)) and _read(layout, pid) == started


def _read(layout: Layout, pid: int) -> str:
    with suppress(OSError):
        return atomic.read(layout.served(pid)).decode("utf-8", "replace")
    return ""
