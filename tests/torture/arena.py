"""A repository, a home and the real hook as a process: where the torture takes place, and what must hold afterwards."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress

from tapehead.brief import capture_file
from tapehead.engine.engine import Engine
from tapehead.engine.replay import differences
from tapehead.statemachine.vocabulary import Event
from tapehead.store import captures, lock, rejected_payloads
from tapehead.store.line import Damaged, parse
from tapehead.store.paths import Layout

TAPEHEAD = os.path.join(os.path.dirname(sys.executable), "tapehead")
PATIENCE = 60.0
"""Seconds after which something that must happen counts as never happening."""


class Arena:
    """One store of its own, found from a repository as an agent's hook finds it."""

    def __init__(self, base: str, *, repository: bool = True) -> None:
        self.base = base
        self.home = os.path.join(base, "home")
        self.work = os.path.join(base, "work")
        os.makedirs(self.home, exist_ok=True)
        os.makedirs(self.work, exist_ok=True)
        if repository:
            git(self.work, "init", "-q", "-b", "main", "--template=")
        self.root = os.path.join(self.work, ".git", "tapehead")
        self.env = {"PATH": os.environ["PATH"], "HOME": self.home}
        for name in ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG"):  # processes are counted where tests are
            if name in os.environ:
                self.env[name] = os.environ[name]

    @property
    def layout(self) -> Layout:
        return Layout(self.root)

    @property
    def engine(self) -> Engine:
        return Engine(self.layout, time.time_ns)

    def payload(self, session: str, hook: str, **more: object) -> bytes:
        said = {"session_id": session, "cwd": self.work, "hook_event_name": hook}
        return json.dumps(said | more).encode()

    def popen(self, raw: bytes, *, script: str = "", words: tuple[str, ...] = (), **options) -> subprocess.Popen:
        """The real hook, its payload already in its stdin (a file: nobody has to stay and write); or what starts it."""
        path = os.path.join(self.base, f"payload-{time.monotonic_ns()}")
        with open(path, "wb") as file:
            file.write(raw)
        asked = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": self.env, "cwd": self.base} | options
        with open(path, "rb") as stdin:
            words = words or (("sh", "-c", script) if script else (TAPEHEAD, "hook", "claude"))
            process = subprocess.Popen(words, stdin=stdin, **asked)
        os.unlink(path)
        return process

    def hook(self, raw: bytes, **options) -> str:
        """Runs the hook to its end; it must leave with 0 and without a word on stderr. Returns what it printed."""
        process = self.popen(raw, **options)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err or b"") == (0, b"")
        return (out or b"").decode()

    def workers(self) -> list[int]:
        """The detached settles of this arena that are alive, and those who take in its spool."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError), open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
                if {b"-I", b"spool"} & {*words} and any(word.startswith(self.base.encode() + b"/") for word in words):
                    found.append(int(name))
        return found

    def quiet(self) -> None:
        """Waits until no detached settle is at work."""
        until(lambda: not self.workers(), "the detached settles to end")

    def close(self) -> None:
        for pid in self.workers():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        until(lambda: not self.workers(), "the killed workers to go")

    def lines(self, session: str) -> list:
        """Every line of a tape that can be read."""
        found = []
        for raw in self.engine.store.lines(session)[0]:
            with suppress(Damaged):
                found.append(parse(raw))
        return found

    def strays(self) -> list[str]:
        return [parse(raw).text("reason") for raw in rejected_payloads.lines(self.layout) if raw]

    def sound(self, session: str) -> None:
        """What holds at any moment: the state parses, it is what its part of the tape gives, captures are whole."""
        saved = os.path.join(self.root, "sessions", session + ".json")
        if os.path.exists(saved):
            with open(saved, "rb") as file:
                json.load(file)
        assert differences(self.engine, session) == {}
        self.captures_whole(session)

    def settled(self, session: str) -> object:
        """What holds after everyone went home: sound, all of the tape read, and every lock free. Returns the state."""
        self.sound(session)
        state = self.engine.store.load(session)
        assert state is not None
        assert not self.engine.store.behind(session, state)
        for path in (self.layout.lock(session), self.layout.worker(session)):
            held = lock.take(path, PATIENCE)  # a process that just ended lets go of its files a moment after its name
            assert held is not None, f"{path} is still locked"
            lock.release(held)
        ids = [line.id for line in self.lines(session)]
        assert len(ids) == len(set(ids))
        prompts = sum(line.event is Event.TURN_START for line in self.lines(session))
        assert state.turn_number == prompts
        return state

    def captures_whole(self, session: str) -> None:
        if text := captures.read(self.layout, session):
            capture_file.read(text)
        archive = os.path.join(self.layout.captures(session), "archive")
        for name in os.listdir(archive) if os.path.isdir(archive) else []:
            with open(os.path.join(archive, name), encoding="utf-8") as file:
                capture_file.read(file.read())

    def scratch(self) -> list[str]:
        return [name for _, _, names in os.walk(self.root) for name in names if name.endswith(".scratch")]


def git(directory: str, *words: str) -> str:
    """The real git, with a name and without the user's settings."""
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", *who, *words], cwd=directory, env=env, capture_output=True, text=True, check=True)
    return done.stdout


def commit(directory: str, text: str) -> None:
    """One more commit, of one file."""
    with open(os.path.join(directory, "file"), "w", encoding="utf-8") as file:
        file.write(text)
    git(directory, "add", "file")
    git(directory, "commit", "-q", "-m", text)


def until(holds, what: str) -> None:
    """Waits for a condition; fails where it does not come about."""
    deadline, pause = time.monotonic() + PATIENCE, 0.01
    while not holds():
        assert time.monotonic() < deadline, f"waited too long for {what}"
        select.select([], [], [], pause)
        pause = min(2 * pause, 0.2)  # to look costs more than to wait


def tree(directory: str) -> dict[str, bytes]:
    """Every file below a directory with its content: to compare before and after."""
    found = {}
    for where, folders, names in os.walk(directory):
        found |= {os.path.join(where, name): b"/" for name in folders}
        for name in names:
            path = os.path.join(where, name)
            with suppress(OSError), open(path, "rb") as file:
                found[path] = file.read()
    return found
