"""That tapehead is off here, in words and as data."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tapehead.store import off_switch
from tapehead.text.wording import when

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapehead.cli.here import Here
    from tapehead.store.off_switch import Period

_SECOND = 1_000_000_000


def current(at: Here) -> Period | None:
    """The period that runs here now; None where tapehead is on."""
    return off_switch.running(at.engine.layout, at.engine.clock_ns())


def told(period: Period) -> str:
    """In a few words."""
    return f"off until {_local(period.until)}" if period.until else f"off since {_local(period.since)}"


def name_of(at: Here) -> str:
    """The project, as lists name it."""
    return os.path.basename(at.place.worktree) or at.place.worktree


def told_of(places: Sequence[Here]) -> str:
    """In a line of 80 columns, for whoever looks at all of them at once; nothing where tapehead is on everywhere."""
    found = {name_of(at): period for at in places if (period := current(at))}
    if not found:
        return ""
    if len(places) == 1:
        return f"{told(next(iter(found.values())))}: nothing is recorded; `tapehead on` ends it"
    return f"off in {', '.join(found)}: nothing is recorded there"


def as_data(at: Here, period: Period | None) -> dict[str, object]:
    """For programs, with times in UTC."""
    since, until = (period.since, period.until) if period else (0, 0)
    return {
        "store": at.engine.layout.root,
        "off": period is not None,
        "since": _time(since).isoformat() if since else None,
        "until": _time(until).isoformat() if until else None,
    }


def _time(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds // _SECOND, UTC)


def _local(nanoseconds: int) -> str:
    return when(_time(nanoseconds))
