"""Work that mostly takes a moment: a user who waits longer sees what is under way."""

from __future__ import annotations

from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from tapehead.cli.output import console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PATIENCE = 2.0


@contextmanager
def show_if_slow(text: str, seconds: float = _PATIENCE) -> Iterator[Callable[[str], None]]:
    """Show a line on stderr after a while, if that is a terminal, and take it away at the end. Whoever works changes its words."""
    shown = console(stderr=True).status(text)
    timer = Timer(seconds, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield shown.update
    finally:
        timer.cancel()
        timer.join()  # one that is just starting it: then it can be stopped
        shown.stop()
