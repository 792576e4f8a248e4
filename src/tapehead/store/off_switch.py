"""Whether tapehead is off in a repository: a file in its store, which the hook script reads too (agents/hook.sh). Light.

While it is off nothing is written, but the ids of the sessions that ran meanwhile: their transcripts hold what was to be kept out, so nobody
reads these any more (`engine/recording.py`, and `store/sessions.py` for what was recorded before).
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.store import tape
from tapehead.store.paths import is_session_id, make_private

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tapehead.store.paths import Layout

_LARGEST = 1 << 20


class Period:
    """From when to when, in nanoseconds since 1970."""

    __slots__ = ("sessions", "since", "until")

    def __init__(self, since: int, until: int = 0, sessions: tuple[str, ...] = ()) -> None:
        self.since = since
        self.until = until
        """0: until `tapehead on`."""
        self.sessions = sessions
        """Those that were open, and were told."""

    def covers(self, moment: int) -> bool:
        """Whether a moment that is past was within it. Whether it runs now, `running` says."""
        return self.since <= moment and (not self.until or moment < self.until)


def read(layout: Layout) -> Period | None:
    """What was asked for last and not taken back, also where its time is over."""
    try:
        raw = door.read(layout.off, _LARGEST, follow=False)
    except OSError:
        return None
    return _parse(raw) or Period(0)  # whatever is in that file, somebody turned it off


def running(layout: Layout, now: int) -> Period | None:
    """The period that runs now; None where tapehead is on. A clock that was set back ends none."""
    period = read(layout)
    if period is None or not period.until or period.since <= now < period.until:
        return period
    return period if now < period.since and now < _begun(layout, now) + period.until - period.since else None


def _begun(layout: Layout, now: int) -> int:
    """When a pause began, by a clock that was set back since: when that was first seen. The file's own time keeps it, so the pause has an end."""
    try:
        begun = os.lstat(layout.off).st_mtime_ns
        if begun > now:
            os.utime(layout.off, ns=(now, now), follow_symlinks=False)
    except (OSError, NotImplementedError):
        return now
    return min(begun, now)


def is_off(layouts: Iterable[Layout], now: int) -> bool:
    """Whether it is off now in one of the stores of a place."""
    return any(running(layout, now) for layout in layouts)


def was_off(layouts: Iterable[Layout], moment: int) -> bool:
    """Whether it was off at a moment that is past, as the spool keeps it."""
    return any(period.covers(moment) for layout in layouts for period in periods(layout))


def turn_off(layout: Layout, period: Period, at_work: Iterable[str] = ()) -> None:
    """Those at work go on without a hook that says so: they are left out from the beginning. Raises OSError."""
    from tapehead.store import atomic  # noqa: PLC0415 - a hook only reads

    former = read(layout)
    if former and former.since != period.since:
        _keep_former(layout, former, period.since)
    make_private(layout.left_out)
    for session_id in at_work:
        leave_out(layout, session_id)
    until_first = {"until": period.until, "since": period.since, "sessions": list(period.sessions)}
    atomic.write(layout.off, json.dumps(until_first, separators=(",", ":")).encode() + b"\n")


def turn_on(layout: Layout, now: int) -> None:
    """Takes the file away, and the store where it holds nothing else. Raises OSError."""
    former = read(layout)
    _remove_if_empty(layout.left_out)
    if former and os.listdir(layout.root) != [os.path.basename(layout.off)]:
        _keep_former(layout, former, now)
    os.unlink(layout.off)
    _remove_if_empty(layout.root)


def _remove_if_empty(folder: str) -> None:
    try:
        os.rmdir(folder)
    except OSError:
        return


def _keep_former(layout: Layout, former: Period, now: int) -> None:
    """What happened meanwhile stays out also later, when somebody looks for commits that were missed."""
    tape.append(layout.off + ".tape", {"since": former.since, "until": min(former.until or now, now)})


def periods(layout: Layout) -> list[Period]:
    """All, oldest first, the one that runs among them."""
    found = [_parse(raw) for raw in tape.unread(layout.off + ".tape", 0)[0]]
    return [period for period in (*found, read(layout)) if period]


def leave_out(layout: Layout, session_id: str) -> None:
    """Has nobody read the transcript of a session that runs while it is off. Raises OSError."""
    path = os.path.join(layout.left_out, session_id)
    if is_session_id(session_id) and not os.path.lexists(path):
        os.close(door.open_file(path, os.O_WRONLY | os.O_CREAT, follow=False))


def is_left_out(layout: Layout, session_id: str) -> bool:
    """Whether a session ran while it was off."""
    return os.path.exists(os.path.join(layout.left_out, session_id))


def _parse(raw: bytes) -> Period | None:
    try:
        found = json.loads(raw)
        sessions = tuple(filter(is_session_id, found.get("sessions", ())))
        return Period(int(found["since"]), int(found["until"]), sessions)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
