"""Many processes at once on the same sessions."""

import os
import subprocess
import sys
from collections import Counter

import pytest

from tapehead.statemachine.vocabulary import Event

SESSIONS = [f"crowd-{number}" for number in range(5)]
EVENTS = ("UserPromptSubmit", "Stop", "PreCompact", "SubagentStop")

# One of the crowd: it takes its payloads from stdin, one a line, and gives each to the hook through a pipe of its own.
ONE = """
import os, sys
from tapehead.engine.hook import run
for raw in sys.stdin.buffer:
    reading, writing = os.pipe()
    os.write(writing, raw)
    os.close(writing)
    run("claude", reading, os.environ)
    os.close(reading)
"""


def _payloads(arena, process, events):
    """The events of one process, each with a word that nobody else says."""
    for number in range(events):
        session = SESSIONS[(process + number) % len(SESSIONS)]
        word = f"p{process}e{number}"
        more = {"prompt": word, "last_assistant_message": word, "custom_instructions": word}
        yield session, word, arena.payload(session, EVENTS[(process + number // 5) % len(EVENTS)], **more)


def _words(line):
    return line.text("prompt") or line.text("reply") or line.text("custom_instructions")


def _check(arena, expected):
    """Once everyone has gone: each event is on its tape once, and folded once."""
    arena.quiet()
    for session in SESSIONS:
        arena.engine.settle(session)
        state = arena.settled(session)
        mine = Counter(_words(line) for line in arena.lines(session) if line.host == "claude")
        assert mine == Counter(expected[session])
        assert state.failures == {}
        assert state.turn_number == sum(line.event is Event.TURN_START for line in arena.lines(session))
        captured = Counter(line.of for line in arena.lines(session) if line.note == "capture")
        asked = {line.id for line in arena.lines(session) if line.event is Event.COMPACTION}
        assert captured == Counter(asked)
    assert arena.scratch() == []


def _processes(arena, processes, events):
    """Each process of the crowd gives the hook one event after the other."""
    expected = {session: [] for session in SESSIONS}
    running = []
    for process in range(processes):
        said = list(_payloads(arena, process, events))
        for session, word, _ in said:
            expected[session].append(word)
        one = subprocess.Popen([sys.executable, "-c", ONE], stdin=subprocess.PIPE, env=arena.env)
        running.append((one, b"\n".join(raw for _, _, raw in said)))
    for one, raw in running:
        one.stdin.write(raw)
        one.stdin.close()
    assert [one.wait() for one, _ in running] == [0] * processes
    _check(arena, expected)


def test_many_processes_lose_and_double_nothing(arena):
    """Twelve processes at once, each with ten events on five sessions: every event is on the tape once and folded once."""
    _processes(arena, 12, 10)


@pytest.mark.slow
def test_fifty_processes_with_twenty_events_each_lose_and_double_nothing(arena):
    """The same with a thousand events."""
    _processes(arena, 50, 20)


def _console_scripts(arena, processes, events):
    """Each process of the crowd is a shell that runs the console script once for every event."""
    expected = {session: [] for session in SESSIONS}
    running = []
    for process in range(processes):
        folder = os.path.join(arena.base, f"payloads-{process}")
        os.mkdir(folder)
        for number, (session, word, raw) in enumerate(_payloads(arena, process, events)):
            expected[session].append(word)
            with open(os.path.join(folder, f"{number:02d}"), "wb") as file:
                file.write(raw)
        script = f'for each in "{folder}"/*; do "{os.path.dirname(sys.executable)}/tapehead" hook claude < "$each" || exit 1; done'
        running.append(subprocess.Popen(["sh", "-c", script], env=arena.env, stdout=subprocess.DEVNULL))
    assert [one.wait() for one in running] == [0] * processes
    _check(arena, expected)


def test_a_crowd_of_console_scripts_loses_and_doubles_nothing(arena):
    """The same through the console script, a process for every event: six at once, five events each."""
    _console_scripts(arena, 6, 5)


@pytest.mark.slow
def test_fifty_crowds_of_console_scripts_lose_and_double_nothing(arena):
    """The same at full size: a thousand processes, fifty at once."""
    _console_scripts(arena, 50, 20)
