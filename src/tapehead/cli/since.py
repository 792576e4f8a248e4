"""From when on: a time or an age that a user or an agent gives, as a time in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tapehead.cli import moments
from tapehead.cli.output import Failure
from tapehead.settings.setting_values import Wrong, seconds


def parse_since(text: str | None) -> str:
    """A time in UTC, from a time or an age; empty where none is given, or it is longer ago than anything."""
    if not text:
        return ""
    now = datetime.now(UTC)
    try:
        age = seconds(text)
    except Wrong:
        return _from(text, now).isoformat()
    try:
        return (now - timedelta(seconds=age)).isoformat()
    except OverflowError:
        return ""


def _from(text: str, now: datetime) -> datetime:
    if moments.is_range(text):
        raise Failure(
            f"--since needs a single time, not {text!r}",
            "`tapehead detail` takes a range",
        )
    try:
        asked = moments.moment(text, None)
    except moments.NotUnderstood:
        asked = None
    if isinstance(asked, moments.Span):
        return asked.start
    if isinstance(asked, moments.Clock):
        span = moments.on_day(asked, now.astimezone().date(), None)
        return span.start if span.start <= now else span.start - timedelta(days=1)
    raise Failure(f"Can't parse {text!r} as a time", "try 2026-11-15, 14:23, 3d or 12h")
