"""`forget-session` and `uninstall --purge`: what was recorded is gone from the disk, word for word, and the rest is as it was."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress

import pytest
from click.testing import CliRunner

import scenes
from tapehead.archive.archive import Archive
from tapehead.cli.app import app
from tapehead.documents import daily_log, hand_edited
from tapehead.engine.chores import capture, keep_notes, keep_transcript, remember
from tapehead.history.database import Database
from tapehead.statemachine.vocabulary import Event
from tapehead.store import atomic, batons, captures, lock
from world import World

WORD = "xylophonic"


@pytest.fixture
def world(tmp_path, monkeypatch):
    world = World(scenes.repository(tmp_path / "repo"))
    monkeypatch.chdir(world.root)
    monkeypatch.setenv("HOME", str(tmp_path))
    for session, word in (("gone", WORD), ("here", "ordinary")):
        world.hook("SessionStart", session, pid=1 << 22, source="startup")
        world.hook("UserPromptSubmit", session, pid=1 << 22, prompt=f"make it {word}")
        world.writes(session, {"type": "user", "message": {"role": "user", "content": f"make it {word}"}})
        world.answers(session, 50_000, words=f"the {word} sound")
        world.hook("Stop", session, last_assistant_message=f"it is {word}")
        world.hook("SessionEnd", session, reason="other")
        lock.release(lock.take(world.layout.worker(session), 60.0))  # its worker has ended
        world.engine.settle(session)
        remember(world.engine, session)
        keep_notes(world.engine, session, now=True)
        assert not capture(world.engine, session)
    batons.offer(world.layout, "main", "gone", "2026-01-01T00:00:00Z", memo=WORD)
    keep_transcript(world.engine, "gone")
    for session, word in (("gone", WORD), ("here", "ordinary")):
        daily_log.note(world.layout, scenes.when(), session, 1, f"make it {word}")
    assert Archive(world.layout).kept("gone")
    os.unlink(world.transcript("gone"))
    return world


def run(*words, **more):
    return CliRunner().invoke(app, [*words], **more)


def holders(world, word):
    """The files of the store that have a word in them."""
    return sorted(
        os.path.relpath(os.path.join(folder, name), world.layout.root)
        for folder, _, names in os.walk(world.layout.root)
        for name in names
        if word.encode() in content(os.path.join(folder, name))
    )


def content(path):
    with suppress(FileNotFoundError):  # SQLite put its log away
        return atomic.read(path)
    return b""


def test_those_after_the_next_one_were_told_of_it_too(world):
    """A brief names the sessions before the one that it continues: it goes, and another one's stays."""
    for session, told in (("third", f"session gone: {WORD}"), ("fourth", "session here: ordinary")):
        os.makedirs(world.layout.captures(session))
        captures.keep_handed(world.layout, session, told)
    assert run("forget-session", "gone", "--yes").exit_code == 0
    assert holders(world, WORD) == []
    assert captures.read_handed(world.layout, "fourth") == "session here: ordinary"


def test_the_memo_that_the_next_one_got_goes_too(world):
    """Left for the start that took the handoff, which names its predecessor; the memo of another session's stays."""
    for session, before, words in (("next", "gone", WORD), ("other", "here", "ordinary")):
        world.hook("SessionStart", session, pid=1 << 22, source="startup")
        line = scenes.as_written(Event.SESSION_START, time.time_ns(), data={"predecessor": before, "rule": 1})
        world.engine.store.append(session, line)
        world.engine.settle(session)
        atomic.write(os.path.join(world.layout.captures(session), "memo.md"), words.encode())
    assert any(path.endswith("next/memo.md") for path in holders(world, WORD))
    assert run("forget-session", "gone", "--yes").exit_code == 0
    assert holders(world, WORD) == []
    assert atomic.read(os.path.join(world.layout.captures("other"), "memo.md")) == b"ordinary"


def test_nothing_of_it_is_left(world):
    """No file has its words or its id, the search finds the other session's as before, and its tape is untouched."""
    assert holders(world, WORD)
    before = atomic.read(world.layout.tape("here"))
    told = json.loads(run("forget-session", "gone", "--yes", "--json").stdout)
    assert {one["place"] for one in told["traces"]} >= {
        "captures and notes",
        "history",
        "tape and state",
        "handoff",
        "kept transcripts",
        "daily log",
    }
    assert holders(world, WORD) == []
    assert Archive(world.layout).kept("gone") == []
    assert "ordinary" in hand_edited.text_of(daily_log.path(world.layout, scenes.when()))
    assert atomic.read(world.layout.tape("here")).startswith(before)
    assert json.loads(run("search", WORD, "--json").stdout) == []
    assert "ordinary" in run("search", "ordinary").stdout
    with Database(world.layout.memory) as database:
        assert database.rows("SELECT id FROM sessions") == [("here",)]


def test_it_asks_and_says_what_stays(world):
    """No is no, and a dry run deletes nothing."""
    before = holders(world, WORD)
    asked = run("forget-session", "gone", input="n\n")
    assert asked.exit_code == 1
    assert "stays: snapshots of the work tree" in asked.output
    assert run("forget-session", "gone", "--dry-run").exit_code == 0
    assert run("forget-session", "gone", "--json").exit_code == 1  # nobody can be asked
    assert holders(world, WORD) == before
    assert run("forget-session", "gone", input="y\n").exit_code == 0
    assert holders(world, WORD) == []


def test_one_that_runs_is_left_alone(world):
    """Its agent would go on writing."""
    world.hook("SessionStart", "gone", source="resume")
    world.engine.settle("gone")
    told = run("forget-session", "gone", "--yes")
    assert told.exit_code == 1
    assert holders(world, WORD)


def test_one_in_the_archive(world):
    """What gc put away is found too."""
    world.engine.store.archive("gone")
    assert run("forget-session", "gone", "--yes").exit_code == 0
    assert holders(world, WORD) == []


def test_purge_deletes_every_store(world, tmp_path):
    """After showing what; the repository's own branches are as they were, also where a ref of ours leads to one, or cannot be read."""
    head = scenes.git(world.root, "rev-parse", "HEAD")
    scenes.git(world.root, "update-ref", "refs/tapehead/checkpoints", head)
    scenes.git(world.root, "symbolic-ref", "refs/tapehead/other", scenes.git(world.root, "symbolic-ref", "HEAD"))
    with open(f"{world.root}/.git/refs/tapehead/empty", "w", encoding="utf-8"):
        pass
    shown = run("uninstall", "--purge", "--dry-run")
    assert world.layout.root in shown.output.replace("\n", "")
    assert os.path.isdir(world.layout.root)
    assert run("uninstall", "--purge", input="n\n").exit_code == 1
    assert os.path.isdir(world.layout.root)
    assert run("uninstall", "--purge", "--agent", "claude").exit_code == 1
    assert run("uninstall", "--purge", "--yes").exit_code == 0
    assert not os.path.exists(world.layout.root)
    assert scenes.git(world.root, "for-each-ref", "refs/tapehead") == ""
    assert scenes.git(world.root, "rev-parse", "HEAD") == head
    scenes.git(world.root, "gc", "-q")
