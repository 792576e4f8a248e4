"""What came while the program could not run is put on its tape, once, and leads no session back."""

import json
import os
import time

import pytest

from tapehead.agents import hook_command
from tapehead.engine.kept_payloads import kept_payloads, take_in
from tapehead.engine.store_location import state_home

MORNING = 1_763_193_600


@pytest.fixture
def folder(repository):
    path = hook_command.unheard_in(state_home(os.environ))
    os.makedirs(path)
    return path


def keep(folder, payload, second=MORNING, process=1, agent="claude", **head):
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    said = "".join(f"{name}={value}\n" for name, value in {"agent": agent, **head}.items())
    with open(os.path.join(folder, f"{second}.{process}.{agent}"), "wb") as file:
        file.write(said.encode() + b"\n" + raw)


def payload(repository, hook, **fields):
    return {"session_id": "one", "cwd": repository.root, "hook_event_name": hook, **fields}


def take_all():
    take_in(kept_payloads(os.environ), os.environ)


def lines(repository):
    with open(repository.tape(), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_a_turn_comes_back(repository, folder):
    """In the order in which it came, with its own times; a prompt is known and the turn is over."""
    keep(folder, payload(repository, "Stop", last_assistant_message="done"), MORNING + 2)
    keep(folder, payload(repository, "SessionStart", source="startup"), MORNING, 10)
    keep(folder, payload(repository, "UserPromptSubmit", prompt="make it blue"), MORNING, 20)
    take_all()
    events = [line for line in lines(repository) if "event" in line]
    assert [line["event"] for line in events] == ["session_start", "turn_start", "turn_end"]
    assert events[-1]["at"][:19] == "2025-11-15T08:00:02"
    assert repository.engine.store.load("one").phase.value == "idle"
    assert os.listdir(folder) == []


def test_a_session_that_went_on_is_not_led_back(repository, folder):
    """An end that comes too late is a note: the session is at work."""
    repository.session(ends=False)
    keep(folder, payload(repository, "SessionEnd", reason="other"), int(time.time()) - 3600)
    take_all()
    assert repository.engine.store.load("one").phase.value == "idle"
    assert "unheard" in [line.get("note") for line in lines(repository)]


def test_what_nobody_can_use(repository, folder):
    """Half a payload is kept as a stray; an empty one, and what others laid there, is no payload."""
    keep(folder, b'{"session_id": "on', cwd=repository.root)
    keep(folder, b"", MORNING + 1)
    for name in ("notes.txt", f"{MORNING}.1.claude.new", f"{MORNING}.1.other", "x.y.claude"):
        with open(os.path.join(folder, name), "w", encoding="utf-8"):
            pass
    assert len(kept_payloads(os.environ)) == 2
    take_all()
    assert "not JSON" in repository.run("doctor").stdout
    assert len(os.listdir(folder)) == 4


def test_doctor(repository, folder):
    """It says how many came and when; `--fix` takes them in."""
    keep(folder, payload(repository, "UserPromptSubmit", prompt="make it blue"), CLAUDE_PROJECT_DIR=repository.root)
    keep(folder, payload(repository, "Stop"), MORNING + 60)
    [found] = [each for each in repository.json("doctor")["findings"] if each["check"] == "unheard"]
    assert found["what"] == (
        "2 hook payloads arrived while tapehead could not run, from 2025-11-15 08:00 +0000 to 2025-11-15 08:01 +0000"
    )
    repository.run("doctor", "--fix")
    assert not kept_payloads(os.environ)
    assert repository.engine.store.load("one").phase.value == "idle"
