"""Times as they are told."""

from datetime import datetime

import pytest

from tapehead.text.times import minute


@pytest.mark.parametrize(
    ("time", "told"),
    [
        ("2026-11-16T07:31:16.123Z", "2026-11-16T07:31Z"),
        ("2026-11-16T07:31:16.123+00:00", "2026-11-16T07:31Z"),
        ("2026-11-16T09:31:16+02:00", "2026-11-16T09:31+02:00"),
        ("2026-11-16T07:31:16", "2026-11-16T07:31"),
        ("yesterday", "yesterday"),
        ("", ""),
    ],
)
def test_the_minute_with_its_zone(time, told):
    """What is copied means the same moment; what is no time is left as it is."""
    assert minute(time) == told
    if told.endswith("Z"):
        assert datetime.fromisoformat(told) == datetime.fromisoformat(time).replace(second=0, microsecond=0)
