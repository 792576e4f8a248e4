"""The moment by which a hook has answered, or goes without a word. One for each process of a hook.

A timer ends whatever the hook is at: a lock that another holds, a git that does not answer, a transcript that is too long. That is safe at
any point, as a kill is: what was done is on the tape, and whoever settles next does the rest.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tapehead.system import alarms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HOOK_SECONDS = 1.8
"""From when a hook has read its payload. Python has started by then, and has to end: two seconds in all."""
_LONGEST = 60.0
_AT_ONCE = 1e-6
_NEVER = float("inf")


def seconds_for_hook(env: Mapping[str, str]) -> float:
    """How long a hook may take; the user may give it more on a slow machine."""
    try:
        return max(HOOK_SECONDS, min(float(env.get("TAPEHEAD_HOOK_SECONDS", "")), _LONGEST))
    except ValueError:
        return HOOK_SECONDS


class Late(BaseException):
    """Time is up. No Exception: nobody who only knows of failures may take it for one."""


class Deadline:
    """A moment, and the timer that keeps it."""

    def __init__(self, ends: float = _NEVER) -> None:
        self.ends = ends
        """By time.monotonic()."""
        self.was_missed = False
        """Whether something was broken off: somebody else has to finish it."""
        self._armed = _NEVER

    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.ends - time.monotonic())

    @contextmanager
    def limit(self, *, reserve: float = 0.0, seconds: float = _NEVER) -> Iterator[None]:
        """Raises Late inside when so many seconds are over, or when only the reserve is left."""
        with self._timer(min(self.ends - reserve, time.monotonic() + seconds, self._armed)):
            yield

    @contextmanager
    def _timer(self, moment: float) -> Iterator[None]:
        if moment == _NEVER:
            yield
            return
        before, self._armed = self._armed, moment
        handler = alarms.set_handler(self._ring)
        try:
            self._arm()
            yield
        finally:
            alarms.set_alarm(0)
            alarms.set_handler(handler)
            self._armed = before
            self._arm()

    def _arm(self) -> None:
        rest = self._armed - time.monotonic()
        alarms.set_alarm(0 if rest == _NEVER else max(_AT_ONCE, rest))

    def _ring(self, *_: object) -> None:
        self.was_missed = True
        raise Late
