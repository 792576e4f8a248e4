"""A small store of each former format, upgraded by the present code: everything that a user does with it works.

`tools/keep_format.py` made them, each with the version that wrote that format.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time
from binascii import crc32
from pathlib import Path
from threading import Thread

import attrs
import pytest
from click.testing import CliRunner

from tapehead.cli.app import app
from tapehead.documents import notes_basis
from tapehead.engine import hook
from tapehead.history.database import Database
from tapehead.history.migrations import MIGRATIONS
from tapehead.history.renewal import FORM, form_of, mark_of, renew
from tapehead.notes import notes_keeper
from tapehead.notes.counts import Counted
from tapehead.notes.knowledge import Gathered
from tapehead.store import state, tape
from tapehead.store.paths import Layout
from tapehead.store.state import SCHEMA_VERSION

FORMER = Path(__file__).parent / "former"
NAMES = sorted(path.name.removesuffix(".tar.gz") for path in FORMER.glob("*.tar.gz"))
NEWEST = max(NAMES, key=lambda name: [int(number) for number in re.findall(r"\d+", name)])
SESSION = "11111111-2222-4333-8444-555555555555"
ENVIRONMENT = {"hooks", "bytecode", "clients"}
"""What doctor says of the machine and not of the store."""

if not os.path.samefile("/tmp", os.path.realpath("/tmp")) or os.path.realpath("/tmp") != "/tmp":
    pytest.skip("the kept stores have their paths in /tmp", allow_module_level=True)


def _checked(before, after):
    """What the notes know has a checksum and its length in front."""
    for match in re.finditer(rb"[0-9a-f]{16}", before):
        at, size = match.end(), int(match[0][8:], 16)
        if crc32(before[at : at + size]) == int(match[0][:8], 16):
            after = after[: at - 16] + b"%08x" % crc32(after[at : at + size]) + after[at - 8 :]
    # So has each line of a tape.
    return re.sub(
        rb'^\{"sum":"[0-9a-f]{8}",(.*)$', lambda line: tape.with_sum(b"{" + line[1]), after, flags=re.MULTILINE
    )


class Store:
    """A store as a former version left it, in a place of its own."""

    def __init__(self, name, place):
        with tarfile.open(FORMER / f"{name}.tar.gz") as file:
            file.extractall(place, filter="data")
        self.place = place / "place"
        for path in sorted(self.place.iterdir()):
            shutil.move(path, place / path.name)
        self.root, self.home = place / "repo", place / "home"
        was, now = (place / "was").read_text().encode(), str(place).encode()
        assert len(was) == len(now)
        for path in place.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)
            if path.is_file() and was in (data := path.read_bytes()):
                path.write_bytes(_checked(data, data.replace(was, now)))

    def run(self, *words):
        done = CliRunner().invoke(app, words)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
        assert "Traceback" not in done.output
        return done

    def json(self, *words):
        return json.loads(self.run(*words, "--json").stdout)

    def hook(self, name, **fields):
        payload = {"session_id": SESSION, "cwd": str(self.root), "hook_event_name": name, **fields}
        reading, writing = os.pipe()
        os.write(writing, json.dumps(payload).encode())
        os.close(writing)
        try:
            return hook.run("claude", reading, {"HOME": str(self.home), "CLAUDE_PID": str(os.getpid())})
        finally:
            os.close(reading)

    def complaints(self):
        found = self.json("doctor")["findings"]
        return [each for each in found if each["level"] != "note" and each["check"] not in ENVIRONMENT]

    def brief(self):
        """What a model would get, without what differs from run to run."""
        text = self.run("brief", "--session", SESSION).stdout.replace(str(self.root.parent), "")
        return re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z|\d\d:\d\d", "TIME", text)


@pytest.fixture
def opened(monkeypatch):
    """Opens a kept store and stands in its repository."""
    places = []
    monkeypatch.setattr("tapehead.engine.hook._work", lambda *_: None)

    def opened(name):
        places.append(Path(tempfile.mkdtemp(prefix="th", dir="/tmp")))
        store = Store(name, places[-1])
        monkeypatch.setenv("HOME", str(store.home))
        monkeypatch.delenv("XDG_STATE_HOME")
        monkeypatch.setenv("XDG_STATE_HOME", str(store.home / ".local" / "state"))
        monkeypatch.chdir(store.root)
        return store

    yield opened
    monkeypatch.chdir("/")
    for place in places:
        shutil.rmtree(place)


def versions(store):
    """The formats of a store: state, notes, database."""
    folder = store.root / ".git" / "tapehead"
    state = json.loads((folder / "sessions" / f"{SESSION}.json").read_text())["schema_version"]
    database = sqlite3.connect(f"file:{folder}/memory.db?mode=ro", uri=True)
    number = database.execute("PRAGMA user_version").fetchone()[0]
    database.close()
    return state, notes_basis.load(Layout(str(folder)), SESSION).get("version"), number


def test_the_newest_is_todays(opened):
    """Where a format grows, a store of it is kept: `python tools/keep_format.py state-N-notes-N`."""
    assert versions(opened(NEWEST)) == (SCHEMA_VERSION, notes_keeper.VERSION, len(MIGRATIONS))


SHAPES = {"state": (5, 451671480), "notes": (9, 1776059517), "history": (3, 64156746)}
"""The version of each format, and a checksum of its shape."""


def _shape_of(made):
    """The names and types of all fields, also of what is nested."""
    return [
        (one.name, made.__annotations__[one.name]) for one in attrs.fields(made)
    ]  # whoever loads cattrs resolves `type`


def test_a_format_changes_only_with_its_version():
    """Where this fails: raise the version, keep a store of it (`python tools/keep_format.py NAME`), and note both numbers here."""
    classes = (state.PromptAttribution, state.TokenUsage, state.Failure, state.Waiting, state.State)
    shapes = {
        "state": (SCHEMA_VERSION, [_shape_of(one) for one in classes]),
        "notes": (notes_keeper.VERSION, [Gathered._fields, Counted._fields]),
        "history": (len(MIGRATIONS), MIGRATIONS),
    }
    assert {name: (version, crc32(repr(shape).encode())) for name, (version, shape) in shapes.items()} == SHAPES


@pytest.mark.parametrize("name", NAMES)
def test_a_former_store_is_read(opened, name):
    """The session is there with its phase, its prompts are found and told, and doctor has nothing against the store."""
    store = opened(name)
    [session] = store.json("status")[0]["sessions"]
    assert (session["session_id"], session["phase"]) == (SESSION, "ended"), "its process is gone"
    store.run("import", "--here", str(store.home))  # the first versions had no history
    assert {hit["session"] for hit in store.json("search", "colour")} == {SESSION}
    assert "add a test" in store.run("detail", "turn 2", "--session", SESSION).stdout
    assert store.run("log", "--session", SESSION).exit_code == 0
    assert store.run("replay", "--session", SESSION).exit_code == 0
    store.run("doctor", "--fix")
    assert store.complaints() == []
    kept = notes_basis.load(Layout(str(store.root / ".git" / "tapehead")), SESSION)
    assert kept.get("version") in (None, notes_keeper.VERSION), "its notes are made again"


@pytest.mark.parametrize("name", [name for name in NAMES if name != NEWEST])
def test_its_brief_is_todays(opened, name):
    """Word for word what a store of today would tell: nothing of what a former version said stays."""
    now = opened(NEWEST).brief()
    then = opened(name).brief()
    assert "Make the colour blue" in now
    assert then == now


@pytest.mark.parametrize("name", [NAMES[0], "state-1-notes-1", "state-1-notes-5", NEWEST])
def test_the_session_goes_on(opened, name):
    """A resume, a turn and a compaction go through, the brief has what was asked before, and the state is of today's version."""
    store = opened(name)
    store.hook("SessionStart", source="resume")
    store.hook("UserPromptSubmit", prompt="And document it.")
    store.hook("Stop", last_assistant_message="It is documented.")
    store.hook("PreCompact", trigger="manual", custom_instructions="")
    said = store.hook("SessionStart", source="compact")
    assert "document it" in said
    assert "add a test" in said
    [session] = store.json("status")[0]["sessions"]
    assert session["phase"] == "restored"
    state = json.loads((store.root / ".git" / "tapehead" / "sessions" / f"{SESSION}.json").read_text())
    assert state["schema_version"] == SCHEMA_VERSION
    assert store.complaints() == []


