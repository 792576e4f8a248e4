"""Codex and Gemini through the hook: what is owed is said where the host takes it, once."""

import json
import os

import pytest

import scenes
from tapehead.cli import hook
from tapehead.store.paths import Layout
from tapehead.store.sessions import StateStore

HISTORY = {"id": "snap", "type": "user", "content": [{"text": "<state_snapshot>short</state_snapshot>"}]}


@pytest.fixture
def send(tmp_path, monkeypatch):
    """One payload through the hook; what it prints for the model. What is left to others is done at once."""
    root = scenes.repository(tmp_path / "repo")
    layout = Layout(str(root / ".git" / "tapehead"))
    monkeypatch.setattr(hook, "_work", lambda _layout, session, _env: scenes.Scene(layout.root).engine.settle(session))

    def sent(host, name, session="s", **fields):
        payload = {"session_id": session, "cwd": str(root), "hook_event_name": name, **fields}
        reading, writing = os.pipe()
        os.write(writing, json.dumps(payload).encode())
        os.close(writing)
        env = {"HOME": str(tmp_path)} | ({"GEMINI_SESSION_ID": session} if host == "gemini" else {})
        printed = hook.run(host, reading, env)
        os.close(reading)
        return json.loads(printed)["hookSpecificOutput"]["additionalContext"] if printed else ""

    sent.state = lambda session="s": StateStore(layout).load(session)
    sent.layout = layout
    return sent


def test_codex_after_a_compaction(send):
    """Told with the start that follows it; the prompt after that start, and a second start, are told nothing."""
    send("codex", "SessionStart", source="startup")
    send("codex", "UserPromptSubmit", prompt="make it blue", turn_id="t")
    send("codex", "PreCompact", trigger="auto")
    send("codex", "PostCompact", trigger="auto")
    assert "make it blue" in send("codex", "SessionStart", source="resume")
    assert send("codex", "SessionStart", source="compact") == ""
    assert send("codex", "UserPromptSubmit", prompt="go on", turn_id="u") == ""
    state = send.state()
    assert (state.pending_restore, state.compaction_count, state.agent) == ("", 1, "codex")
    assert state.awaiting_receipt, "the first of the two awaits its receipt"


def test_codex_is_told_again_after_the_next_compaction(send):
    """One start that was said twice does not silence the one after it."""
    test_codex_after_a_compaction(send)
    send("codex", "PreCompact", trigger="auto")
    send("codex", "PostCompact", trigger="auto")
    assert "make it blue" in send("codex", "SessionStart", source="compact")


@pytest.mark.parametrize("name", ["PreCompact", "PostCompact", "Stop", "SessionEnd"])
def test_codex_says_nothing_where_nobody_listens(send, name):
    """Plain text is an error at some of them: silence."""
    send("codex", "SessionStart", source="startup")
    send("codex", "UserPromptSubmit", prompt="make it blue", turn_id="t")
    assert send("codex", name) == ""
    assert not scenes.Scene(send.layout.root).notes("s", "steered")


def test_gemini_is_told_with_its_prompt(send):
    """The start has a story to tell and says nothing; the prompt brings it, once."""
    send("gemini", "SessionStart", "old", source="startup")
    send("gemini", "BeforeAgent", "old", prompt="make it blue")
    send("gemini", "AfterAgent", "old", prompt_response="it is blue")
    send("gemini", "SessionEnd", "old", reason="clear")
    assert send("gemini", "SessionStart", "new", source="clear") == ""
    assert send.state("new").pending_restore
    assert "make it blue" in send("gemini", "BeforeAgent", "new", prompt="go on")
    assert send("gemini", "BeforeAgent", "new", prompt="and on") == ""


def test_gemini_after_a_compression_that_nobody_told_of(send, tmp_path):
    """Found at the end of the turn; the next prompt brings the session's own story, whomever it went on from."""
    test_gemini_is_told_with_its_prompt(send)
    record = tmp_path / "session.jsonl"
    record.write_text("{}\n")
    where = {"transcript_path": str(record)}
    send("gemini", "BeforeAgent", "new", prompt="paint the door", **where)
    with record.open("a") as file:
        file.write(json.dumps({"$set": {"messages": [HISTORY]}}) + "\n")
    assert send("gemini", "AfterAgent", "new", prompt_response="done", **where) == ""
    assert send.state("new").compaction_count == 1
    told = send("gemini", "BeforeAgent", "new", prompt="go on", **where)
    assert "paint the door" in told
    assert "compacted" in told.splitlines()[0]
    assert send("gemini", "BeforeAgent", "new", prompt="and on", **where) == ""


def test_geminis_three_ends_are_one(send):
    """Each has another time in it; the tape has one of them."""
    send("gemini", "SessionStart", source="startup")
    for second in range(3):
        send("gemini", "SessionEnd", reason="exit", timestamp=f"2026-01-01T00:00:0{second}Z")
    raw, _ = StateStore(send.layout).lines("s")
    assert sum(b'"event":"session_stop"' in line for line in raw) == 1
