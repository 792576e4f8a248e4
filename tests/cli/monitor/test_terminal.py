"""`tapehead monitor` in a real terminal: a pseudo-terminal of our own, and tmux where there is one."""

from __future__ import annotations

import fcntl
import os
import select
import shlex
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time

import pytest

SECONDS = 30.0
"""How long something may take on a busy machine before it counts as never."""
ENTERED, LEFT = b"\x1b[?1049h\x1b[?25l", b"\x1b[?25h\x1b[?1049l"


class Terminal:
    """A pseudo-terminal with the monitor in it."""

    def __init__(self, program, *words, columns=80, lines=24, **env):
        self.master, slave = os.openpty()
        self.resize(columns, lines)
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.process = subprocess.Popen(
            [program[0], "-c", "import os; os.login_tty(os.dup(0)); " + program[2], *program[3:], *words],
            env={**os.environ, "TERM": "xterm", "TAPEHEAD_MONITOR_REFRESH": "0.1s", **env},
            stdin=slave,
        )
        self.seen = b""

    def resize(self, columns, lines):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, keys):
        os.write(self.master, keys)

    def until(self, words):
        """Reads on until these words were drawn; gives what came since the last time."""
        last = time.monotonic() + SECONDS
        start = len(self.seen)
        while words not in self.seen[start:]:
            assert select.select([self.master], [], [], max(0, last - time.monotonic()))[0], self.seen
            self.seen += os.read(self.master, 65536)
        return self.seen[start:]

    def ended(self):
        """The exit code, once it is over; and what it still drew."""
        self.until(LEFT)
        return self.process.wait(SECONDS)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def terminal(world):
    """Opens terminals, and closes them."""
    opened = []

    def made(*words, **more):
        opened.append(Terminal(world.program, *words, **more))
        return opened[-1]

    yield made
    for each in opened:
        each.close()


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (lambda it: it.press(b"q"), 0),
        (lambda it: it.press(b"\x03"), 0),
        (lambda it: it.press(b"\x04"), 0),
        (lambda it: it.process.send_signal(signal.SIGTERM), 128 + signal.SIGTERM),
    ],
    ids=["q", "Ctrl-C", "Ctrl-D", "SIGTERM"],
)
def test_it_leaves_the_terminal_as_it_found_it(world, terminal, end, code):
    """However it ends: the other screen is left, the cursor is back, keys are echoed and lines edited as before."""
    world.session("one")
    it = terminal()
    assert it.until(b"q quits").startswith(ENTERED)
    end(it)
    assert it.ended() == code
    assert it.seen.endswith(LEFT)
    assert termios.tcgetattr(it.slave) == it.before


def test_other_keys_do_nothing(world, terminal):
    """An arrow key is no Escape, and nothing that is typed shows."""
    world.session("one")
    it = terminal()
    it.until(b"q quits")
    it.press(b"\x1b[Ax")
    world.answers("one", 77_000)
    drawn = it.until(b"77k")
    assert b"[A" not in drawn
    it.press(b"q")
    assert it.ended() == 0


def test_it_draws_what_has_changed(world, terminal):
    """A prompt, an answer, a new session: each within a moment."""
    world.session("one")
    it = terminal()
    it.until(b"0 active")
    world.hook("UserPromptSubmit", "one", prompt="go")
    it.until(b"1 active")
    world.session("two")
    it.until(b"2 sessions")


def test_it_survives_another_size(world, terminal):
    """Wider, and as narrow as nothing fits: it is drawn anew and never wraps."""
    world.session("one")
    it = terminal()
    assert b"50k" not in it.until(b"just now")
    it.resize(120, 40)
    assert b"\x1b[H" in it.until(b"just now")
    it.resize(3, 2)
    it.until(b"\x1b[H")
    it.resize(80, 24)
    it.until(b"just now")
    it.press(b"q")
    assert it.ended() == 0


def test_without_colours(world, terminal):
    """NO_COLOR: the cursor is moved, and that is all."""
    world.session("one")
    it = terminal(NO_COLOR="1")
    it.until(b"just now")
    it.press(b"q")
    it.ended()
    assert b"m" not in {code[-1:] for code in _codes(it.seen)}


def _codes(raw):
    """The escape sequences in what was drawn."""
    import re

    return re.findall(rb"\x1b\[[?0-9;]*[a-zA-Z]", raw)


