"""Standard streams as agents and shells leave them: closed, broken, never closing."""

import json
import os
import subprocess
import sys

import pytest
from arena import PATIENCE, TAPEHEAD

from tapehead.cli import main

SESSION = "streamed"


@pytest.fixture
def told(arena):
    """A session with a story, so that its next start has something to say."""
    for hook in ("SessionStart", "UserPromptSubmit", "PreCompact"):
        arena.hook(arena.payload(SESSION, hook, prompt="the story so far"))
    arena.quiet()
    return arena


def _events(arena):
    return [line.event.value for line in arena.lines(SESSION) if line.event]


def _start(arena):
    return arena.payload(SESSION, "SessionStart", source="compact")


def test_a_start_speaks_json(told):
    """The story comes as one JSON object that names its hook: what the agent reads as meant."""
    said = json.loads(told.hook(_start(told)))
    assert said["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert "the story so far" in said["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_output(told, closed):
    """With stdout or stderr closed the event is recorded, and no file of ours is taken for them."""
    said = told.hook(_start(told), script=f'exec "{TAPEHEAD}" hook claude {closed}')
    assert not said or json.loads(said)
    told.quiet()
    assert _events(told)[-1] == "session_start"
    assert told.settled(SESSION).failures == {}
    for path in (told.layout.tape(SESSION), told.layout.state(SESSION), told.layout.lock(SESSION)):
        with open(path, "rb") as file:
            assert b"hookSpecificOutput" not in file.read()


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_closed_streams_are_nobodys(closed):
    """A number that the agent left free is never that of a file of ours: what we start would open it as something else."""
    program = f"""
import os
from tapehead.cli.main import _descriptors_taken
for number in {closed}:
    os.close(number)
_descriptors_taken()
os._exit(os.open(os.devnull, os.O_RDONLY))
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 3


def test_a_broken_pipe(told):
    """An agent that does not listen any more gets its exit code all the same."""
    reading, writing = os.pipe()
    os.close(reading)
    process = told.popen(_start(told), stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    assert _events(told)[-1] == "session_start"


def test_a_null_device_that_nobody_may_open(monkeypatch):
    """Where the three are open it is not needed, and a hook goes on without it."""
    monkeypatch.setattr(os, "devnull", "/nonexistent/null")
    main._descriptors_taken()


@pytest.mark.parametrize("stdin", ["<&-", "</dev/null", "<&- >&- 2>&-"])
def test_no_input(arena, stdin):
    """Without a payload there is nothing to record but that: doctor can say it."""
    assert arena.hook(b"", script=f'exec "{TAPEHEAD}" hook claude {stdin}', cwd=arena.work) == ""
    (reason,) = arena.strays()
    assert "nothing came" in reason or "cannot be read" in reason


@pytest.mark.parametrize("end", [b"", b"\n", b"  \n\n"])
def test_input_that_never_closes(arena, end):
    """A whole value is enough: nobody waits for an end of file that never comes."""
    process = subprocess.Popen(
        [TAPEHEAD, "hook", "claude"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=arena.env,
    )
    process.stdin.write(arena.payload(SESSION, "UserPromptSubmit", prompt="}{ {} }") + end)
    process.stdin.flush()
    assert process.wait(timeout=PATIENCE) == 0
    assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    assert _events(arena) == ["turn_start"]


def test_input_in_pieces_that_look_whole(arena):
    """A piece that ends with a brace is not the end: the rest is waited for."""
    raw = arena.payload(SESSION, "UserPromptSubmit", prompt="a {} b {} c")
    reading, writing = os.pipe()
    process = subprocess.Popen([TAPEHEAD, "hook", "claude"], stdin=reading, env=arena.env)
    os.close(reading)
    for place in range(0, len(raw), 7):
        os.write(writing, raw[place : place + 7])
    os.close(writing)
    assert process.wait(timeout=PATIENCE) == 0
    (line,) = arena.lines(SESSION)
    assert line.text("prompt") == "a {} b {} c"
