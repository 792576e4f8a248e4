"""An index of a former version is brought over in steps, while everybody goes on."""

import sqlite3
import subprocess
import sys
import time

import pytest

from record import BEGINS, SESSION, Record
from remembered import Memory
from tapehead.history import renewal
from tapehead.history.database import Database
from tapehead.history.migrations import MIGRATIONS
from tapehead.history.renewal import mark_of, renew

DEADLINE = 2.0
"""Seconds that a hook may take."""
OTHER = "99999999-2222-4333-8444-555555555555"


def made_before(memory):
    """Turns a memory into one of the first version: its index has words as they are."""
    memory.database.close()
    old = sqlite3.connect(memory.path, isolation_level=None)
    old.execute("DROP TABLE renewal")
    old.execute("DROP TABLE word_form")
    for index in renewal.INDEXES:
        old.execute(f"DROP TABLE {index}")
    for statement in MIGRATIONS[0].split(";\n"):
        if "words_of" in statement:
            old.execute(statement)
    rows = old.execute("SELECT id, session, role, kind, file, body FROM entries ORDER BY id").fetchall()
    for ident, session, role, kind, file, body in rows:
        told = f"{renewal.tags(kind, file)} {renewal.session_tag(session)}"
        index = renewal.index_of(role, kind)
        old.execute(f"INSERT INTO {index} (rowid, body, tags) VALUES (?, ?, ?)", (ident, body, told))
    old.execute("PRAGMA user_version = 1")
    old.close()
    memory.database = memory.keeper.database = memory.recall.database = Database(memory.path)
    return memory


@pytest.fixture
def old(memory, monkeypatch):
    """Forty turns, told to a former version; a step brings seven entries over."""
    monkeypatch.setattr(renewal, "_STEP", 7)
    record = Record()
    for number in range(40):
        record.turn(f"Migrate the harbour {number}", f"Migrated parseHeader{number}.")
    memory.told(record)
    return made_before(memory)


def found(memory):
    return {(hit.turn, hit.kind) for hit in memory.hits("harbour migrated", limit=1000)}


def test_a_search_finds_everything_at_every_step(old):
    """Before the first step, between any two, and after the last."""
    before = found(old)
    assert {(turn, "prompt") for turn in range(1, 41)} <= before
    steps = 0
    while not renew(old.database):
        steps += 1
        assert {(turn, "prompt") for turn in range(1, 41)} <= found(old)
    assert steps > 10
    assert mark_of(old.database) == 0
    assert {(turn, kind) for turn in range(1, 41) for kind in ("prompt", "reply")} <= found(old)
    assert not old.database.rows("SELECT 1 FROM sqlite_schema WHERE name LIKE 'old_%'")


def test_it_is_then_like_one_that_was_made_so(old, tmp_path):
    """Words in any form and names taken apart are found in what was there before."""
    renew(old.database, 60)
    fresh = Memory(tmp_path / "fresh")
    fresh.follow(str(tmp_path / f"{SESSION}.jsonl"))
    for asked in ("migrating", "parse header", "harbours 7"):
        assert [hit[:10] for hit in old.hits(asked)] == [hit[:10] for hit in fresh.hits(asked)]
    fresh.database.close()


@pytest.mark.parametrize("steps", [0, 3])
def test_what_comes_meanwhile_is_found(old, steps):
    """Newer than everything, or older: each goes where it will be found, and is brought over once."""
    for _ in range(steps):
        renew(old.database)
    old.told(Record(OTHER, begins=BEGINS.replace(year=2020)).turn("The oldest buoy", "yes"))
    old.told(Record("88888888-2222-4333-8444-555555555555", begins=BEGINS.replace(year=2030)).turn("A new buoy", "no"))
    for _ in range(2):
        assert sorted(old.found("buoys", kinds=("prompt",))) == ["A new buoy", "The oldest buoy"]
        renew(old.database, 60)


def test_a_line_that_changes_meanwhile(old):
    """The line of a turn is found by what it says now, before and after."""
    renew(old.database)
    record = Record().turn("Migrate the harbour 0", "Migrated.")
    assert record.lines
    with old.database.writing():
        from tapehead.history.turn_lines import TurnLines

        TurnLines(old.database).replace(1, 1, "About dolphins", "command")
        TurnLines(old.database).replace(1, 40, "About whales", "command")
    assert old.found("whale", kinds=("line",)) == ["About whales"]
    renew(old.database, 60)
    assert old.found("dolphin", kinds=("line",)) == ["About dolphins"]


