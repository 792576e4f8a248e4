"""The terminal that a user sits at: keys without Enter, and the signals that come with it."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

from tapehead import system

if system.IS_POSIX:
    import select
    import termios

_PAUSE = 0.05
RESIZED = getattr(signal, "SIGWINCH", None)
"""The user made the window larger or smaller. Windows sends no signal for it."""
STOPPED = getattr(signal, "SIGTSTP", None)
"""Ctrl-Z in a shell that can go on with it."""
ENDED = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def take_keys(descriptor: int) -> list[object] | None:
    """Keys come at once and are not shown; gives back how it was before, or None where nothing was changed."""
    if not system.IS_POSIX:
        return None  # there keys are asked for one by one
    with suppress(termios.error):
        before: list[object] = termios.tcgetattr(descriptor)
        mode = termios.tcgetattr(descriptor)
        mode[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, mode)
        return before
    return None


def give_back(descriptor: int, before: list[object] | None) -> None:
    """As it was."""
    if before is not None:
        with suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)  # type: ignore[arg-type]  # as it came


def stop() -> None:
    """Stops this process as Ctrl-Z does without us; it goes on here after `fg`."""
    if STOPPED:
        signal.signal(STOPPED, signal.SIG_DFL)
        os.kill(os.getpid(), STOPPED)


def wait(woken: int, keys: int | None, seconds: float) -> tuple[bool, bytes | None]:
    """Whether somebody woke us, and the keys that were pressed: None where there were none, empty where no more will come."""
    if not system.IS_POSIX:
        return _wait_by_looking(keys, seconds)
    ready = select.select([woken, *([keys] if keys is not None else [])], [], [], seconds)[0]
    return woken in ready, os.read(keys, 1024) if keys is not None and keys in ready else None


def _wait_by_looking(keys: int | None, seconds: float) -> tuple[bool, bytes | None]:
    from tapehead.system import windows_api  # noqa: PLC0415 - Windows alone has it

    ends = time.monotonic() + seconds
    while (rest := ends - time.monotonic()) > 0:
        if keys is not None and (pressed := windows_api.keys()):
            return False, pressed
        time.sleep(min(_PAUSE, rest))  # Ctrl-C ends it
    return True, None  # so that a new size of the window is seen
