"""That tapehead is off here, in words and as data."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tapehead.store import off_switch
from tapehead.text.wording import when

if TYPE_CHECKING:
    from tapehead.cli.here import Here
    from tapehead.store.off_switch import Period

_SECOND = 1_000_000_000


def current(at: Here) -> Period | None:
    """The period that runs here now; None where tapehead is on."""
    return off_switch.running(at.engine.layout, at.engine.clock_ns())


def told(period: Period) -> str:
    """In a few words."""
    return f"off until {_local(period.until)}" if period.until else f"off since {_local(period.since)}"


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