_KILLED = """
import os, sys
from tapehead.history import renewal
from tapehead.history.database import Database
renewal._STEP = 7
count = 0
def audit(event, _):
    global count
    if event == "sqlite3.connect":
        return
database = Database(sys.argv[1])
step = renewal.mark_of
def killed(of):
    global count
    count += 1
    if count > int(sys.argv[2]):
        os.kill(os.getpid(), 9)
    return step(of)
renewal.mark_of = killed
renewal.renew(database, 60)
"""


def test_whoever_is_killed_has_done_whole_steps(old):
    """The next one goes on, and nothing is missing or there twice."""
    old.database.close()
    for moment in (2, 5, 8):
        subprocess.run([sys.executable, "-c", _KILLED, old.path, str(moment)], check=False)
    old.database = Database(old.path)
    assert {(turn, "prompt") for turn in range(1, 41)} <= found(old)
    assert renew(old.database, 60)
    rows = [
        row[0] for row in old.database.rows("SELECT rowid FROM words_of_people WHERE words_of_people MATCH 'harbour'")
    ]
    assert len(rows) == len(set(rows))
    assert {(turn, "prompt") for turn in range(1, 41)} <= found(old)


def with_names(memory, monkeypatch):
    """Turns a memory into one of the second form: the names of a call's arguments are words."""
    with monkeypatch.context() as before:
        before.setattr(renewal, "without_names", str)
        with memory.database.writing():
            renewal.put_aside(memory.database)
        renew(memory.database, 60)
    memory.database.run("DROP TABLE word_form")
    memory.database.run("PRAGMA user_version = 2")


def called(memory):
    record = Record("77777777-2222-4333-8444-555555555555").prompt("Look at it")
    memory.told(record.call("Bash", "Fine", command="make lint", description="Check it"))


def test_names_of_arguments_are_no_words_any_more(memory, monkeypatch):
    """An index of the second form is put aside and brought over by whoever comes next, and everything is found meanwhile."""
    called(memory)
    with_names(memory, monkeypatch)
    assert memory.found("description"), "as it was"
    memory.database.close()
    memory.database = memory.keeper.database = Database(memory.path)
    assert not renew(memory.database), "the old one is put aside"
    assert memory.found("lint", kinds=("call",))
    assert renew(memory.database, 60)
    assert memory.found("lint", kinds=("call",))
    assert not memory.found("description")
    assert not memory.found("command")


def test_one_renewal_after_the_other(old):
    """Who is halfway from the first form to the second goes on to the end, and then to the third."""
    renew(old.database)
    called(old)
    old.database.run("UPDATE word_form SET form = 2")
    steps = 0
    while not renew(old.database):
        steps += 1
        assert {(turn, "prompt") for turn in range(1, 41)} <= found(old)
    assert steps > 20, "all of them twice"
    assert renewal.form_of(old.database) == renewal.FORM
    assert not old.found("description")


@pytest.mark.parametrize("entries", [0, 3])
def test_what_is_new_or_just_put_aside_has_todays_form(memory, entries):
    """Nothing is brought over twice."""
    for number in range(entries):
        memory.told(Record().turn(f"Turn {number}", "yes"))
    made_before(memory)
    assert renewal.form_of(memory.database) == renewal.FORM


_RENEWS = """
import sys
from tapehead.history import renewal
from tapehead.history.database import Database
renewal._STEP = 15
with Database(sys.argv[1]) as database:
    renewal.renew(database)
    print("begun", flush=True)
    while not renewal.renew(database):
        pass
"""


@pytest.mark.parametrize("form", [1, 2])
def test_workers_go_on_beside_it(memory, monkeypatch, form):
    """Turns come in while another process brings the index over: none waits as long as a hook may, and each is there once."""
    record = Record()
    for number in range(150):
        record.turn(f"Migrate the harbour {number}", f"Migrated parseHeader{number}.")
    memory.told(record)
    made_before(memory) if form == 1 else with_names(memory, monkeypatch)
    slowest, told = 0.0, 0
    with subprocess.Popen([sys.executable, "-c", _RENEWS, memory.path], stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"begun\n"
        while told < 5 or (other.poll() is None and told < 200):
            began = time.monotonic()
            memory.told(Record(f"{told:08x}-2222-4333-8444-555555555555").turn(f"A buoy with number {told}", "yes"))
            slowest, told = max(slowest, time.monotonic() - began), told + 1
    assert other.returncode == 0
    assert slowest < DEADLINE
    assert renew(memory.database, 60)
    asked = memory.hits("buoys", kinds=("prompt",), limit=1000)
    assert sorted(hit.snippet for hit in asked) == sorted(f"A buoy with number {number}" for number in range(told))
    assert len(memory.hits("harbour migrate", kinds=("prompt",), limit=1000)) == 150
    assert memory.database.rows("PRAGMA integrity_check") == [("ok",)]
