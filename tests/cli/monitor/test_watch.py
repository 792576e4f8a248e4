"""What is read, and what is not read again."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from tapehead.agents.claude import transcript
from tapehead.cli.here import here
from tapehead.cli.monitor import watch as module
from tapehead.cli.monitor.watch import StoreWatch
from tapehead.statemachine.vocabulary import Phase

LATER = time.time() + 3600
"""When no directory has changed lately."""


@pytest.fixture
def reads(monkeypatch):
    """The sessions that were read, in order."""
    found = []
    real = module.look_at_state

    def counted(store, session_id):
        found.append(session_id)
        return real(store, session_id)

    monkeypatch.setattr(module, "look_at_state", counted)
    return found


def rows(watch, now=LATER):
    return {row.session_id: row for row in watch.look(now)}


def test_a_session_with_all_its_numbers(world):
    """From its state, its transcript, what the agent said, and git."""
    world.session("one")
    world.said("one")
    row = rows(StoreWatch(here()))["one"]
    assert (row.phase, row.agent, row.model, row.project) == (Phase.IDLE, "claude", "claude-opus-5-5", "project")
    assert (row.context.used, row.context.window, row.context.percent_left) == (60_000, 200_000, 64)
    assert (row.tokens.input, row.tokens.output, row.tokens.cache_read) == (20, 10, 109_980)
    assert (row.cost, row.compactions, row.branch) == (1.25, 0, "main")
    assert row.worktree == world.root


def test_nothing_is_read_twice(world, reads):
    """As long as nothing changes."""
    world.session("one")
    world.session("two", ends=True)
    watch = StoreWatch(here())
    first = rows(watch)
    assert sorted(reads) == ["one", "two"]
    assert rows(watch, LATER + 1) == first
    assert rows(watch, LATER + 100) == first
    assert len(reads) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda world: world.hook("UserPromptSubmit", "one", prompt="and now"),
        lambda world: world.answers("one", 70_000),
        lambda world: world.said("one", cost=2.0),
        lambda world: subprocess.run(["git", "checkout", "-q", "-b", "other"], cwd=world.root, check=True),
    ],
    ids=["a line on the tape", "an answer", "the status line", "a branch"],
)
def test_every_change_is_seen(world, reads, change):
    """And only its own session is read again."""
    world.session("one")
    world.session("two")
    watch = StoreWatch(here())
    before = rows(watch)
    reads.clear()
    change(world)
    after = rows(watch, LATER + 1)
    assert after["one"] != before["one"]
    assert "one" in reads


def test_a_prompt_shows_at_once(world):
    """Although nobody has folded it; and nothing is written for it."""
    world.session("one")
    world.hook("UserPromptSubmit", "one", prompt="and now")
    before = {
        name: os.stat(os.path.join(world.layout.sessions, name)).st_mtime_ns
        for name in os.listdir(world.layout.sessions)
    }
    assert rows(StoreWatch(here()))["one"].phase is Phase.ACTIVE
    assert before == {
        name: os.stat(os.path.join(world.layout.sessions, name)).st_mtime_ns
        for name in os.listdir(world.layout.sessions)
    }


def test_sessions_come_and_go(world):
    """A new one appears, one that was archived is gone, one that comes back is there."""
    watch = StoreWatch(here())
    assert rows(watch) == {}
    world.session("one", ends=True)
    assert list(rows(watch)) == ["one"]
    world.engine.store.archive("one")
    assert rows(watch) == {}
    world.engine.store.unarchive("one")
    world.hook("SessionStart", "one", source="resume")
    assert rows(watch)["one"].is_open


def test_a_directory_that_has_just_changed_is_looked_at_again(world, reads):
    """The clock of a file system is coarse: a second change may have the time of the first."""
    world.session("one", ends=True)
    watch = StoreWatch(here())
    now = os.stat(world.layout.sessions).st_mtime_ns / 1e9
    watch.look(now)
    with open(world.layout.state("one"), "ab") as file:
        file.write(b" ")
    reads.clear()
    watch.look(now + 0.1)
    assert reads == ["one"]


def test_a_host_that_is_gone_is_noticed(world):
    """Without a word on the tape: the machine says it when it is asked."""
    host = subprocess.Popen(["sleep", "60"])
    world.session("one", pid=host.pid)
    watch = StoreWatch(here())
    assert not rows(watch)["one"].gone
    host.kill()
    host.wait()
    assert not rows(watch, LATER + 1)["one"].gone
    row = rows(watch, LATER + 10)["one"]
    assert (row.gone, row.phase) == (True, Phase.ENDED)
    assert b"process_lost" not in b"".join(world.engine.store.lines("one")[0])


def test_only_the_end_of_a_transcript_is_read(world, monkeypatch):
    """However long it is: from half a megabyte before its end, whatever the size."""
    world.session("one")
    offsets = []
    real = transcript.read

    def counted(path, offset=0):
        offsets.append(os.stat(path).st_size - offset)
        return real(path, offset)

    monkeypatch.setattr(transcript, "read", counted)
    with open(world.transcript("one"), "r+b") as file:
        file.truncate(200_000_000)  # a hole: nothing is there to be read
        file.seek(0, os.SEEK_END)
        file.write(b"\n")
    for tokens in range(100_000, 101_000):
        world.answers("one", tokens, words="x" * 400)
    assert rows(StoreWatch(here()))["one"].context.used == 100_999
    assert len(offsets) == 1
    assert 0 < offsets[0] <= 512 * 1024


@pytest.mark.parametrize("raw", [b"{", b"\xff\n"])
def test_what_cannot_be_read_breaks_nothing(world, raw):
    """A damaged state is made again from the tape, in memory; a transcript that is gone is none; neither is one of nonsense."""
    world.session("one")
    with open(world.layout.state("one"), "wb") as file:
        file.write(raw)
    os.unlink(world.transcript("one"))
    row = rows(StoreWatch(here()))["one"]
    assert row.phase is Phase.IDLE
    os.mkdir(world.transcript("one"))
    assert rows(StoreWatch(here()))["one"].context.used is not None


def test_one_session_alone(world):
    """The others are not even read."""
    world.session("one")
    world.session("two")
    assert list(rows(StoreWatch(here(), "two"))) == ["two"]


def test_outside_a_repository(tmp_path, monkeypatch, world):
    """There is nothing to see, and nothing fails."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert StoreWatch(here()).look(LATER) == ()
