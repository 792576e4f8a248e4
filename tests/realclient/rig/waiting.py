"""Waiting for something to be so, with an end to it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 120.0
"""Long: only a failure takes them, and a busy machine is slow."""
_BETWEEN = 0.1


def until(probe: Callable[[], Any], what: str, seconds: float = SECONDS, show: Callable[[], str] = str) -> Any:
    """What the probe answers as soon as it is true; where it never is, an error that says what was waited for."""
    last = time.monotonic() + seconds
    while not (found := probe()):
        if time.monotonic() > last:
            raise AssertionError(f"waited {seconds:g} seconds in vain until {what}\n{show()}")
        time.sleep(_BETWEEN)
    return found
