"""SIGKILL at random points of the hook and of the detached settle, on real processes."""

import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from arena import until

from tapehead.cli import upkeep
from tapehead.statemachine.vocabulary import Event

HOOKS = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "PostCompact", "SubagentStop", "SessionEnd")
LONG = "a long word " * 2000  # more than a page of memory: the kernel can be interrupted in the middle of it


class Killer:
    """Sends events to a few sessions, kills whoever handles them, and remembers who got away."""

    def __init__(self, arena, seed):
        self.arena = arena
        self.chance = random.Random(seed)
        self.finished = {}
        self.killed = 0
        self.number = 0

    def event(self, *, lethal):
        """One event; its hook is killed some time between its first instruction and a little after its last."""
        self.number += 1
        word = f"/w{self.number}"
        session = f"kill-{self.chance.randrange(3)}"
        text = f"{word} {LONG if self.chance.random() < 0.3 else ''}"
        more = {"prompt": text, "last_assistant_message": text, "custom_instructions": text, "compact_summary": text}
        raw = self.arena.payload(session, self.chance.choice(HOOKS), transcript_path=word, **more)
        process = self.arena.popen(raw)
        if lethal:
            self._strike(process)
        _, err = process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGKILL)
        assert err == b""
        if process.returncode == 0:
            self.finished.setdefault(session, []).append(word)
        return session

    def _strike(self, process):
        if self.chance.random() < 0.5:
            _let_run(self.chance.uniform(0.0, 0.12))
            self.killed += process.poll() is None
            process.kill()
        else:
            process.wait(timeout=60)
            self._strike_worker()

    def _strike_worker(self):
        _let_run(self.chance.uniform(0.0, 0.15))
        for pid in self.arena.workers():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.killed += 1


def _let_run(seconds):
    """Lets the victim live for so long: this is when to strike, not a wait for something to happen."""
    time.sleep(seconds)


def _words(arena, session):
    """The word of every line on a session's tape that a hook wrote."""
    return Counter(line.text("transcript_path") for line in arena.lines(session) if line.host == "claude")


def _rage(arena, seed, kills):
    killer = Killer(arena, seed)
    while killer.killed < kills:
        session = killer.event(lethal=True)
        arena.sound(session)
    arena.quiet()
    for session, words in killer.finished.items():
        _heals(arena, session, words)
    _leaves_nothing(arena)


def _heals(arena, session, words):
    """The next event reads all that was left, and nothing of it twice."""
    arena.hook(arena.payload(session, "Stop", last_assistant_message="last"))
    until(lambda: not arena.engine.store.behind(session, _load(arena, session)), "the last line to be read")
    arena.quiet()
    state = arena.settled(session)
    on_tape = _words(arena, session)
    assert [word for word in words if on_tape[word] != 1] == [], "a hook that ended well left no line, or two"
    assert max(on_tape.values()) == 1, "a line is there twice"
    assert state.turn_number == sum(line.event is Event.TURN_START for line in arena.lines(session))


def _load(arena, session):
    return arena.engine.store.load(session)


def _leaves_nothing(arena):
    """Scratch files of the killed are what gc is for: once they are an hour old, none stays."""
    for directory, _, names in os.walk(arena.root):
        for name in names:
            if name.endswith(".scratch"):
                os.utime(os.path.join(directory, name), (0, 0))
    upkeep.gc(arena.engine, datetime.now(UTC))
    assert arena.scratch() == []


@pytest.mark.parametrize("seed", range(2))
def test_kills_tear_nothing_and_lose_nothing(arena, seed):
    """After each of eight kills the state parses and is what its tape gives; the next event reads every line that a hook wrote."""
    _rage(arena, seed, 8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_a_thousand_kills_tear_nothing_and_lose_nothing(arena, seed):
    """The same twenty-five times forty."""
    _rage(arena, seed, 25)
