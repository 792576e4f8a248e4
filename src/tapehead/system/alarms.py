"""An alarm for this process: a moment at which whatever it is at is broken off. Light: a hook that speaks loads it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead import system

if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
else:
    import _signal as signal  # the same without its enums, which take a hook longer than the rest of this

_POLITELY = 10


class _Threaded:
    """An alarm without signals: a thread waits, and raises in the main thread what the handler raises.

    A call that waits in the system is not broken off, only what runs after it.
    """

    def __init__(self) -> None:
        import threading  # noqa: PLC0415 - POSIX has no use for it

        self.handler: object = None
        self._changes = threading.Lock()
        self._main = threading.main_thread().ident or 0
        self._timer: threading.Timer | None = None
        self._make = threading.Timer

    def set(self, seconds: float) -> None:
        from tapehead.system import windows_api  # noqa: PLC0415 - Windows alone has it

        with self._changes:
            if self._timer:
                self._timer.cancel()
                windows_api.raise_in(self._main, None)
            self._timer = None
            if seconds:
                self._timer = self._make(seconds, self._ring)
                self._timer.daemon = True
                self._timer.start()

    def _ring(self) -> None:
        import threading  # noqa: PLC0415 - it is loaded

        from tapehead.system import windows_api  # noqa: PLC0415 - as above

        with self._changes:
            if self._timer is not threading.current_thread() or not callable(self.handler):
                return
            try:
                self.handler()
            except BaseException as error:  # noqa: BLE001 - whatever it is, the main thread is to have it
                windows_api.raise_in(self._main, type(error))


_threaded = None if hasattr(signal, "setitimer") and system.IS_POSIX else _Threaded()


def set_handler(handler: object) -> object:
    """What is called when the alarm rings; gives back what was before."""
    if _threaded:
        before, _threaded.handler = _threaded.handler, handler
        return before
    return signal.signal(signal.SIGALRM, handler)  # type: ignore[arg-type]  # ours, or what this function gave back


def set_alarm(seconds: float) -> None:
    """Lets it ring in so many seconds; 0 lets it not ring."""
    if _threaded:
        _threaded.set(seconds)
    else:
        signal.setitimer(signal.ITIMER_REAL, seconds)


def end_after(seconds: int, politely: Callable[[], None] | None = None) -> None:
    """Ends this process in so many seconds, whatever it is at; politely by what raises SystemExit."""
    if _threaded and not politely:
        _threaded.handler = lambda: os._exit(_POLITELY)
        _threaded.set(seconds)
        return
    if politely:
        set_handler(lambda *_: politely())
        set_alarm(seconds)
    else:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # its default is to end the process
        signal.alarm(seconds)


def lower_priority(by: int = 10) -> None:
    """Whoever is waited for comes first."""
    if system.IS_POSIX:
        os.nice(by)
        return
    from tapehead.system import windows_api  # noqa: PLC0415 - as above

    windows_api.lower_priority()
