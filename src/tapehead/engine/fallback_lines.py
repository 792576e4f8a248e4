"""Lines that went to the fallback store come home to their place in time: a phase is made of the order of events.

It is the one time that a tape is written anew. What it was is kept aside, and what others write meanwhile comes along.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from tapehead.store import atomic, tape
from tapehead.store.line import Damaged, parse
from tapehead.store.paths import make_private

if TYPE_CHECKING:
    from datetime import datetime

    from tapehead.engine.engine import Engine

_WAIT = 30.0


def bring(engine: Engine, session_id: str, lines: list[bytes]) -> None:
    """Puts lines onto a session's tape: behind the rest where they are newer, else among it. Brought twice, they are there once."""
    with engine.store.transaction(session_id, _WAIT) as held:
        if not held:
            raise TimeoutError(f"another process is at session {session_id}")
        home = engine.store.lines(session_id)[0]
        known = set(home)
        new = [line for line in lines if line and line not in known]
        merged = in_order(home, new)
        if merged[: len(home)] == home:
            for line in merged[len(home) :]:
                tape.append_raw(engine.layout.tape(session_id), line)
        elif new:
            _write_anew(engine, session_id, home, merged)


def in_order(home: list[bytes], new: list[bytes]) -> list[bytes]:
    """Both in one, by their times; neither's own order changes, and a line that cannot be read stays behind the one before it."""
    merged: list[bytes] = []
    waiting = _timed(new)
    for at, line in _timed(home):
        while waiting and at is not None and waiting[0][0] is not None and waiting[0][0] < at:
            merged.append(waiting.pop(0)[1])
        merged.append(line)
    return merged + [line for _, line in waiting]


def _timed(lines: list[bytes]) -> list[tuple[datetime | None, bytes]]:
    """Each line with the newest time up to it: an order that only grows can be merged."""
    found: list[tuple[datetime | None, bytes]] = []
    newest: datetime | None = None
    for line in lines:
        with suppress(Damaged):
            at = parse(line).at
            newest = max(newest, at) if newest else at
        found.append((newest, line))
    return found


def _write_anew(engine: Engine, session_id: str, home: list[bytes], merged: list[bytes]) -> None:
    """The state counts bytes of the old tape: it goes, and is made again from the new one."""
    path = engine.layout.tape(session_id)
    read = sum(len(line) + 1 for line in home)
    kept = os.path.join(engine.layout.aside, f"{session_id}.{engine.clock_ns()}.tape")
    make_private(engine.layout.aside)
    os.link(path, kept)
    atomic.write(
        kept + ".reason", b"lines from the fallback store came into its middle: this is the tape before that\n"
    )
    atomic.write(path, b"".join(line + b"\n" for line in merged))
    with suppress(FileNotFoundError):
        os.unlink(engine.layout.state(session_id))
    for line in tape.unread(kept, read)[0]:  # who had the old file open wrote it there
        tape.append_raw(path, line)