@pytest.mark.parametrize("name", [NAMES[0], "state-1", "state-1-notes-5", "state-5-notes-7-history-2"])
def test_hooks_go_on_while_it_is_brought_over(opened, name):
    """Each within its deadline, and every prompt is on the tape and found."""
    store = opened(name)
    layout = Layout(str(store.root / ".git" / "tapehead"))

    def bring_over():
        with Database(layout.memory) as database:
            while not renew(database):
                pass

    beside = Thread(target=bring_over)
    beside.start()
    slowest = 0.0
    store.hook("SessionStart", source="resume")
    for number in range(12):
        began = time.monotonic()
        store.hook("UserPromptSubmit", prompt=f"Paint buoy {number}.")
        store.hook("Stop", last_assistant_message=f"Painted {number}.")
        slowest = max(slowest, time.monotonic() - began)
    beside.join()
    assert slowest < 2 * 2.0
    tape = layout.tape(SESSION)
    with open(tape, encoding="utf-8") as file:
        asked = [line["data"]["prompt"] for line in map(json.loads, file) if line.get("event") == "turn_start"]
    assert asked[-12:] == [f"Paint buoy {number}." for number in range(12)]
    store.run("import", "--here", str(store.home))
    assert {hit["session"] for hit in store.json("search", "colour")} == {SESSION}
    with Database(layout.memory) as database:
        assert (form_of(database), mark_of(database)) == (FORM, 0)


def test_the_tool_makes_one(tmp_path):
    """The tool that keeps a store still works with the present code."""
    line = "import sys; sys.path.insert(0, sys.argv[1]); import keep_format as k, pathlib; k.KEPT = pathlib.Path(sys.argv[2]); k.main('x')"
    tools = str(Path(__file__).parents[2] / "tools")
    subprocess.run([sys.executable, "-c", line, tools, str(tmp_path)], check=True, timeout=120)
    with tarfile.open(tmp_path / "x.tar.gz") as file:
        assert f"place/repo/.git/tapehead/sessions/{SESSION}.json" in file.getnames()
