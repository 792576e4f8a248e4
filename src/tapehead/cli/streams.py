"""The one door to a terminal: what commands print holds no control character but line breaks, tabs and our own colours.

Names, subjects, prompts and what git says come from others, and a terminal obeys whoever writes to it. Text passes a `Printable`;
what rich draws passes `Cleaned` before colours are put to it, and then goes to the stream below.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from tapehead.text.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult


class Printable:
    """A text stream that passes on what can be printed."""

    def __init__(self, below: IO[str]) -> None:
        self.below = below

    def write(self, text: str) -> int:
        """Write without what a terminal would obey."""
        self.below.write(plain(text))
        return len(text)

    def writelines(self, lines: Iterator[str]) -> None:
        """Write each."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


def guard() -> None:
    """Let whatever this process prints pass the door from now on, tracebacks included."""
    sys.stdout, sys.stderr = _guarded(sys.stdout), _guarded(sys.stderr)


@contextmanager
def guard_for_a_while() -> Iterator[None]:
    """The same for a while: a caller in the same process has its streams back afterwards."""
    before = sys.stdout, sys.stderr
    guard()
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def below(stream: IO[str]) -> IO[str]:
    """Give the stream itself, for those who clean what they write."""
    return stream.below if isinstance(stream, Printable) else stream


def _guarded(stream: IO[str] | None) -> Any:
    return stream if stream is None or isinstance(stream, Printable) else Printable(stream)


class Cleaned:
    """What rich is about to draw, without control characters in its texts; rich's own controls stand apart from them."""

    def __init__(self, inner: ConsoleRenderable) -> None:
        self.inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it."""
        from rich.segment import Segment  # noqa: PLC0415 - only where rich is loaded

        for one in console.render(self.inner, options):
            yield one if one.control else Segment(plain(one.text), one.style)


class Cleaning:
    """Puts every renderable of a console into a Cleaned."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """As rich asks its hooks."""
        return [Cleaned(one) for one in renderables]
