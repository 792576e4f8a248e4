"""One bad line spoils one line: mutated records through every reader, through the engine and the worker, and through the commands."""

import json
import os
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from mutations import LATE, LINES, Mutator
from recordings import RECORDS

import scenes
from tapehead.agents.claude.context_growth import growth
from tapehead.agents.readers import again_of, agent_of_file, deliveries_of, follower_of, reader_of
from tapehead.cli.app import app
from tapehead.cli.output import run
from tapehead.engine import worker
from tapehead.history.database import Database
from tapehead.history.entry_making import Entries
from tapehead.history.writing import Keeper, prepare
from tapehead.statemachine.vocabulary import Event
from tapehead.transcript.recorded_steps import Cursor
from tapehead.work_record.work_record import gather_work

hosts = pytest.mark.parametrize("host", RECORDS)
IN_A_FILE = 100
"""Mutated lines of one file."""


def read(host, path):
    """All that reads a record, and what is made of what was read."""
    agent_of_file(path)
    reader = reader_of(host)
    reading = reader.read(path)
    reader.newest(path, 4_000)
    if again := again_of(host):
        again.between(path, 0, os.path.getsize(path), lambda call: bool(call.path))
    if host == "claude":
        list(growth(path))
    found = deliveries_of(host)
    assert all(isinstance(text, str) for text in (found.received(path) if found else ()))
    gather_work(reader.skim(path))
    return [words for turn in reading.turns for words in turn.human]


def remembered(host, path, database):
    """What the memory takes in; where it stopped can be written down."""
    keeper, entries = Keeper(database), Entries(2_000, thinking=True, files={})
    for batch in follower_of(host).follow(path, Cursor(), final=True, at_once=50):
        json.dumps(batch.cursor._asdict())
        keeper.take("s", host, path, prepare(batch, entries))


def walk(host, directory, count, seed):
    """Some files, with so many mutated lines in all, through the readers and into a memory."""
    mutator = Mutator(LINES[host], random.Random(f"{host} {seed}"))
    path = str(directory / RECORDS[host][0])
    with Database(str(directory / "memory.db")) as database:
        for number in range(-(-count // IN_A_FILE)):
            raw = mutator.record(min(count, IN_A_FILE))
            Path(path).write_bytes(raw)
            try:
                asked = read(host, path)
                remembered(host, path, database)
            except Exception as error:
                kept = directory / f"failed-{number}"
                kept.write_bytes(raw)
                error.add_note(f"the record is {kept}")
                raise
            assert any(LATE.decode() in words for words in asked)


@hosts
def test_mutated_lines(host, tmp_path):
    """Whatever stands in a line, the others are read, and nothing raises."""
    walk(host, tmp_path, 300, "short")


@pytest.mark.slow
@hosts
def test_ten_thousand_mutated_lines(host, tmp_path):
    """The same, ten thousand times for each agent."""
    walk(host, tmp_path, 10_000, "long")


SESSION = "s"
DAY = (
    (Event.SESSION_START, {"source": "startup"}),
    (Event.TURN_START, {"prompt": "open the door"}),
    (Event.TURN_END, {}),
    (Event.COMPACTION, {"trigger": "auto"}),
    (Event.COMPACTED, {"trigger": "auto"}),
    (Event.SESSION_START, {"source": "compact"}),
    (Event.TURN_START, {"prompt": "go on"}),
    (Event.TURN_END, {}),
    (Event.SESSION_STOP, {"reason": "other"}),
)
COMMANDS = (
    *(
        ("status",),
        ("log",),
        ("context",),
        ("doctor",),
        ("replay",),
        ("search", "door"),
        ("detail", "turn 1"),
        ("resume",),
    ),
    *(
        ("brief",),
        ("brief", "--full"),
        ("brief", "--full", "--json"),
        ("notes",),
        ("losses",),
        ("memories",),
        ("import", "--here"),
    ),
)


def fold(host, root, path):
    """A day of hooks, with the worker's rounds; what failed on the way."""
    scene = scenes.Scene(root)
    for event, data in DAY:
        scene.hear(SESSION, event, data={**data, "transcript_path": path}, host=host)
        scene.clock.forward(1)
        scene.settled(SESSION)
        if event in (Event.TURN_END, Event.SESSION_STOP):
            worker.work(scene.engine, SESSION)
    return [note.data for note in scene.notes(SESSION, "failed")]


def command(words):
    """Runs one as its user does; what must not come out of it."""
    with CliRunner().isolation() as (out, err, _):
        try:
            code = run(app, [*words])
        except SystemExit as left:
            code = int(bool(left.code))
        printed = out.getvalue() + err.getvalue()
    assert code in (0, 1), words
    assert b"Traceback" not in printed, words


def live(host, directory, monkeypatch, count, seed):
    """Some files of mutated lines, through the hooks' engine, the worker and the commands."""
    monkeypatch.setattr(worker, "PATIENCE", ())
    repository = scenes.repository(directory / "repository")
    monkeypatch.chdir(repository)
    mutator = Mutator(LINES[host], random.Random(f"{host} {seed}"))
    path = directory / RECORDS[host][0]
    for number in range(-(-count // IN_A_FILE)):
        path.write_bytes(mutator.record(min(count, IN_A_FILE)))
        root = repository / ".git" / "tapehead"
        if root.exists():
            root.rename(directory / f"store-{number}")
        assert fold(host, root, str(path)) == []
        for words in (*COMMANDS, ("brief", "--transcript", str(path)), ("losses", "--transcript", str(path))):
            command(words)


@hosts
def test_mutated_lines_of_a_session(host, tmp_path, monkeypatch):
    """Captures, notes, the memory and every command have an answer, whatever stands in some lines of the transcript."""
    live(host, tmp_path, monkeypatch, 60, "short")


@pytest.mark.slow
@hosts
def test_ten_thousand_mutated_lines_of_a_session(host, tmp_path, monkeypatch):
    """The same, ten thousand times for each agent."""
    live(host, tmp_path, monkeypatch, 10_000, "long")
