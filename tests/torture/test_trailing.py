"""Whoever holds a session looks again: a line is read by somebody without any further event."""

import errno
import os
import subprocess
from contextlib import suppress

import pytest
from arena import TAPEHEAD, until

from tapehead.engine import background, worker
from tapehead.engine.engine import Own
from tapehead.store import lock, tape

SESSION = "trailing"


@pytest.fixture
def begun(arena):
    """A session that has started."""
    arena.hook(arena.payload(SESSION, "SessionStart"))
    arena.hook(arena.payload(SESSION, "UserPromptSubmit", prompt="the story so far"))
    arena.quiet()
    return arena


def _is_read(arena):
    return not arena.engine.store.behind(SESSION, arena.engine.store.load(SESSION))


def test_a_line_that_comes_after_the_last_look(begun):
    """A hook that gave up waiting while another was saving is read by that other, after it has let go."""
    engine = begun.engine
    held = lock.take(engine.layout.worker(SESSION), 60)  # no worker comes first
    begun.hook(begun.payload(SESSION, "UserPromptSubmit", prompt="something to save"))
    really = engine.store.save
    visits = []

    def save(state):
        if not visits:
            visits.append(begun.hook(begun.payload(SESSION, "PreCompact")))
        really(state)

    engine.store.save = save
    engine.settle(SESSION)
    lock.release(held)
    assert visits == [""]
    assert _is_read(begun)
    assert begun.settled(SESSION).phase.value == "compacting"


def test_a_line_that_comes_while_the_worker_is_about_to_stop(begun, monkeypatch):
    """The hook finds a worker and leaves; that worker goes round once more."""
    rounds = []
    really = worker.work

    def work(engine, session):
        really(engine, session)
        if not rounds:
            begun.hook(begun.payload(SESSION, "Stop", last_assistant_message="late"))
            assert begun.workers() == [], "the hook started a second worker"
        rounds.append(session)

    monkeypatch.setattr(worker, "work", work)
    monkeypatch.setattr("tapehead.system.alarms.end_after", lambda *_: None)  # this is the test's own process
    monkeypatch.setattr(os, "nice", lambda more: 0)
    monkeypatch.setenv("HOME", begun.home)
    worker.main(begun.root, SESSION, str(lock.take(begun.layout.worker(SESSION), 0)))
    assert len(rounds) == 2
    assert _is_read(begun)
    assert begun.settled(SESSION).phase.value == "idle"


def test_a_burst_of_ends_is_read_to_the_last(begun):
    """Twenty hooks at once, one worker at a time: the last line is read, though no event follows it."""
    running = [begun.popen(begun.payload(SESSION, "Stop", last_assistant_message=f"{n}")) for n in range(20)]
    for process in running:
        assert process.communicate() == (b"", b"")
    until(lambda: _is_read(begun), "the last line to be read")
    begun.quiet()
    begun.settled(SESSION)
    assert sum(line.event is not None and line.event.value == "turn_end" for line in begun.lines(SESSION)) == 20


def test_two_settles_at_once(begun):
    """Two processes settle the same lines: one does the work, once."""
    for _ in range(3):
        begun.engine.lost(SESSION)
    program = "import sys, time; from tapehead.engine.engine import Engine; from tapehead.store.paths import Layout; "
    program += f"Engine(Layout({begun.root!r}), time.time_ns).settle({SESSION!r})"
    words = [os.path.join(os.path.dirname(TAPEHEAD), "python"), "-c", program]
    running = [subprocess.Popen(words, env=begun.env) for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    begun.settled(SESSION)
    assert [line.note for line in begun.lines(SESSION)].count("capture") == 1


def test_a_worker_does_not_wait_for_the_rest_of_a_torn_line(begun):
    """A line that was torn off is nobody's to read: the detached settle ends."""
    with open(begun.layout.tape(SESSION), "ab") as file:
        file.write(b'{"id":"torn')
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass  # what an earlier test killed and left is not ours to judge
    assert background.start(begun.layout, SESSION, begun.env)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 0  # and not by its alarm
    begun.settled(SESSION)


def test_a_lock_that_was_taken_away(arena, monkeypatch):
    """A lock on a file that gc removed meanwhile is no lock: the one that others find is taken."""
    path = arena.layout.lock(SESSION)
    really = lock._locked
    tries = []

    def locked(descriptor, deadline):
        if not tries:
            os.unlink(path)
        tries.append(descriptor)
        return really(descriptor, deadline)

    monkeypatch.setattr(lock, "_locked", locked)
    held = lock.take(path, 0)
    assert len(tries) == 2
    assert lock.take(path, 0) is None
    lock.release(held)


def test_a_line_that_lands_on_a_torn_one(arena, monkeypatch):
    """Another writer is killed between our look at the tape's end and our write: our line is there all the same, once."""
    arena.engine.lost(SESSION)
    really = os.write
    writes = []

    def write(descriptor, data):
        if not writes:
            really(descriptor, b'{"id":"torn')
        writes.append(data)
        return really(descriptor, data)

    monkeypatch.setattr(os, "write", write)
    line = {"id": "mine", "at": tape.instant(0), "host": "claude", "note": "x"}
    tape.append(arena.layout.tape(SESSION), line)
    monkeypatch.undo()
    assert [line.id for line in arena.lines(SESSION)].count("mine") == 1


def test_what_is_on_record_as_said_is_said(begun):
    """The story was noted as handed over, then the disk was full: the agent gets it all the same."""
    begun.hook(begun.payload(SESSION, "PreCompact"))
    begun.engine.store.append(
        SESSION,
        {"id": "own", "at": tape.instant(0), "host": "claude", "event": "session_start", "facts": ["after_compaction"]},
    )
    engine = begun.engine

    def full(state):
        raise OSError(errno.ENOSPC, "full")

    engine.store.save = full
    assert "the story so far" in engine.settle(SESSION, Own("own", "claude", "SessionStart")).context
    begun.engine.settle(SESSION)
    state = begun.settled(SESSION)
    assert state.pending_restore == ""
    assert state.failures["settle"].count == 1
