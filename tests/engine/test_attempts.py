"""Work that never ends is not begun a third time before a pause, and the rest of the session goes on."""

from __future__ import annotations

import os

import pytest

import scenes
from tapehead.engine import attempts, worker
from tapehead.engine.attempts import PAUSE, Attempts, Paused
from tapehead.engine.engine import Engine
from tapehead.statemachine.vocabulary import Event, Phase
from tapehead.store import lock
from tapehead.store.line import readable
from tapehead.store.paths import Layout

SESSION = "s"


class Marker:
    """Stands in for what records the work tree: it is killed, or not."""

    def __init__(self, *, killed):
        self.killed = killed
        self.begun = 0

    def begin(self, state, line):
        self.begun += 1
        if self.killed:
            os._exit(9)
        return {"mark": "", "tree": ""}

    end = begin


@pytest.fixture
def scene(tmp_path):
    scene = scenes.Scene(str(tmp_path / "store"))
    scene.hear(SESSION, Event.SESSION_START, data={"worktree": str(tmp_path)})
    scene.hear(SESSION, Event.TURN_START, data={"prompt": "go"})
    return scene


def engine_at(scene, seconds, *, killed):
    engine = Engine(Layout(scene.layout.root), lambda: scenes.NOON + seconds * 1_000_000_000)
    engine.attempts.counts = True
    engine.__dict__["lines"] = Marker(killed=killed)
    return engine


def settled(engine):
    """In a process of its own, as a worker is; how it ended."""
    pid = os.fork()
    if not pid:
        engine.settle(SESSION)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_third_time_only_after_a_pause(scene):
    """Twice it is killed in the middle; then it is passed over and noted; after the pause it is tried again, and ends."""
    assert [settled(engine_at(scene, second, killed=True)) for second in (1, 2)] == [9, 9]
    engine = engine_at(scene, 3, killed=False)
    engine.settle(SESSION)
    assert engine.lines.begun == 0
    assert engine.store.load(SESSION).phase is Phase.ACTIVE
    lines = readable(engine.store.lines(SESSION)[0])
    (failed,) = [line for line in lines if line.note == "failed"]
    assert (failed.text("action"), "begun 2 times" in failed.text("reason")) == ("mark_lines", True)
    scene.hear(SESSION, Event.TURN_END)
    engine.settle(SESSION)
    assert engine.lines.begun == 0, "the end of a turn is the same work"
    scene.hear(SESSION, Event.TURN_START, data={"prompt": "on"})
    later = engine_at(scene, PAUSE + 3, killed=False)
    later.settle(SESSION)
    assert later.lines.begun == 1
    assert os.path.getsize(scene.layout.worker(SESSION)) == 0
    again = engine_at(scene, PAUSE + 4, killed=False)
    scene.hear(SESSION, Event.TURN_END)
    again.settle(SESSION)
    assert again.lines.begun == 1


def test_after_the_pause_it_is_tried_once(scene):
    """Not twice more: each further try has a pause before it."""
    for second in (1, 2, PAUSE + 3):
        assert settled(engine_at(scene, second, killed=True)) == 9
    engine = engine_at(scene, PAUSE + 4, killed=False)
    engine.settle(SESSION)
    assert engine.lines.begun == 0


def test_only_the_workers_tries_count(scene):
    """A hook that has no more time, or a command that is broken off, leaves the work to the worker."""
    counted = Attempts(scene.layout, lambda: 0)
    for _ in range(5):
        with counted.trying(SESSION, "snapshot"):
            pass
    assert not os.path.exists(scene.layout.worker(SESSION))


def test_a_failure_is_an_end(scene):
    """It is told by itself, and may be tried again."""
    counted = Attempts(scene.layout, lambda: 0)
    counted.counts = True
    for _ in range(5):
        with pytest.raises(OSError, match="full"), counted.trying(SESSION, "condense", "abc"):
            raise OSError("full")


def test_a_file_that_says_nothing_of_the_kind(scene):
    """Half of it, or something else, is no try."""
    path = scene.layout.worker(SESSION)
    for content in ('{"snapshot', "[]", '{"snapshot": 3}', '{"snapshot": [2]}', '{"snapshot": ["2", 0]}'):
        with open(path, "w") as file:
            file.write(content)
        with Attempts(scene.layout, lambda: 0).trying(SESSION, "snapshot"):
            pass
    with open(path, "w") as file:
        file.write('{"snapshot": [2, 0]}')
    with pytest.raises(Paused), Attempts(scene.layout, lambda: 0).trying(SESSION, "mark_lines"):
        pass


def test_where_it_cannot_be_written_the_work_is_done(scene, monkeypatch):
    """It only saves time."""
    counted = Attempts(scene.layout, lambda: 0)
    counted.counts = True

    def fails(*_):
        raise OSError("read-only")

    for name in ("open_own", "os.ftruncate"):
        with monkeypatch.context() as patch:
            patch.setattr(f"tapehead.engine.attempts.{name}", fails)
            with counted.trying(SESSION, "snapshot"):
                done = name
            assert done == name
    assert attempts._read(scene.layout.worker(SESSION)) == {}


def test_the_worker_counts(scene, monkeypatch):
    """Also what it does beside the lines."""
    engine = engine_at(scene, 1, killed=False)
    names = ("git", "remember", "notes", "memories", "summarize")
    attempts._write(scene.layout.worker(SESSION), dict.fromkeys(names, (1, 0)))
    monkeypatch.setattr(worker, "PATIENCE", ())
    worker.work(engine, SESSION)
    assert attempts._read(scene.layout.worker(SESSION)) == {}


def test_a_worker_counts_what_it_begins(scene, monkeypatch):
    """Nobody waits for it, so nobody else would notice that it dies at the same work again and again."""
    seen = []
    monkeypatch.setattr(worker, "work", lambda engine, session_id: seen.append(engine.attempts.counts))
    monkeypatch.setattr(worker, "_behind", lambda *_: False)
    monkeypatch.setattr(worker.alarms, "end_after", lambda seconds: None)  # this is the test's own process
    monkeypatch.setattr(worker.alarms, "lower_priority", lambda: None)
    worker.main(scene.layout.root, SESSION, str(lock.take(scene.layout.worker(SESSION), 0)))
    assert (seen, scene.engine.attempts.counts) == ([True], False)
