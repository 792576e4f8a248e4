"""What Windows does in the place of posix_spawn and select, here on Linux."""

import os
import time
from contextlib import contextmanager

import pytest

from tapehead.system import alarms, exchange_threaded

LONG = "echo $$ > pid; exec sleep 600"


class Rang(BaseException):
    """The alarm."""


@contextmanager
def broken_off(seconds):
    def ring(*_):
        raise Rang

    before = alarms.set_handler(ring)
    alarms.set_alarm(seconds)
    try:
        yield
    finally:
        alarms.set_alarm(0)
        alarms.set_handler(before)


def test_what_a_program_says_and_reads():
    """Its words, its exit code, and what it said of a failure."""
    deadline = time.monotonic() + 60
    assert exchange_threaded.run(["cat"], {**os.environ}, b"through", deadline, 100) == (b"through", 0, "")
    assert exchange_threaded.run(["sh", "-c", "echo no >&2; exit 3"], {**os.environ}, b"", deadline, 100) == (
        b"",
        3,
        "no",
    )
    assert exchange_threaded.run(["cat"], {**os.environ}, b"too much", deadline, 3)[0] is None


def test_what_takes_too_long_is_ended(tmp_path, monkeypatch):
    """Nothing of it is left."""
    monkeypatch.chdir(tmp_path)
    assert exchange_threaded.run(["sh", "-c", LONG], {**os.environ}, b"", time.monotonic() + 1, 100)[0] is None
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_wait_that_is_broken_off_leaves_no_program(tmp_path, monkeypatch):
    """It is ended and taken leave of, so that nobody warns of it later."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Rang), broken_off(1):
        exchange_threaded.run(["sh", "-c", LONG], {**os.environ}, b"", time.monotonic() + 600, 100)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
