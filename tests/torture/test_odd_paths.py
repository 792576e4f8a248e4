"""A link, a dangling link, a pipe or a directory in the place of every path of a store: no hook hangs, no event is lost, doctor tells."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from contextlib import suppress

import pytest
from arena import tree
from click.testing import CliRunner

import scenes
from tapehead.cli.app import app
from tapehead.cli.output import Failure
from tapehead.engine import hook, worker
from tapehead.engine.engine import Engine
from tapehead.engine.store_location import place_of
from tapehead.store import tape
from tapehead.store.paths import Layout

KINDS = ("link", "dangling", "pipe", "directory", "file")
HOOKS = ("SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact", "Stop", "SessionEnd")
COMMANDS = (
    *(("status",), ("doctor",), ("log",), ("brief",), ("search", "parser"), ("notes",), ("memories",), ("config",)),
    *(
        ("context",),
        ("handoff",),
        ("thread",),
        ("gc",),
        ("replay",),
        ("losses",),
        ("remember", "use tabs"),
        ("doctor", "--fix"),
    ),
)
LOOKED_AT = 30
"""Seconds after which something hangs."""


class Place:
    """A repository with a store that has everything in it, as it was and to be spoilt."""

    def __init__(self, base):
        self.base = base
        self.repo = scenes.repository(base / "repo")
        self.root = str(self.repo / ".git" / "tapehead")
        self.env = {"HOME": str(base / "home"), "PATH": os.environ["PATH"], "CLAUDE_PID": str(os.getpid())}
        (base / "home").mkdir()
        self.record = base / "record.jsonl"
        told = {
            "type": "user",
            "uuid": "1",
            "sessionId": "s",
            "message": {"role": "user", "content": "Build the parser"},
        }
        said = {
            "type": "assistant",
            "uuid": "2",
            "parentUuid": "1",
            "message": {"role": "assistant", "content": "done"},
        }
        self.record.write_text("".join(json.dumps(line) + "\n" for line in (told, said)))

    def hook(self, name, session="s", **fields):
        payload = {"session_id": session, "cwd": str(self.repo), "hook_event_name": name, "prompt": "x", **fields}
        payload |= {"transcript_path": str(self.record), "last_assistant_message": "done", "source": "startup"}
        reading, writing = os.pipe()
        os.write(writing, json.dumps(payload).encode())
        os.close(writing)
        try:
            return hook.run("claude", reading, self.env)
        finally:
            os.close(reading)

    def lived(self):
        """A store with all that a life leaves in it."""
        for name in HOOKS:
            self.hook(name)
        worker.work(self.engine, "s")
        for name in ("SessionStart", "UserPromptSubmit", "Stop"):
            self.hook(name, "t")
        worker.work(self.engine, "t")
        for words in (("remember", "never use tabs"), ("thread", "add", "later"), ("config", "set", "steer", "on")):
            CliRunner().invoke(app, words)
        with open(os.path.join(self.root, "strays.tape"), "a", encoding="utf-8") as file:
            file.write("")
        shutil.copytree(self.root, self.base / "kept")

    @property
    def engine(self):
        return Engine(Layout(place_of(str(self.repo), self.env).roots[0]), time.time_ns, self.env)

    def again(self):
        """The store as it was."""
        if os.path.islink(self.root) or not os.path.isdir(self.root):
            os.unlink(self.root)
        else:
            shutil.rmtree(self.root)
        shutil.copytree(self.base / "kept", self.root)
        for directory, _, _ in os.walk(self.root):
            os.chmod(directory, 0o700)
        shutil.rmtree(self.base / "home")
        (self.base / "home").mkdir()

    def paths(self):
        """Every path of the store that is ours: git keeps its own below lines.git."""
        kept = str(self.base / "kept")
        found = [os.path.relpath(path, kept) for path in sorted(tree(kept))]
        return ["", *(path for path in found if not path.startswith("lines.git/"))]

    def heard(self, prompt):
        """Whether a prompt stands on a tape, in the store or at home."""
        roots = {self.root, *place_of(str(self.repo), self.env).roots}
        home = os.path.join(self.env["HOME"], ".local", "state", "tapehead", "places")
        roots |= {os.path.join(home, name) for name in (os.listdir(home) if os.path.isdir(home) else ())}
        lines = [line for root in roots for line in tape.unread(Layout(root).tape("s"), 0)[0]]
        return sum(prompt.encode() in line for line in lines)


def spoil(path, kind, target):
    """Puts something else in the place of a path; what a link leads to is the same as before, but elsewhere."""
    if os.path.lexists(path):
        if kind == "link":
            shutil.move(path, target)
        elif os.path.isdir(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    if kind in ("link", "dangling"):
        os.symlink(target, path)
    elif kind == "pipe":
        os.mkfifo(path, 0o600)
    elif kind == "directory":
        os.mkdir(path, 0o700)
    else:
        with open(path, "w", encoding="utf-8"):
            pass


@pytest.fixture
def place(tmp_path, monkeypatch):
    made = Place(tmp_path)
    monkeypatch.setattr(hook, "_work", lambda *_: None)  # the worker is run by the test, where a hang would be seen
    monkeypatch.setattr(worker, "PATIENCE", (0,))
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", made.env["HOME"])
    monkeypatch.chdir(made.repo)
    made.lived()
    return made


def _hangs(*_):
    raise AssertionError("it hangs")


def live(place, path, kind, commands):
    """All hooks, the worker and these commands over one spoilt path; what was wrong."""
    place.again()
    target = str(place.base / "target")
    spoil(os.path.join(place.root, path).rstrip("/"), kind, target)
    before = tree(target) if os.path.isdir(target) else _bytes(target)
    before_alarm = signal.signal(signal.SIGALRM, _hangs)
    wrong = []
    signal.alarm(LOOKED_AT)
    try:
        for name in HOOKS:
            place.hook(name, prompt="the newest words")
        with suppress(OSError):  # nobody hears it, and the lines are on the tape
            worker.work(place.engine, "s")
        for words in commands:
            done = CliRunner().invoke(app, words)
            told = (SystemExit, Failure) if words[0] == "doctor" else (SystemExit, Failure, OSError)
            if done.exception and not isinstance(done.exception, told):  # the command line tells the others in our form
                wrong.append(f"{words}: {done.exception!r}")
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before_alarm)
    if place.heard("the newest words") != 1:
        wrong.append(f"heard {place.heard('the newest words')} times")
    if before != (tree(target) if os.path.isdir(target) else _bytes(target)):
        wrong.append("what a link leads to was changed")
    if os.path.isdir(target) and not os.path.islink(target):
        shutil.rmtree(target)
    elif os.path.lexists(target):
        os.unlink(target)
    return [f"{path or 'the store'} as {kind}: {each}" for each in wrong]


def _bytes(path):
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def test_every_path_of_a_store_may_be_something_else(place):
    """Hooks and worker over every path, each as one odd thing in turn; those that every hook needs, as every odd thing."""
    always = {"", "sessions", "sessions/s.tape", "sessions/s.json", "sessions/s.lock", "config.toml"}
    wrong = []
    for number, path in enumerate(place.paths()):
        for kind in KINDS if path in always else KINDS[number % len(KINDS) :][:1]:
            wrong += live(place, path, kind, (("doctor",),) if path in always else ())
    assert wrong == []


@pytest.mark.slow
def test_every_path_as_every_odd_thing_through_every_command(place):
    """The long form: all of them, with the commands of people."""
    assert [each for path in place.paths() for kind in KINDS for each in live(place, path, kind, COMMANDS)] == []


PATHS = ("", "sessions", "sessions/s.tape", "sessions/s.lock", "memory.db")
IN_TURNS = {*zip(PATHS, KINDS, strict=True), *zip(PATHS, reversed(KINDS), strict=True)}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param(path, kind, marks=() if (path, kind) in IN_TURNS else pytest.mark.slow)
        for path in PATHS
        for kind in KINDS
    ],
)
def test_doctor_says_what_is_odd(place, path, kind):
    """A store, a tape, a lock or a history that is something else is never "all is well", and the finding says where it is."""
    if (kind, os.path.basename(path)) in {("directory", ""), ("directory", "sessions")} or (
        kind == "file" and "." in path
    ):
        return  # that is what they are
    place.again()
    where = os.path.join(place.root, path).rstrip("/")
    spoil(where, kind, str(place.base / "target"))
    found = json.loads(CliRunner().invoke(app, ("doctor", "--json")).stdout)
    told = [each for each in found["findings"] if each["level"] != "note" and where in each["what"]]
    assert told, found["findings"]
