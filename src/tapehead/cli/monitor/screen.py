"""A terminal for as long as something is shown in it: another screen, no cursor, keys without Enter; left as it was found."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console

from tapehead import system
from tapehead.cli.monitor.view import PLAIN
from tapehead.cli.output import PIPE_WIDTH
from tapehead.cli.streams import Cleaning
from tapehead.system import terminal
from tapehead.text.plain import row as plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType

    from rich.text import Text

_ENTER = "\x1b[?1049h\x1b[?25l"
_LEAVE = "\x1b[?25h\x1b[?1049l"
_LINE_END = "\x1b[K\r\n"
_REST = "\x1b[K\x1b[J"
_FIRST_SIZE = (80, 24)


class Screen:
    """Where pictures go and keys come from."""

    def __init__(self) -> None:
        self._in, self._out = sys.stdin.fileno(), sys.stdout.fileno()
        self._keys = os.isatty(self._in)
        self._saved: list[object] | None = None
        self._woken, self._wake = os.pipe()
        for end in (self._woken, self._wake):
            system.never_block(end)
        self._console = _console()
        self._ended = 0
        self.entered = 0
        """How often the terminal was taken: after each time there is nothing on it."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of this moment."""
        try:
            columns, lines = os.get_terminal_size(self._out)
        except OSError:
            return _FIRST_SIZE
        return columns or _FIRST_SIZE[0], lines or _FIRST_SIZE[1]

    def show(self, lines: Sequence[Text]) -> None:
        """Draws over what was there, in one write: nothing flickers."""
        drawn = [self._drawn(line) for line in lines]
        self._write("\x1b[H" + _LINE_END.join(drawn) + _REST)

    def tell(self, message: str) -> None:
        """Calls the user: with the bell, and with a notice where the terminal is known to show one (OSC 9)."""
        notice = f"\x1b]9;{plain(message)}\x1b\\" if shows_notices(os.environ) else ""
        self._write(f"{notice}\a")

    def _drawn(self, line: Text) -> str:
        """A line with its colours, where they are wanted."""
        with self._console.capture() as caught:
            self._console.print(line if speaks_utf8() else _spelt(line), end="", soft_wrap=True, crop=False)
        return caught.get()

    def wait(self, seconds: float) -> str:
        """What the user pressed, or nothing when the time is up or the screen has another size.

        A signal ends it here and nowhere else: one that raised wherever it came could come where nobody hears it.
        """
        self._end_if_told()
        woken, pressed = terminal.wait(self._woken, self._in if self._keys else None, seconds)
        if woken:
            self._wake_up()
        self._end_if_told()
        if pressed is None:
            return ""
        self._keys = bool(pressed)  # nobody is there any more who could press something
        return pressed.decode("utf-8", "replace")

    def _wake_up(self) -> None:
        if system.IS_POSIX:  # elsewhere nothing comes through the pipe, and a read would wait for it
            with suppress(BlockingIOError):
                os.read(self._woken, 1024)

    def enter(self) -> None:
        """Takes the terminal."""
        if self._keys:
            self._saved = terminal.take_keys(self._in)
        self._write(_ENTER)
        self.entered += 1

    def leave(self) -> None:
        """Gives it back."""
        with suppress(OSError):
            self._write(_LEAVE)
        terminal.give_back(self._in, self._saved)

    def on_resize(self, _number: int, _frame: FrameType | None) -> None:
        """Ends a wait: there is something to draw."""
        with suppress(OSError):
            os.write(self._wake, b"x")

    def on_end(self, number: int, _frame: FrameType | None) -> None:
        """Ends a wait, and then all of it."""
        self._ended = number
        self.on_resize(number, None)

    def _end_if_told(self) -> None:
        if self._ended == signal.SIGINT:
            raise KeyboardInterrupt
        if self._ended:
            raise SystemExit(128 + self._ended)

    def on_stop(self, number: int, _frame: FrameType | None) -> None:
        """Ctrl-Z: the shell gets its terminal as it was, and the picture comes back with `fg`."""
        self.leave()
        terminal.stop()
        signal.signal(number, self.on_stop)  # here it goes on after `fg`
        self.enter()
        self.on_resize(0, None)

    def close(self) -> None:
        """Forgets the pipe that woke it."""
        os.close(self._woken)
        os.close(self._wake)

    def _write(self, text: str) -> None:
        rest = memoryview(text.encode(sys.stdout.encoding or "utf-8", "replace"))
        while rest:
            rest = rest[os.write(self._out, rest) :]


@contextmanager
def taken() -> Iterator[Screen]:
    """The screen, given back however this ends: by a key, by Ctrl-C, by a signal, by an error."""
    screen = Screen()
    handlers = {
        terminal.RESIZED: screen.on_resize,
        terminal.STOPPED: screen.on_stop,
        **dict.fromkeys(terminal.ENDED, screen.on_end),
    }
    former = {number: signal.signal(number, handler) for number, handler in handlers.items() if number}
    try:
        screen.enter()
        yield screen
    finally:
        screen.leave()
        for number, handler in former.items():
            signal.signal(number, handler)
        screen.close()


def shows_notices(env: Mapping[str, str]) -> bool:
    """Whether a terminal turns OSC 9 into a notice on the desktop. Elsewhere it is passed over, or means something else."""
    if env.get("TMUX") or env.get("STY"):
        return False  # what is inside hears the bell, and the user's settings there decide
    return env.get("TERM_PROGRAM") in _NOTICES or env.get("TERM") in ("xterm-kitty", "xterm-ghostty")


_NOTICES = ("iTerm.app", "WezTerm", "ghostty")


def _console() -> Console:
    """Turns styles into what a terminal understands; it prints nothing itself."""
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    made = Console(
        file=StringIO(),
        force_terminal=True,
        color_system=None if plain else "standard",
        no_color=plain,
        width=PIPE_WIDTH,
        legacy_windows=False,
    )
    made.push_render_hook(Cleaning())  # type: ignore[arg-type]  # by its shape
    return made


def speaks_utf8() -> bool:
    """Whether stdout takes any letter."""
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _spelt(line: Text) -> Text:
    copy = line.copy()
    copy.plain = line.plain.translate(PLAIN)
    return copy
