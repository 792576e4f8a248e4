"""The other agents through the hook: what is owed is said where the host takes it, once."""

import json
import os

import pytest

import scenes
from tapehead.engine import hook
from tapehead.store.paths import Layout
from tapehead.store.sessions import StateStore

HISTORY = {"id": "snap", "type": "user", "content": [{"text": "<state_snapshot>short</state_snapshot>"}]}


def _for_the_model(printed):
    """What stands in it for the model, in whichever words the agent reads."""
    if not printed.startswith("{"):
        return printed
    said = json.loads(printed)
    said = said.get("hookSpecificOutput", said)
    return next(said[name] for name in ("additionalContext", "additional_context", "context") if name in said)


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
        return _for_the_model(printed) if printed else ""

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
    """The start has a brief to tell and says nothing; the prompt brings it, once."""
    send("gemini", "SessionStart", "old", source="startup")
    send("gemini", "BeforeAgent", "old", prompt="make it blue")
    send("gemini", "AfterAgent", "old", prompt_response="it is blue")
    send("gemini", "SessionEnd", "old", reason="clear")
    assert send("gemini", "SessionStart", "new", source="clear") == ""
    assert send.state("new").pending_restore
    assert "make it blue" in send("gemini", "BeforeAgent", "new", prompt="go on")
    assert send("gemini", "BeforeAgent", "new", prompt="and on") == ""


def test_gemini_after_a_compression_that_nobody_told_of(send, tmp_path):
    """Found at the end of the turn; the next prompt brings the session's own brief, whomever it went on from."""
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


def test_a_compaction_that_nobody_has_folded_yet(send, monkeypatch):
    """The process behind is a moment late: the prompt brings the brief all the same, and only once."""
    send("codex", "SessionStart", source="startup")
    send("codex", "UserPromptSubmit", prompt="make it blue", turn_id="t")
    send("codex", "PreCompact", trigger="manual")
    with monkeypatch.context() as patch:
        patch.setattr(hook, "_work", lambda *_: None)
        send("codex", "PostCompact", trigger="manual")
        assert "make it blue" in send("codex", "UserPromptSubmit", prompt="go on", turn_id="u")
    assert send("codex", "UserPromptSubmit", prompt="and on", turn_id="v") == ""


def _copilots(tmp_path, session, *entries):
    """What Copilot writes down beside its hooks."""
    path = tmp_path / ".copilot" / "session-state" / session / "events.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in entries)


def test_copilot_starts_with_its_first_prompt(send, tmp_path):
    """The first one and a resume are told nothing; a new session in the same place is told with its first prompt."""
    _copilots(tmp_path, "s", {"type": "session.start"})
    assert send("copilot", "UserPromptSubmit", prompt="make it blue", timestamp="t") == ""
    send("copilot", "Stop", timestamp="t")
    send("copilot", "SessionEnd", reason="complete", timestamp="t")
    assert send("copilot", "UserPromptSubmit", prompt="go on", timestamp="u") == ""
    assert send("copilot", "UserPromptSubmit", prompt="and on", timestamp="v") == ""
    assert send.state().turn_number == 3
    send("copilot", "SessionEnd", reason="user_exit", timestamp="w")
    assert "and on" in send("copilot", "UserPromptSubmit", "new", prompt="hello", timestamp="x")
    assert send.state("new").predecessor == "s"


def test_copilot_after_a_compaction(send, tmp_path):
    """Told with the prompt after the record said that it was over, once; a compaction that is not over is none."""
    done = {"type": "session.compaction_complete", "data": {"success": True, "summaryContent": "short"}}
    _copilots(tmp_path, "s", {"type": "session.start"})
    send("copilot", "UserPromptSubmit", prompt="make it blue", timestamp="t")
    send("copilot", "PreCompact", trigger="auto", timestamp="u")
    send("copilot", "Stop", timestamp="v")
    assert send.state().compaction_count == 0
    _copilots(tmp_path, "s", done)
    assert "make it blue" in send("copilot", "UserPromptSubmit", prompt="go on", timestamp="w")
    assert send("copilot", "UserPromptSubmit", prompt="and on", timestamp="x") == ""
    assert (send.state().compaction_count, send.state().pending_restore) == (1, "")


def test_opencode_compacted_in_mid_turn(send):
    """The start that our plugin makes after it is told; the summariser is too."""
    own = {"agent": "opencode"}
    send("opencode", "SessionStart", source="startup", **own)
    send("opencode", "UserPromptSubmit", prompt="make it blue", **own)
    assert send("opencode", "PreCompact", trigger="auto", **own)
    assert send("opencode", "PostCompact", trigger="auto", summary="short", **own) == ""
    assert "make it blue" in send("opencode", "SessionStart", source="compact", **own)
    assert send("opencode", "UserPromptSubmit", prompt="go on", **own) == ""
    assert send.state().compaction_count == 1


def test_droid_tells_no_prompt(send, tmp_path):
    """The record does, at the turn's end; a compaction in the turn waits for the next start."""
    record = tmp_path / "one.jsonl"
    where = {"permission_mode": "off", "transcript_path": str(record)}
    record.write_text('{"type":"session_start","id":"s"}\n')
    send("droid", "SessionStart", source="startup", **where)
    said = {"type": "message", "message": {"role": "user", "content": "make it blue"}}
    with record.open("a") as file:
        file.write(json.dumps(said) + "\n" + json.dumps({"type": "compaction_state", "summaryText": "short"}) + "\n")
    assert send("droid", "Stop", **where) == ""
    assert (send.state().turn_number, send.state().compaction_count) == (1, 1)
    send("droid", "SessionEnd", reason="other", **where)
    assert "make it blue" in send("droid", "SessionStart", source="resume", **where)


def test_cursor_is_told_where_a_conversation_begins(send):
    """And nowhere else: after a compaction nothing can be said."""
    old, new = ({"conversation_id": name, "cursor_version": "1"} for name in ("old", "new"))
    send("cursor", "sessionStart", "old", **old)
    send("cursor", "beforeSubmitPrompt", "old", prompt="make it blue", **old)
    send("cursor", "preCompact", "old", trigger="auto", **old)
    send("cursor", "stop", "old", status="completed", **old)
    assert send("cursor", "beforeSubmitPrompt", "old", prompt="go on", **old) == ""
    send("cursor", "sessionEnd", "old", reason="completed", **old)
    assert "go on" in send("cursor", "sessionStart", "new", **new)


def test_kiro_after_a_compaction(send):
    """In plain words, with the next prompt, once."""
    send("kiro", "agentSpawn")
    send("kiro", "userPromptSubmit", prompt="make it blue")
    send("kiro", "PreCompact")
    send("kiro", "PostCompact", summary="short")
    assert "make it blue" in send("kiro", "userPromptSubmit", prompt="go on")
    assert send("kiro", "userPromptSubmit", prompt="and on") == ""
