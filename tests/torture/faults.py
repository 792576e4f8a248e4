"""A fault at the nth file-system call of a piece of work: the work is forked, so that it can also be killed there.

Run as a script it walks over every call of one scenario, one after the other, and prints what did not hold. A process of its
own does this because forking a test runner, which has threads, is not safe.
"""

from __future__ import annotations

import builtins
import errno
import fcntl
import importlib
import os
import select
import signal
import sys
import traceback

from arena import Arena

CALLS = {
    os: [
        "open",
        "read",
        "write",
        "pread",
        "lseek",
        "close",
        "replace",
        "rename",
        "link",
        "unlink",
        "fsync",
        "fstat",
        "stat",
        "mkdir",
        "listdir",
        "scandir",
        "pipe",
        "getcwd",
        "set_inheritable",
        "posix_spawn",
        "posix_spawnp",
        "waitpid",
    ],
    fcntl: ["flock"],
    select: ["select"],
    builtins: ["open"],
}
ALLOCATING = frozenset({"write", "mkdir", "link"})
KINDS = ("error", "full", "kill", "torn")
"""An error that passes; a disk that is full from here on; a kill; a kill in the middle of a write."""


class Faults:
    """Stands between the program and the system; counts, and strikes once."""

    def __init__(self, kind: str = "", at: int = 0) -> None:
        self.kind = kind
        self.at = at
        self.calls: list[str] = []

    def install(self) -> None:
        for module, names in CALLS.items():
            for name in names:
                setattr(module, name, self._between(name, getattr(module, name)))

    def _between(self, name: str, real):
        def called(*words, **named):
            self.calls.append(name)
            if self.kind and (len(self.calls) == self.at or (self.kind == "full" and len(self.calls) > self.at)):
                return getattr(self, "_" + self.kind)(name, real, words, named)
            return real(*words, **named)

        return called

    def _error(self, name, real, words, named):
        if name == "close":  # a descriptor is gone whatever close says; a lock that stayed would be our own doing
            real(*words, **named)
        raise OSError(errno.EIO, "a fault", name)

    def _full(self, name, real, words, named):
        if name == "write" and len(self.calls) == self.at:
            return real(words[0], bytes(words[1])[: len(words[1]) // 2])
        creates = name == "open" and len(words) > 1 and isinstance(words[1], int) and words[1] & os.O_CREAT
        if name in ALLOCATING or (creates and not os.path.exists(words[0])):
            raise OSError(errno.ENOSPC, "a full disk", name)
        return real(*words, **named)

    def _kill(self, name, real, words, named):
        os.kill(os.getpid(), signal.SIGKILL)

    def _torn(self, name, real, words, named):
        if name == "write":
            real(words[0], bytes(words[1])[: len(words[1]) // 2])
        os.kill(os.getpid(), signal.SIGKILL)


NOT_REACHED = 5
"""What git says comes in as many pieces as it likes, so that one run makes a few calls less than another."""


def forked(work, faults: Faults, report: int = -1) -> int:
    """Does the work in a child with the faults in place; returns its wait status. What it counted goes to `report`."""
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    code = 1
    try:
        faults.install()
        work()
        code = 0 if len(faults.calls) >= faults.at else NOT_REACHED
    except OSError:
        code = 3
    except BaseException:  # noqa: BLE001 - a forked child must end here, whatever it is
        traceback.print_exc()
        code = 4
    finally:
        faults.kind = ""
        if report >= 0:
            ours = [name for name in sys.modules if name.startswith("tapehead.")]
            os.write(report, "\n".join(faults.calls).encode() + b"\0" + "\n".join(ours).encode())
        os._exit(code)


def counted(work) -> list[str]:
    """The calls of a run without faults. What it loads is loaded here too: once, and not by each child that follows."""
    reading, writing = os.pipe()
    status = forked(work, Faults(), writing)
    os.close(writing)
    calls, _, modules = os.read(reading, 1 << 20).decode().partition("\0")
    os.close(reading)
    assert status == 0, f"even without a fault: {status}"
    for name in modules.split("\n"):
        importlib.import_module(name)
    return calls.split("\n")


def walk(scenario, base: str, kind: str, stride: int) -> tuple[int, list[str]]:
    """A fault of one kind at every call of a scenario (or every nth): how many calls, and what did not hold after which."""
    calls = counted(scenario(Arena(os.path.join(base, "clean"))).work)
    wrong = []
    places = [(at, name) for at, name in enumerate(calls, 1) if kind != "torn" or name == "write"]
    stride = max(1, stride // 8) if kind == "torn" else stride  # few calls write
    first = KINDS.index(kind) * stride // len(KINDS)  # the kinds take turns, so that they strike at different calls
    for at, name in places[first % len(places) :: stride]:
        made = scenario(Arena(os.path.join(base, f"{at}")))
        status = forked(made.work, Faults(kind, at))
        if os.waitstatus_to_exitcode(status) == NOT_REACHED:
            continue
        try:
            made.holds(kind, status)
        except Exception:  # noqa: BLE001 - all of them are told at the end
            wrong.append(f"{kind} at call {at} of {len(calls)}, {name}:\n{traceback.format_exc(limit=-3)}")
    return len(calls), wrong


if __name__ == "__main__":
    import scenarios

    count, found = walk(scenarios.ALL[sys.argv[1]], sys.argv[2], sys.argv[3], int(sys.argv[4]))
    sys.stdout.write(f"{count} calls\n" + "\n".join(found[:5]))
    sys.exit(bool(found))
