"""How a report says times, durations and numbers: in the reader's own zone, as short as can be understood. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from tapehead.report.report_values import Report

_THOUSAND, _MILLION = 1_000, 1_000_000
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def clock(at: datetime | None, zone: tzinfo | None) -> str:
    """The time of the day; nothing where it is not known."""
    return at.astimezone(zone).strftime("%H:%M") if at else ""


def day(at: datetime | None, zone: tzinfo | None) -> str:
    """The day, with the name that people know it by."""
    return at.astimezone(zone).strftime("%A, %Y-%m-%d") if at else ""


def day_and_clock(at: datetime | None, zone: tzinfo | None) -> str:
    """The day and the time."""
    return at.astimezone(zone).strftime("%Y-%m-%d %H:%M") if at else "time unknown"


def with_zone(at: datetime | None, zone: tzinfo | None) -> str:
    """The same, with the name of the zone."""
    return at.astimezone(zone).strftime("%Y-%m-%d %H:%M %Z").strip() if at else "time unknown"


def duration(began: datetime | None, ended: datetime | None) -> str:
    """How long it took, in at most two units."""
    seconds = int((ended - began).total_seconds()) if began and ended else 0
    if seconds <= 0:
        return ""
    if seconds < _MINUTE:
        return f"{seconds} s"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min"
    if seconds < _DAY:
        return f"{seconds // _HOUR} h {seconds % _HOUR // _MINUTE} min"
    return f"{seconds // _DAY} d {seconds % _DAY // _HOUR} h"


def number(value: int) -> str:
    """A whole number."""
    return f"{value:,}"


def short(value: int) -> str:
    """A number of tokens, with three digits at most."""
    for size, sign in ((_MILLION, "M"), (_THOUSAND, "k")):
        if value >= size:
            scaled = value / size
            return f"{scaled:.0f}{sign}" if scaled >= 100 or scaled == int(scaled) else f"{scaled:.1f}{sign}"  # noqa: PLR2004 - three digits
    return str(value)


def money(report: Report) -> str:
    """What the session cost in dollars, who says so, and what is missing."""
    said = f"The agent's status line says ${report.cost:,.2f}. " if report.cost is not None else ""
    where = (
        f"the agent's own record, else from list prices of {report.prices_as_of}, without subscriptions and discounts."
    )
    nameless = [one.model or "unknown" for one in report.models if one.dollars is None]
    if not nameless:
        return f"{said}The money in the table is from {where}"
    missing = f"No list price for {', '.join(nameless)}; add your own in prices.toml."
    return f"{said}{missing}" if len(nameless) == len(report.models) else f"{said}{missing} The rest is from {where}"


def things(many: int, thing: str) -> str:
    """A number of things."""
    return f"{many:,} {thing}{'' if many == 1 else 's'}"


def in_one_line(text: str, letters: int) -> str:
    """The beginning of a text, its lines joined: the first one alone is often only `Fix these:`."""
    line = " ".join(text[: 4 * letters].split())
    return line if len(line) <= letters else f"{line[: letters - 1].rstrip()}…"


def first_line(text: str, letters: int = 160) -> str:
    """What a text is known by."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= letters else f"{line[: letters - 1]}…"
