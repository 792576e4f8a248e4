"""A line for whoever waits long, and none for whoever does not."""

from __future__ import annotations

import io
import threading

import pytest
from rich.console import Console

from tapehead.cli import slow_work


class AtOnce:
    """A timer whose time is over as soon as it begins, or never."""

    def __init__(self, seconds, begin):
        self.begin = begin if not seconds else None

    def start(self):
        if self.begin:
            self.begin()

    def cancel(self):
        """Nothing is left to cancel."""

    join = cancel


@pytest.mark.parametrize(("seconds", "is_slow"), [(0, True), (3600, False)])
def test_only_slow_work_is_shown(monkeypatch, seconds, is_slow):
    """Where its time comes."""
    screen = io.StringIO()
    monkeypatch.setattr(slow_work, "console", lambda **_: Console(file=screen, force_terminal=True, width=80))
    monkeypatch.setattr(slow_work, "Timer", AtOnce)
    with slow_work.show_if_slow("Syncing ...", seconds) as show:
        show("Syncing: pushing ...")
    assert ("Syncing" in screen.getvalue()) is is_slow


def test_the_real_timer_is_taken_away():
    """Work that is over in time leaves no thread behind."""
    before = threading.active_count()
    with slow_work.show_if_slow("Syncing ..."):
        pass
    assert threading.active_count() == before
