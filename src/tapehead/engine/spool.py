"""The spool: payloads that the hook script (agents/hook.sh) wrote down without starting the program. Light.

A file is one payload with what it came with, its fields apart by a NUL, and counts once its last word is there: a script that is killed while
it writes leaves half a file, which nobody takes for a payload. Its name is `NUMBER.PID.AGENT`: a script takes a number above all that are
there, so names in order are payloads in order. The script has no clock; when the payload came is when its file was written.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tapehead import door

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLAIMED = "claimed"
"""The file that says which entry is being taken in, or was when somebody died: entries keep their names, or scripts would miss some."""
_MOST = 64 * 1024 * 1024
_HALF = 600
"""Seconds after which half a file is one for good, whoever has its writer's number by then."""
_OWN = frozenset({"tried", "cwd", "host", "leader"})
"""What the script says by itself; the rest is the environment of the hook."""


class Entry:
    """One file of the spool."""

    __slots__ = ("agent", "at", "number", "path", "pid", "was_taken")

    def __init__(self, path: str, at: int, *, was_taken: bool) -> None:
        self.path = path
        self.at = at
        """When it was written, in nanoseconds since 1970."""
        self.was_taken = was_taken
        """Whether somebody began to take it in: it may be on its tape."""
        number, pid, self.agent = os.path.basename(path).split(".")
        self.number, self.pid = int(number), int(pid)

    @property
    def line_id(self) -> str:
        """The name of its line on the tape: the same however often it is taken in."""
        return f"{self.at:016x}-{self.pid:x}-{self.number}"

    def claim(self) -> None:
        """Says that it is being taken in. Raises OSError."""
        folder, name = os.path.split(self.path)
        descriptor = door.open_file(os.path.join(folder, _CLAIMED), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, follow=False)
        try:
            os.write(descriptor, name.encode())
        finally:
            os.close(descriptor)

    def is_abandoned(self, now_ns: int) -> bool:
        """Whether nobody writes it any more."""
        from tapehead.system.processes import is_lost  # noqa: PLC0415 - only for half a file

        return now_ns - self.at > _HALF * 1_000_000_000 or is_lost(self.pid, "")


class Spooled:
    """What a file says."""

    __slots__ = ("around", "raw", "said")

    def __init__(self, said: dict[str, str], around: dict[str, str], raw: bytes) -> None:
        self.said = said
        """The script's own words."""
        self.around = around
        """The environment of the hook, as far as it matters; what was not set is empty."""
        self.raw = raw
        """The payload."""

    def environment(self, env: Mapping[str, str]) -> dict[str, str]:
        """The environment of whoever takes it in, with that of the hook over it."""
        return {name: value for name, value in {**env, **self.around}.items() if value or name not in self.around}


def folder_in(state: str) -> str:
    """The spool in the user's state directory."""
    return os.path.join(state, "spool")


def has_entries(folder: str) -> bool:
    """Whether there may be something to take in."""
    return any(name[:1] == "1" for name in _names(folder))


def entries(folder: str) -> list[Entry]:
    """What is in the spool, in the order in which it came. Raises OSError.

    A directory is not read in one moment: a name may be missed that came before another that is found. So it is read twice, and of
    what the second reading finds, what has a number above all of the first is left for later. What came before one that is left in was
    there before the second reading began, since a script numbers its entry after it has seen all that were there.
    """
    first = _listed(folder)
    last = max((entry.number for entry in first), default=0)
    return [entry for entry in (_listed(folder) if first else ()) if entry.number <= last]


def _listed(folder: str) -> list[Entry]:
    claimed, found = _claimed(folder), []
    with os.scandir(folder) as listed:
        for each in listed:
            parts = each.name.split(".")
            if len(parts) == 3 and parts[0].isdecimal() and parts[1].isdecimal():  # noqa: PLR2004 - number, process, agent
                try:
                    at = each.stat(follow_symlinks=False).st_mtime_ns
                except FileNotFoundError:
                    continue
                found.append(Entry(each.path, at, was_taken=each.name == claimed))
    return sorted(found, key=lambda entry: (entry.number, entry.at, entry.pid))


def _claimed(folder: str) -> str:
    try:
        return door.read(os.path.join(folder, _CLAIMED), 256, follow=False).decode("ascii", "replace")
    except FileNotFoundError:
        return ""


def read(entry: Entry) -> Spooled | None:
    """What a file says; None for one that is not whole. Raises OSError."""
    fields = door.read(entry.path, _MOST, follow=False).split(b"\0")
    if fields[-2:] != [b"end %d" % entry.pid, b""] or b"" not in fields[:-3]:
        return None
    head = (field.decode("utf-8", "surrogateescape").partition("=") for field in fields[: fields.index(b"")])
    named = {name: value for name, _, value in head}
    said = {name: named.pop(name, "") for name in _OWN}
    return Spooled(said, named, fields[-3])


def make(folder: str) -> None:
    """Makes the spool, as the script expects it: the file that names who takes it in is there, private. Raises OSError."""
    os.makedirs(os.path.join(folder, "quiet"), mode=0o700, exist_ok=True)
    os.chmod(folder, 0o700)
    os.close(door.open_file(os.path.join(folder, "taker"), os.O_WRONLY | os.O_CREAT, follow=False))


def remove(folder: str) -> None:
    """Takes the spool away, but for payloads that are still in it."""
    within = [os.path.join("quiet", name) for name in _names(os.path.join(folder, "quiet"))]
    for name in (*within, "taker", "lock", _CLAIMED, "quiet", ""):
        path = os.path.join(folder, name)
        try:
            (os.rmdir if os.path.isdir(path) else os.unlink)(path)
        except OSError:
            continue


def leave(folder: str, pid: int) -> None:
    """Says that a process takes nothing in any more, if it said that it does; whoever writes an entry from now on starts another."""
    path = os.path.join(folder, "taker")
    try:
        if door.read(path, 64, follow=False).strip() == b"%d" % pid:
            os.truncate(path, 0)
    except OSError:
        return


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
