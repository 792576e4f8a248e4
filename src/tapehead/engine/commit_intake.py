"""The commits that git's hook wrote down for us (`git/hooks_install.py`): each becomes a line on the tapes of the sessions that it may concern. Light.

The shell writes one line a commit, `WHAT HEAD REF DIRECTORY`, in the order in which they are made: git waits for no Python. Whoever comes first
reads on from where reading stopped: the process that the hook starts, a worker, or a command that tells sessions of commits.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead.engine import git_hook
from tapehead.engine.store_location import place_of
from tapehead.store import atomic, lock, tape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tapehead.store.paths import Layout

_BRANCH = "refs/heads/"
_FIELDS = 4
_WAIT = 1.0
"""Seconds: whoever is at it only appends a few lines."""


def take_in(layout: Layout, env: Mapping[str, str]) -> list[tuple[Layout, str]]:
    """Reads all that is new; the sessions that heard of something. Whoever else is at it does it for us, and looks once more afterwards."""
    told: dict[tuple[str, str], tuple[Layout, str]] = {}
    while (offset := _offset(layout)) < _size(layout):
        held = lock.take(layout.commits + ".lock", _WAIT)
        if held is None:
            break
        try:
            lines, end = tape.unread(layout.commits, _offset(layout))
            for raw in lines:
                told |= {(one[0].root, one[1]): one for one in _told(layout, raw, env)}
            atomic.write(layout.commits + ".read", str(end).encode())
        finally:
            lock.release(held)
        if end <= offset:
            break  # half a line: its hook was killed
    return [*told.values()]


def discard(layout: Layout) -> None:
    """Passes over all that is new: a hook of an older version writes commits down where tapehead is off, too."""
    held = lock.take(layout.commits + ".lock", _WAIT)
    if held is not None:
        try:
            atomic.write(layout.commits + ".read", str(tape.unread(layout.commits, _offset(layout))[1]).encode())
        finally:
            lock.release(held)


def _told(layout: Layout, raw: bytes, env: Mapping[str, str]) -> list[tuple[Layout, str]]:
    """One commit. Some tapes may have it already: whoever read it before was killed."""
    what, head, ref, directory = (*os.fsdecode(raw).split(" ", _FIELDS - 1), "", "", "")[:_FIELDS]
    place = place_of(directory, env)
    if not place.repository or not {layout.root, os.path.dirname(layout.root)} & {*place.roots}:
        return []
    branch = ref.removeprefix(_BRANCH) if ref.startswith(_BRANCH) else ""
    return git_hook.tell(place, layout, head, branch, rebasing=what == "rebase", again=True)


def _size(layout: Layout) -> int:
    try:
        return os.stat(layout.commits).st_size
    except OSError:
        return 0


def _offset(layout: Layout) -> int:
    try:
        raw = atomic.read(layout.commits + ".read")
    except OSError:
        return 0
    return int(raw) if raw.isdigit() else 0
