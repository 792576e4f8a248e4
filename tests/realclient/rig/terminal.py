"""A terminal with a shell in it, and a user who types into it: tmux, with a server of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from rig.waiting import SECONDS, until

if TYPE_CHECKING:
    from rig.place import Place

CLAUDE = "claude --dangerously-skip-permissions"
_READY = "bypass permissions on"
_LINE_BREAKS = 5


class Terminal:
    """One window. The shell stays when the client goes, so that the next client has the same terminal."""

    def __init__(self, place: Place, name: str) -> None:
        self.place, self.name = place, name
        shell = ["env", "-i", *(f"{k}={v}" for k, v in place.env.items()), "bash", "--noprofile", "--norc", "-i"]
        window = ["new-session", "-d", "-s", name, "-x", "150", "-y", "60", "-c", place.project, "--"]
        self._tmux(*window, *place.inside(*shell))
        self.wait_for("ready>")

    def claude(self, *options: str) -> None:
        """Starts Claude Code and waits until it takes words."""
        self.start(" ".join((CLAUDE, *options)), _READY)

    def start(self, command: str, ready: str, seconds: float = SECONDS) -> None:
        """Starts a client and waits for the sign that it takes words. One that was killed has left its picture on the screen."""
        until(lambda: not self._client(), "the shell has the terminal", show=self.screen)
        self._tmux("send-keys", "-R", "-t", self.name, ";", "clear-history", "-t", self.name)
        self.enter(command)
        until(lambda: ready in self.screen(), "the client takes words", seconds, show=self.screen)

    def enter(self, text: str) -> None:
        """Types a line, sees it on the screen, and presses Enter."""
        self.type(text)
        if self.place.TYPING and not self.shows(text[-40:], 5.0):
            self.type(text)  # it was busy drawing itself
        self.wait_for(text[-40:])
        if self.place.TYPING:
            until(lambda: self._sent(text[-40:]), f"{text!r} is sent", show=self.screen)
        else:
            self.press("Enter")

    def _sent(self, words: str) -> bool:
        """Presses Enter as slowly as a hand does, and looks whether the line is empty."""
        time.sleep(self.place.TYPING)
        self.press("Enter")
        time.sleep(self.place.TYPING)
        return not self._client() or words not in self.below()

    def below(self) -> str:
        """Where the user types."""
        return "\n".join(self.screen().rstrip().splitlines()[-5:])

    def type(self, text: str) -> None:
        """Types, and no Enter."""
        self._tmux("send-keys", "-t", self.name, "-l", text)

    def press(self, key: str) -> None:
        """Presses one key, by tmux's name for it."""
        self._tmux("send-keys", "-t", self.name, key)

    def screen(self) -> str:
        """What the user sees."""
        return self._tmux("capture-pane", "-p", "-J", "-t", self.name)

    def wait_for(self, text: str) -> None:
        """Waits until the user sees it."""
        until(lambda: text in self.screen(), f"the screen shows {text!r}", show=self.screen)

    def shows(self, text: str, seconds: float) -> bool:
        """Whether the user sees it within so long."""
        with suppress(AssertionError):
            until(lambda: text in self.screen(), "it is seen", seconds)
            return True
        return False

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """The client dies as in a power cut, and the shell has the terminal again."""
        client = until(self._client, "a client runs")
        for pid in (*_below(client), client):  # Gemini runs itself once more
            with suppress(ProcessLookupError):
                os.kill(pid, how)
        until(lambda: not self._client(), "the client is gone")

    def leave(self, word: str = "/exit") -> None:
        """Ends the client as a user does."""
        for _ in range(_LINE_BREAKS if self.place.TYPING else 0):
            self.press("BSpace")  # an Enter that was one too many
            time.sleep(self.place.TYPING / _LINE_BREAKS)
        self.enter(word)
        until(lambda: not self._client(), "the client is gone", show=self.screen)

    def close(self) -> None:
        """Closes the window with whatever runs in it."""
        self._tmux("kill-session", "-t", self.name)

    def _client(self) -> int:
        """The shell's one child, or 0."""
        pane = self._tmux("list-panes", "-t", self.name, "-F", "#{pane_pid}").strip()
        return next(iter(_children(int(pane))), 0)

    def _tmux(self, *words: str) -> str:
        env = {**os.environ, "TMUX_TMPDIR": self.place.short}
        command = ["tmux", "-u", "-L", "rig", "-f", "/dev/null", *words]
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout


def close_all(place: Place) -> None:
    """Hangs up on every terminal of the place, and waits until nobody in them is left."""
    env = {**os.environ, "TMUX_TMPDIR": place.short}
    tmux = ["tmux", "-L", "rig"]
    panes = subprocess.run(
        [*tmux, "list-panes", "-a", "-F", "#{pane_pid}"], env=env, check=False, capture_output=True, text=True
    )
    inside = [pid for shell in panes.stdout.split() for pid in (int(shell), *_children(int(shell)))]
    subprocess.run([*tmux, "kill-server"], env=env, check=False, capture_output=True)
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in inside), "the terminals are empty")


def _below(pid: int) -> list[int]:
    """All that a process started and what those started, the deepest first, of the same program."""
    with suppress(OSError):
        program = os.readlink(f"/proc/{pid}/exe")
        same = [child for child in _children(pid) if os.readlink(f"/proc/{child}/exe") == program]
        return [each for child in same for each in (*_below(child), child)]
    return []


def _children(pid: int) -> list[int]:
    with suppress(FileNotFoundError), open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
        return [int(child) for child in children.read().split()]
    return []
