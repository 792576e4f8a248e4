"""The plugin and the settings together: the hook writes each event once, and speaks once."""

import json
import os
from pathlib import Path

import pytest

from tapehead.engine import hook, recording
from tapehead.store import tape

PAYLOADS = [
    {"hook_event_name": "SessionStart", "source": "startup"},
    {"hook_event_name": "UserPromptSubmit", "prompt": "hello", "prompt_id": "p1"},
    {"hook_event_name": "UserPromptSubmit", "prompt": "hello", "prompt_id": "p2"},
    {"hook_event_name": "SubagentStop", "agent_id": "a", "last_assistant_message": "x"},
]


@pytest.fixture
def hear(tmp_path, monkeypatch):
    monkeypatch.setattr(hook, "_work", lambda *_: None)
    repo = tmp_path / "repo"
    for name in ("objects", "refs"):
        (repo / ".git" / name).mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    def heard(payload, via=""):
        source, sink = os.pipe()
        os.write(sink, json.dumps({"session_id": "s", "cwd": str(repo), **payload}).encode())
        os.close(sink)
        try:
            return hook.run("claude", source, {"HOME": str(tmp_path), "TAPEHEAD_VIA": via})
        finally:
            os.close(source)

    heard.tape = str(repo / ".git" / "tapehead" / "sessions" / "s.tape")
    return heard


@pytest.mark.parametrize("first", ["", "plugin"])
def test_each_event_once(hear, first):
    """Whichever of the two is first, the tape has every event once; two prompts with the same words are two."""
    for payload in PAYLOADS:
        hear(payload, first)
        hear(payload, "plugin" if first == "" else "")
    lines = [json.loads(line) for line in tape.unread(hear.tape, 0)[0]]
    heard = [line.get("event") or line.get("note") for line in lines if line["host"] == "claude"]
    assert heard == ["session_start", "turn_start", "turn_start", "subagent_stop"]


def test_only_the_one_that_wrote_speaks(hear, monkeypatch):
    """The other has nothing to say, or the model would read everything twice."""
    monkeypatch.setattr(hook, "_speak", lambda *_: ("said", False))
    start = PAYLOADS[0]
    assert [hear(start, "plugin"), hear(start), hear(start, "plugin")] == ["said", "", "said"]


def test_a_store_that_cannot_be_written_is_not_a_twin(hear, tmp_path):
    """Then the next store gets the line, as ever."""
    Path(hear.tape).parent.parent.write_text("in the way")
    hear(PAYLOADS[1])
    tapes = list((tmp_path / ".local" / "state" / "tapehead").rglob("s.tape"))
    assert len(tapes) == 1


def test_what_two_hooks_find_out_at_once_is_written_once(tmp_path, monkeypatch):
    """Copilot runs hooks side by side: both see in its record that a compaction is over, before either has written a line."""
    monkeypatch.setattr(hook, "_work", lambda *_: None)
    repo = tmp_path / "repo"
    for name in ("objects", "refs"):
        (repo / ".git" / name).mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    record = tmp_path / "home" / "session-state" / "s" / "events.jsonl"
    record.parent.mkdir(parents=True)
    record.write_text('{"type":"session.start"}\n')
    path = repo / ".git" / "tapehead" / "sessions" / "s.tape"

    def heard(name, **fields):
        payload = {"session_id": "s", "cwd": str(repo), "timestamp": "t", "hook_event_name": name, **fields}
        source, sink = os.pipe()
        os.write(sink, json.dumps(payload).encode())
        os.close(sink)
        env = {"HOME": str(tmp_path), "COPILOT_CLI": "1", "COPILOT_HOME": str(tmp_path / "home")}
        hook.run("copilot", source, env)
        os.close(source)

    heard("UserPromptSubmit", prompt="hello")
    done = {"success": True, "trigger": "auto", "summaryContent": "short"}
    for number in (1, 2):  # the same words twice are two compactions
        with record.open("a") as file:
            file.write(json.dumps({"type": "session.compaction_complete", "data": done}) + "\n")
        seen = path.read_bytes()
        monkeypatch.setattr(recording, "_end_of_tape", lambda *_, seen=seen: seen)
        heard("Stop", stop_hook_active=False)
        heard("UserPromptSubmit", prompt=f"on, {number}")
        events = [json.loads(line).get("event") for line in tape.unread(str(path), 0)[0]]
        assert [events.count(name) for name in ("compaction", "compacted", "turn_start")] == [
            number,
            number,
            1 + number,
        ]