def test_with_nobody_at_the_keys(world):
    """No stdin, or one at its end: it goes on, and a signal ends it."""
    world.session("one")
    master, slave = os.openpty()
    with open(os.devnull, "rb") as nothing:
        process = subprocess.Popen(world.program, stdin=nothing, stdout=slave, env={**os.environ, "TERM": "xterm"})
    try:
        drawn = b""
        while b"just now" not in drawn:
            assert select.select([master], [], [], SECONDS)[0]
            drawn += os.read(master, 65536)
        assert process.poll() is None
        process.terminate()
        assert process.wait(SECONDS) == 128 + signal.SIGTERM
    finally:
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


class Tmux:
    """A terminal as people have it, with a shell in it, in a server of its own."""

    def __init__(self, world, columns=80, lines=24):
        self.program = world.program
        self.sockets = tempfile.mkdtemp(prefix="th-")  # sockets need a short path
        shell = ["env", "PS1=ready> ", "TERM=screen-256color", "bash", "--noprofile", "--norc", "-i"]
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(lines), "-c", world.root, "--", *shell)
        self.until(lambda screen: "ready>" in screen)

    def tmux(self, *words):
        command = ["tmux", "-u", "-L", "monitor", "-f", "/dev/null", *words]
        env = {**os.environ, "TMUX_TMPDIR": self.sockets}
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def until(self, holds):
        last = time.monotonic() + SECONDS
        while not holds(screen := self.screen()):
            assert time.monotonic() < last, screen
            select.select([], [], [], 0.05)
        return screen

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def monitor(self, *words):
        self.tmux("send-keys", "-l", "clear; " + shlex.join([*self.program, *words]))
        self.press("Enter")

    def resize(self, columns, lines):
        self.tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def close(self):
        self.tmux("kill-server")
        shutil.rmtree(self.sockets, ignore_errors=True)


@pytest.fixture
def tmux(world):
    if shutil.which("tmux") is None or shutil.which("bash") is None:
        pytest.skip("tmux and bash are what this is tried in")
    it = Tmux(world)
    yield it
    it.close()


def test_in_tmux_many_sessions_resized_and_quit(world, tmux):
    """What fits is shown and the rest counted; a larger window shows more, a small one still the first; `q` gives the shell back."""
    for number in range(12):
        world.session(f"s{number:07}", ends=number % 2 == 1)
    tmux.monitor()
    screen = tmux.until(lambda screen: "12 sessions" in screen)
    assert "more: `tapehead monitor --once` shows all" in screen
    assert screen.count("IDLE") >= 4
    tmux.resize(120, 50)
    screen = tmux.until(lambda screen: screen.count("ENDED") == 6)
    assert screen.count("IDLE") == 6
    assert "more:" not in screen
    tmux.resize(40, 6)
    screen = tmux.until(lambda screen: "and 11 more" in screen or "and 12 more" in screen)
    assert screen.startswith("tapehead · project")
    tmux.resize(80, 24)
    tmux.until(lambda screen: "q quits" in screen)
    tmux.press("q")
    tmux.until(lambda screen: "q quits" not in screen and "ready>" in screen)
    tmux.press("-l", "echo typed-$((1+1))")
    assert "echo typed" in tmux.until(lambda screen: "echo typed" in screen)
    tmux.press("Enter")
    tmux.until(lambda screen: "typed-2" in screen)


def test_in_tmux_without_sessions(tmux):
    """It says how to have some, and Ctrl-C gives the shell back."""
    tmux.monitor()
    tmux.until(lambda screen: "No session recorded here yet" in screen)
    tmux.press("C-c")
    tmux.until(lambda screen: "No session recorded" not in screen and "ready>" in screen)


def test_in_tmux_stopped_and_gone_on(world, tmux):
    """Ctrl-Z gives the shell its screen; `fg` brings the picture back."""
    world.session("one")
    tmux.monitor()
    tmux.until(lambda screen: "q quits" in screen)
    tmux.press("C-z")
    tmux.until(lambda screen: "Stopped" in screen and "q quits" not in screen)
    tmux.press("-l", "fg")
    tmux.press("Enter")
    tmux.until(lambda screen: "q quits" in screen and "1 session" in screen)
    tmux.press("q")
    tmux.until(lambda screen: "q quits" not in screen and "ready>" in screen)
