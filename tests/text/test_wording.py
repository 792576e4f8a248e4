"""How ids and times are told."""

import os
import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.text.wording import ago, alike, clock, lasting, quote_words, short_ids, when


def test_ids_are_as_short_as_can_be():
    """Eight letters where that is enough."""
    assert short_ids(["0123456789", "abababab-1", "abababab-2", "abc"]) == {
        "0123456789": "01234567",
        "abababab-1": "abababab-1",
        "abababab-2": "abababab-2",
        "abc": "abc",
    }


@given(st.lists(st.text("ab", min_size=9, max_size=14)))
def test_no_two_are_told_alike(ids):
    """Whatever they are: each begins as it is told, and two that differ are told differently."""
    told = short_ids(ids)
    assert told.keys() == set(ids)
    assert all(one.startswith(begins) for one, begins in told.items())
    assert len(set(told.values())) == len(told)


def test_ids_to_choose_from_are_whole():
    """And not more than anyone reads."""
    assert alike(["a1", "a2"]) == "use more of the id: a1, a2"
    assert alike([f"a{number}" for number in range(12)]).endswith(", a9 and 2 more")


@pytest.fixture
def india(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    yield
    monkeypatch.undo()
    os.environ.pop("TZ", None)
    time.tzset()


@pytest.mark.usefixtures("india")
def test_times_are_the_users_own():
    """With the zone where the time stands alone; what is no time is told as it stands."""
    at = datetime(2026, 11, 18, 20, 42, 7, tzinfo=UTC)
    assert when(at) == when("2026-11-18T20:42:07Z") == "2026-11-19 02:12 +0530"
    assert clock(at) == "02:12"
    assert (when(None), when("soon"), clock("soon")) == ("-", "soon", "soon")


def test_ages_are_told_in_the_largest_unit():
    """And what was a moment ago is not counted."""
    now = datetime(2026, 11, 18, tzinfo=UTC)
    told = [ago(now - timedelta(seconds=seconds), now) for seconds in (2, 30, 90, 7_300, 90_000)]
    assert told == ["just now", "30 s ago", "1 min ago", "2 h ago", "1 d ago"]
    assert ago(None, now) == "never"


def test_words_of_others_are_not_told_as_python_writes_them():
    """Quotes stay quotes, line breaks and what a terminal obeys are gone."""
    assert quote_words("it's\n\x1b[31mred") == "“it's red”"


def test_a_length_of_time_is_rough():
    """In the largest unit that fits, however odd its seconds are."""
    told = [lasting(seconds) for seconds in (0.4, 59.9, 61, 1389, 86_399, 1_296_090)]
    assert told == ["0 s", "59 s", "1 min", "23 min", "23 h", "15 d"]
