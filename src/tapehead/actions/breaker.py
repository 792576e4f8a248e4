"""The circuit breaker: after three captures that failed in a row none is tried, until one succeeds by hand or the reason is gone."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tapehead.store import atomic

if TYPE_CHECKING:
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

BLOCKED_AFTER = 3
"""Captures that may fail in a row."""
_OF_THE_SYSTEM = re.compile(
    r"(?:OSError|PermissionError|File\w+Error|(?:Is|NotA)\w+Error|BlockingIOError|TimeoutError): "
)
"""A disk that is full, a directory that may not be written: such reasons go away by themselves."""
PROBE = ".probe"


def is_blocked(state: State) -> bool:
    """Whether captures are not tried any more."""
    return state.capture_failures >= BLOCKED_AFTER


def reason_is_gone(layout: Layout, state: State) -> bool:
    """Whether what made the captures fail lets us write again: found out with a file that is as good as none.

    What is no fault of the system (one of ours, then) does not go away by waiting: a user looks, with `doctor --fix`.
    """
    failure = state.failures.get("capture")
    if failure is None or not _OF_THE_SYSTEM.match(failure.reason):
        return False
    probe = os.path.join(layout.captures(state.session_id), PROBE)
    try:
        atomic.write(probe, b"x" * 4096)
        os.unlink(probe)
    except OSError:
        return False
    return True
