"""The agent's process: whether it still lives, and its terminal. Light: every start asks.

/proc is read where there is one; elsewhere (macOS, the BSDs) `ps` is asked, which takes some milliseconds more; Windows is asked
by its own calls.
"""

import os

from tapehead import system

_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "fish", "ksh", "timeout", "env", "nice", "cmd", "powershell", "pwsh"})
_GONE = ("Z", "X")
"""Dead, and only waiting for a parent that may never ask (in a container without an init)."""
_PTS_MAJORS = range(136, 144)
_TTY_MAJOR = 4
_COMMAND = 64 * 1024
"""Bytes of a command line that are looked at: a prompt may stand on it."""


class Process:
    """A process, told apart from a later one with the same number by when it started."""

    __slots__ = ("name", "parent", "pid", "started", "terminal")

    def __init__(self, pid: int, name: str, parent: int, started: str, terminal: str) -> None:
        self.pid = pid
        self.name = name
        self.parent = parent
        self.started = started
        self.terminal = terminal


def look(pid: int, proc: str = "/proc") -> Process | None:
    """The process, or None where there is none or nobody can tell."""
    if not system.IS_POSIX:
        return _asked_of_windows(pid)
    if not os.path.isdir(os.path.join(proc, "self")):
        return _asked_of_ps(pid)
    try:
        with open(os.path.join(proc, str(pid), "stat"), "rb") as file:
            return parse_stat(file.read().decode("utf-8", "replace"))
    except OSError:
        return None


def parse_stat(text: str) -> Process | None:
    """The process that a line of /proc/PID/stat is about; None where it was gone, or where this is no such line."""
    try:
        name = text[text.index("(") + 1 : text.rindex(")")]
        fields = text[text.rindex(")") + 2 :].split()
        if fields[0] in _GONE:
            return None
        return Process(int(text[: text.index(" ")]), name, int(fields[1]), fields[19], _terminal(int(fields[4])))
    except (ValueError, IndexError):
        return None


def is_lost(pid: int, started: str, proc: str = "/proc") -> bool:
    """Whether the process is surely gone: no signal reaches it, or another one has its number now."""
    if not system.IS_POSIX:
        there = _started_by_windows(pid)
        return there is None or bool(started and there and there != started)
    if not _signals_reach(pid):
        return True
    found = look(pid, proc)
    if found is None:
        return os.path.isdir(os.path.join(proc, "self"))  # /proc knows; a ps that does not answer proves nothing
    return bool(started) and found.started != started


def words(pid: int, proc: str = "/proc") -> list[str]:
    """The command line of a process; nothing where nobody can tell."""
    if not system.IS_POSIX:
        return []  # Windows tells it only by reading the memory of the process
    if not os.path.isdir(os.path.join(proc, "self")):
        return _ps("args=", pid).split()
    try:
        with open(os.path.join(proc, str(pid), "cmdline"), "rb") as file:
            return file.read(_COMMAND).decode("utf-8", "replace").split("\0")
    except OSError:
        return []


def children(pid: int, proc: str = "/proc") -> list[int]:
    """What a process has started and not seen end; nothing where nobody can tell."""
    tasks = os.path.join(proc, str(pid), "task")
    found: list[int] = []
    try:
        threads = os.listdir(tasks)
    except OSError:
        return []
    for thread in threads:
        try:
            with open(os.path.join(tasks, thread, "children"), "rb") as file:
                found += [int(child) for child in file.read().split()]
        except (OSError, ValueError):  # a thread that ends meanwhile hides only its own
            continue
    return found


def running_in(program: str, directory: str, proc: str = "/proc") -> list[Process]:
    """The processes of a program that work in a directory or below it; none where there is no /proc to look through."""
    found = []
    for name in os.listdir(proc) if os.path.isdir(os.path.join(proc, "self")) else ():
        if name.isdecimal() and program in map(os.path.basename, words(int(name), proc)[:2]):
            try:
                place = os.readlink(os.path.join(proc, name, "cwd"))
            except OSError:
                continue  # somebody else's, or gone
            is_there = place == directory or place.startswith(directory.rstrip("/") + "/")
            found += [process] if is_there and (process := look(int(name), proc)) else []
    return found


def terminal_started(pid: int, proc: str = "/proc") -> str:
    """When the terminal of a process was opened: when the process started that leads its session.

    The numbers of terminals are given away again, and with the leader everything that ran in the old one is gone.
    """
    if not system.IS_POSIX:
        return ""  # there are no sessions with leaders, and look() knows of no terminals
    try:
        leader = look(os.getsid(pid), proc)
    except OSError:
        return ""
    return leader.started if leader else ""


def host_above(pid: int, proc: str = "/proc") -> Process | None:
    """The nearest process above that is no shell: whoever ran the hook's command line."""
    for _ in range(8):
        found = look(pid, proc)
        if found is None or found.pid <= 1:
            return None
        if found.name not in _SHELLS:
            return found
        pid = found.parent
    return None


def _asked_of_windows(pid: int) -> Process | None:
    """A parent's number may have been given away again: a process that started later is no parent."""
    from tapehead.system import windows_api  # noqa: PLC0415 - Windows alone has it

    started = windows_api.find_start(pid)
    parent, name = windows_api.processes().get(pid, (0, ""))
    if started is None or not name:
        return None
    above = windows_api.find_start(parent)
    if above is None or (above and started and int(above) > int(started)):
        parent = 0
    return Process(pid, name.lower().removesuffix(".exe"), parent, started, "")


def _started_by_windows(pid: int) -> str | None:
    from tapehead.system import windows_api  # noqa: PLC0415 - as above

    return windows_api.find_start(pid)


def _asked_of_ps(pid: int) -> Process | None:
    """What ps says: parent, terminal, start (five words) and name of one process."""
    said = _ps("ppid=,tty=,lstart=,comm=", pid).split()
    try:
        terminal = "" if said[1].startswith("?") else "/dev/" + said[1]
        return Process(pid, os.path.basename(said[7]), int(said[0]), " ".join(said[2:7]), terminal)
    except (ValueError, IndexError):
        return None


def _ps(columns: str, pid: int) -> str:
    """What ps prints of one process; nothing where it does not answer."""
    reading, writing = os.pipe()
    try:
        quiet = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
        actions = [(os.POSIX_SPAWN_DUP2, writing, 1), quiet]
        command = ["ps", "-o", columns, "-p", str(pid)]
        child = os.posix_spawnp("ps", command, {"PATH": os.defpath, "LC_ALL": "C"}, file_actions=actions)
        os.close(writing)
        writing = -1
        said = os.read(reading, 4096).decode("utf-8", "replace")
        os.waitpid(child, 0)
    except OSError:
        return ""
    else:
        return said
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)


def _terminal(number: int) -> str:
    """The kernel's number for a terminal as its name: see proc(5), tty_nr."""
    major, minor = number >> 8 & 0xFFF, (number & 0xFF) | (number >> 12 & 0xFFF00)
    if major in _PTS_MAJORS:
        return f"/dev/pts/{(major - _PTS_MAJORS.start) * 256 + minor}"
    return f"/dev/tty{minor}" if major == _TTY_MAJOR else ""


def _signals_reach(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):  # the latter for a number that no process ever had
        return False
    except OSError:
        return True
    return True
