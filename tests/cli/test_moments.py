"""What a user means by a time or a turn."""

import os
import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.cli.moments import FIRST, LAST, Clock, NotUnderstood, Span, Turns, is_range, moment, on_day

PLUS_TWO = timezone(timedelta(hours=2))


def utc(*parts):
    return datetime(*parts, tzinfo=UTC)


@pytest.fixture
def zone(monkeypatch):
    """Sets the user's own time zone, and puts the old one back."""

    def put(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield put
    monkeypatch.undo()
    os.environ.pop("TZ", None)
    time.tzset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("turn 12", Turns(12, 12)),
        ("turns 3-5", Turns(3, 5)),
        ("Turn 3..5", Turns(3, 5)),
        ("turns 3 to 5", Turns(3, 5)),
        ("14:23", Clock((14, 23, 0), (14, 23, 60))),
        (" 4:05 ", Clock((4, 5, 0), (4, 5, 60))),
        ("14:23:05", Clock((14, 23, 5), (14, 23, 6))),
        ("14:23-14:30", Clock((14, 23, 0), (14, 30, 60))),
        ("14:23 - 14:30:10", Clock((14, 23, 0), (14, 30, 11))),
        ("23:50..00:10", Clock((23, 50, 0), (0, 10, 60))),
        ("2026-11-15T14:23:05Z", Span(utc(2026, 11, 15, 14, 23, 5), utc(2026, 11, 15, 14, 23, 6))),
        ("2026-11-15T14:23Z", Span(utc(2026, 11, 15, 14, 23), utc(2026, 11, 15, 14, 24))),
        (
            "2026-11-15T14:23:05.250Z",
            Span(utc(2026, 11, 15, 14, 23, 5, 250_000), utc(2026, 11, 15, 14, 23, 6, 250_000)),
        ),
        ("2026-11-15T14:23:05+02:00", Span(utc(2026, 11, 15, 12, 23, 5), utc(2026, 11, 15, 12, 23, 6))),
        ("2026-11-15T14:23:05-0500", Span(utc(2026, 11, 15, 19, 23, 5), utc(2026, 11, 15, 19, 23, 6))),
        ("2026-11-15T14:23:05-05:00", Span(utc(2026, 11, 15, 19, 23, 5), utc(2026, 11, 15, 19, 23, 6))),
        ("2026-11-15T14:23:05-14:30", Span(utc(2026, 11, 15, 12, 23, 5), utc(2026, 11, 15, 12, 31))),
        ("2026-11-15T14:23", Span(utc(2026, 11, 15, 12, 23), utc(2026, 11, 15, 12, 24))),
        ("2026-11-15 14:23", Span(utc(2026, 11, 15, 12, 23), utc(2026, 11, 15, 12, 24))),
        ("2026-11-15", Span(utc(2026, 11, 14, 22), utc(2026, 11, 15, 22))),
        ("2026-11-15..2026-11-16", Span(utc(2026, 11, 14, 22), utc(2026, 11, 16, 22))),
        ("2026-11-15T14:23 to 2026-11-15T14:30", Span(utc(2026, 11, 15, 12, 23), utc(2026, 11, 15, 12, 31))),
        ("2026-11-15T14:23-14:30", Span(utc(2026, 11, 15, 12, 23), utc(2026, 11, 15, 12, 31))),
        ("2026-11-15T23:50..00:10", Span(utc(2026, 11, 15, 21, 50), utc(2026, 11, 15, 22, 11))),
        ("9999-12-31", Span(utc(9999, 12, 30, 22), LAST)),
        ("2026-11-15..9999-12-31", Span(utc(2026, 11, 14, 22), LAST)),
        ("9999-12-31T23:59:59Z", Span(utc(9999, 12, 31, 23, 59, 59), LAST)),
        ("0001-01-01", Span(FIRST, utc(1, 1, 1, 22))),
        ("0001-01-01T00:00", Span(FIRST, utc(1, 1, 1, 0, 1))),
    ],
)
def test_what_is_understood(text, expected):
    """A minute that is named is meant whole, and so is a second or a day; a time without a zone is the user's own."""
    assert moment(text, PLUS_TWO) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "turn",
        "turn x",
        "25:00",
        "14:60",
        "14:23-14:30-14:40",
        "2026-13-01",
        "2026-11-15T",
        "12",
        "turns 5-x",
        "9999-12-31T23:59Z..00:10",
    ],
)
def test_what_is_not(text):
    """Is said to be nothing of these."""
    with pytest.raises(NotUnderstood):
        moment(text, PLUS_TWO)


@pytest.mark.parametrize("name", ["UTC", "Asia/Tokyo", "America/New_York"])
def test_the_ends_of_time(zone, name):
    """The first day and the last are days like any other, in every zone of the machine's own."""
    zone(name)
    for day in ("0001-01-01", "9999-12-31", "0001-01-01T00:00", "9999-12-31T23:59"):
        found = moment(day, None)
        assert FIRST <= found.start <= found.end <= LAST


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14:23", False),
        ("14:23-14:30", True),
        ("2026-11-15", False),
        ("2026-11-15..2026-11-16", True),
        ("2026-11-15T14:23:05-05:00", False),
        ("2026-11-15T14:23-14:30", True),
    ],
)
def test_from_one_time_to_another(text, expected):
    """Is told from a time."""
    assert is_range(text) is expected


@given(st.text(max_size=30))
def test_nothing_else_is_raised(text):
    """Whatever a user types."""
    try:
        found = moment(text, UTC)
    except NotUnderstood:
        return
    assert isinstance(found, Turns | Clock | Span)


def test_a_clock_time_on_a_day():
    """In the user's zone; from before midnight to after it, it ends on the next day."""
    day = date(2026, 11, 15)
    assert on_day(Clock((14, 23, 0), (14, 23, 60)), day, PLUS_TWO) == Span(
        utc(2026, 11, 15, 12, 23), utc(2026, 11, 15, 12, 24)
    )
    assert on_day(Clock((23, 50, 0), (0, 10, 60)), day, PLUS_TWO) == Span(
        utc(2026, 11, 15, 21, 50), utc(2026, 11, 15, 22, 11)
    )
    assert on_day(Clock((23, 59, 0), (23, 59, 60)), day, UTC) == Span(utc(2026, 11, 15, 23, 59), utc(2026, 11, 16))


@pytest.mark.parametrize(("name", "hours"), [("UTC", 0), ("Asia/Tokyo", 9), ("America/New_York", -5)])
def test_the_persons_own_zone(zone, name, hours):
    """Where none is given, that of the machine counts."""
    zone(name)
    assert moment("2026-11-15T14:23", None).start == utc(2026, 11, 15, 14, 23) - timedelta(hours=hours)
    assert on_day(Clock((1, 0, 0), (1, 0, 60)), date(2026, 11, 15), None).start == utc(2026, 11, 15, 1) - timedelta(
        hours=hours
    )


def test_a_day_on_which_the_clock_is_put(zone):
    """A day named without an hour is that day, be it 23 or 25 hours long."""
    zone("Europe/Berlin")
    spring = moment("2026-03-29", None)
    assert spring.end - spring.start == timedelta(hours=23)
    assert moment("2026-10-25", None) == Span(utc(2026, 10, 24, 22), utc(2026, 10, 25, 23))
    assert on_day(Clock((12, 0, 0), (12, 0, 60)), date(2026, 3, 29), None).start == utc(2026, 3, 29, 10)
