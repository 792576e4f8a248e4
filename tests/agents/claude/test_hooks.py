from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapehead.agents.claude import hooks
from tapehead.agents.hook_event import Heard, NotOurs, cut_middle
from tapehead.agents.registry import AGENTS
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store.paths import is_session_id


def heard(hook, env=None, **fields):
    return hooks.heard({"session_id": "s", "hook_event_name": hook, **fields}, env or {})


EVENTS = {
    "SessionStart": Event.SESSION_START,
    "UserPromptSubmit": Event.TURN_START,
    "Stop": Event.TURN_END,
    "StopFailure": Event.TURN_FAILED,
    "PreCompact": Event.COMPACTION,
    "PostCompact": Event.COMPACTED,
    "SessionEnd": Event.SESSION_STOP,
    "SubagentStop": None,
    "PermissionRequest": None,
    "Notification": None,
}


def test_every_hook_that_is_installed_is_understood():
    """Each has its event; SubagentStop and what the agent waits for are notes; no hook is understood that is not installed, nor the other way round."""
    assert {hook: heard(hook).event for hook in hooks.HOOKS} == EVENTS
    assert heard("SubagentStop").note == "subagent_stop"
    assert AGENTS["claude"] is hooks


@pytest.mark.parametrize("hook", EVENTS)
def test_common_fields(hook):
    """Whose session, which agent, by which hook, and where the transcript is."""
    found = heard(hook, transcript_path="/t.jsonl")
    assert (found.host, found.hook, found.session_id) == ("claude", hook, "s")
    assert found.data["transcript_path"] == "/t.jsonl"
    assert "transcript_path" not in heard(hook, transcript_path=3).data


@pytest.mark.parametrize(
    ("source", "taken", "facts"),
    [
        ("startup", "startup", []),
        ("resume", "resume", []),
        ("clear", "clear", ["cleared"]),
        ("compact", "compact", ["after_compaction"]),
        ("fork", "fork", []),
        ("Compact", "compact", ["after_compaction"]),
        ("micro-compact", "compact", ["after_compaction"]),
        ("clear_all", "clear", ["cleared"]),
        ("teleport", "startup", []),
        ("", "startup", []),
        (None, "startup", []),
        (["compact"], "startup", []),
    ],
)
def test_sources_of_a_start(source, taken, facts):
    """Each known source is itself; one that does not exist yet is the nearest known, or a plain start."""
    found = heard("SessionStart", source=source)
    assert (found.data["source"], found.facts) == (taken, facts)


def test_what_a_start_tells():
    """The model and the fill of the window, where they are what they should be."""
    found = heard("SessionStart", model="opus", context_tokens=5)
    assert (found.data["model"], found.data["context_tokens"]) == ("opus", 5)
    for odd in (True, "5", None, 5.0):
        assert "context_tokens" not in heard("SessionStart", context_tokens=odd).data


@pytest.mark.parametrize(
    ("reason", "taken", "facts"),
    [
        ("clear", "clear", ["cleared"]),
        ("resume", "resume", []),
        ("logout", "logout", []),
        ("prompt_input_exit", "prompt_input_exit", []),
        ("other", "other", []),
        ("bypass_clear", "clear", ["cleared"]),
        ("abducted", "other", []),
        (None, "other", []),
    ],
)
def test_reasons_of_an_end(reason, taken, facts):
    """The same for the reasons."""
    found = heard("SessionEnd", reason=reason)
    assert (found.data["reason"], found.facts) == (taken, facts)


def test_a_prompt_is_the_humans_words():
    """Word for word, shortened only where it is huge; who else asked is said."""
    found = heard("UserPromptSubmit", prompt="do\nit", prompt_id="p1")
    assert found.data == {"prompt": "do\nit", "prompt_id": "p1"}
    assert "asked_by" not in heard("UserPromptSubmit", source="user").data
    assert heard("UserPromptSubmit", source="cron" * 50).data["asked_by"] == ("cron" * 50)[:40]
    assert len(heard("UserPromptSubmit", prompt="x" * 99_999).data["prompt"]) == 32_000
    assert heard("UserPromptSubmit", prompt=["x"]).data["prompt"] == ""


def test_the_end_of_a_turn():
    """The last words, and what still runs in the background, in bounds."""
    tasks = [
        {"id": "b1", "type": "shell", "status": "running", "description": "serves", "command": "npm run dev"},
        {"id": "a1", "type": "subagent", "status": "running", "description": "a small task"},
        {"id": "b2", "status": "completed", "command": "make"},
        {"id": "b3"},
        *({"id": 1}, {"id": ""}, {"id": "two words"}, "x", None),
    ]
    found = heard("Stop", last_assistant_message="done", background_tasks=tasks)
    running = ["b1 npm run dev", "a1 a small task", "b3"]
    assert found.data == {"reply": "done", "running": running, "subagents": ["a1"]}
    assert heard("Stop", background_tasks=[]).data["running"] == [], "nothing runs: that is news too"
    assert "running" not in heard("Stop", background_tasks="x").data
    assert "running" not in heard("Stop", background_tasks=[{"id": "b"}] * 1000).data, "a cut list would lie"
    [long] = heard("Stop", background_tasks=[{"id": "b", "command": "x" * 9_999}]).data["running"]
    assert len(long) < 400


def test_the_failure_of_a_turn():
    """What the agent says of it."""
    assert heard("StopFailure", error="rate_limit", error_details="429").data == {
        "error": "rate_limit",
        "error_details": "429",
    }


@pytest.mark.parametrize(
    ("trigger", "taken"), [("manual", "manual"), ("auto", "auto"), ("automatic", "auto"), (None, "auto")]
)
def test_compactions(trigger, taken):
    """Who asked for it, in which words, and the summary afterwards."""
    found = heard("PreCompact", trigger=trigger, custom_instructions="keep x")
    assert found.data == {"trigger": taken, "custom_instructions": "keep x"}
    assert heard("PreCompact", trigger=trigger, custom_instructions=None).data == {"trigger": taken}
    assert heard("PostCompact", trigger=trigger, compact_summary="short").data == {"trigger": taken, "summary": "short"}


def test_a_failed_compaction_is_told_from_a_failed_subagent():
    """The StopFailure of the client's summariser has an id and no kind: a compaction failed. With a kind it is a subagent's news."""
    found = heard("StopFailure", agent_id="a1", error="unknown", last_assistant_message="API Error: 400")
    assert (found.event, found.data["error_message"]) == (Event.COMPACTION_FAILED, "API Error: 400")
    assert heard("StopFailure", agent_id="a1", agent_type="").event is Event.COMPACTION_FAILED
    assert heard("StopFailure", agent_id="a1", agent_type="general-purpose").note == "inside_subagent"
    assert heard("StopFailure").event is Event.TURN_FAILED


def test_the_summariser_is_told_from_other_subagents():
    """The nameless one with a summary is the agent's summariser; one with a type, or without a summary, only replies."""
    text = "<analysis>a</analysis><summary>b</summary>"
    assert heard("SubagentStop", agent_type="", agent_id="1", last_assistant_message=text).data == {
        "agent_id": "1",
        "summary": text,
    }
    assert heard("SubagentStop", agent_type="explorer", last_assistant_message=text).data["reply"] == text
    assert heard("SubagentStop", agent_type="", last_assistant_message="found it").data == {"reply": "found it"}


@pytest.mark.parametrize("hook", [*EVENTS, "PostToolUse", "Made-up"])
def test_a_subagents_own_hooks_are_news(hook):
    """What happens inside a subagent is never the session's own start, turn, compaction or end."""
    found = heard(hook, agent_id="a1", agent_type="explorer", source="compact", reason="clear")
    assert found.event is None
    assert found.facts == []
    heard_all_the_same = {"SubagentStop": "subagent_stop", "PermissionRequest": "waiting", "Notification": "other_hook"}
    assert found.note == heard_all_the_same.get(hook, "inside_subagent")
    assert found.data["agent_id"] == "a1"


def test_a_hook_of_tomorrow_is_news():
    """It happened, and that is all that is known."""
    found = heard("BrandNew" * 30, tool_response="secret")
    assert (found.event, found.note, found.data) == (None, "other_hook", {"hook": ("BrandNew" * 30)[:80]})


@pytest.mark.parametrize("payload", [None, [], "x", 3, {}, {"session_id": "s"}, {"hook_event_name": "Stop"}])
def test_what_names_no_session_or_hook_is_not_ours(payload):
    """Refused with a reason."""
    with pytest.raises(NotOurs, match=r".+"):
        hooks.heard(payload, {})


@pytest.mark.parametrize("session_id", ["../../x", "", "x" * 10_000, "a\nb", "a\0b", None, 3, ["s"], ".hidden"])
def test_ids_that_could_leave_the_store_are_refused(session_id):
    """Whatever the agent says."""
    with pytest.raises(NotOurs, match="session id"):
        hooks.heard({"session_id": session_id, "hook_event_name": "Stop"}, {})


@pytest.mark.parametrize("hook", ["", None, 3, ["Stop"]])
def test_hooks_without_a_name_are_refused(hook):
    """So is a hook that is no word."""
    with pytest.raises(NotOurs, match="hook_event_name"):
        hooks.heard({"session_id": "s", "hook_event_name": hook}, {})


@pytest.mark.parametrize(
    ("fields", "env", "who"),
    [
        ({"cursor_version": "1"}, {}, "Cursor"),
        ({"conversation_id": "1"}, {}, "Cursor"),
        ({"sessionId": "1"}, {}, "Copilot"),
        ({"hookEventName": "x"}, {}, "Copilot"),
        ({"timestamp": 1}, {}, "Copilot"),
        ({}, {"COPILOT_CLI": "1"}, "Copilot"),
        ({}, {"GEMINI_SESSION_ID": "1"}, "Gemini"),
        ({"hook_event_name": "BeforeAgent"}, {}, "Gemini"),
        ({}, {"FACTORY_PROJECT_DIR": "/x"}, "Droid"),
        ({"turn_id": "1"}, {}, "Codex"),
        ({"transcript_path": "/home/.codex/sessions/x.jsonl"}, {}, "Codex"),
        ({"transcript_path": "/x/rollout-1.jsonl"}, {}, "Codex"),
    ],
)
def test_other_agents_are_recognised(fields, env, who):
    """Each by what only it sends; and not when Claude Code's own environment vouches for the very session."""
    payload = {"session_id": "s", "hook_event_name": "Stop", **fields}
    with pytest.raises(NotOurs, match=who):
        hooks.heard(payload, env)
    with pytest.raises(NotOurs, match=who):
        hooks.heard(payload, {**env, "CLAUDE_CODE_SESSION_ID": "another"})
    assert hooks.heard(payload, {**env, "CLAUDE_CODE_SESSION_ID": "s"}).session_id == "s"


def test_where_a_session_belongs():
    """The project first, then the payload's directory; only absolute paths that can exist."""
    assert hooks.directory({"cwd": "/c"}, {"CLAUDE_PROJECT_DIR": "/p"}) == "/p"
    assert hooks.directory({"cwd": "/c"}, {}) == "/c"
    for odd in ({"cwd": "c"}, {"cwd": 3}, {"cwd": "/a\0"}, {}, [], None):
        assert hooks.directory(odd, {"CLAUDE_PROJECT_DIR": "relative"}) == ""


def test_replies_are_in_the_hosts_form():
    """JSON that keeps apart model and user; plain text for the summariser; nothing where there is nothing."""
    assert hooks.reply("SessionStart", "", "", "") == ""
    assert json.loads(hooks.reply("SessionStart", "ctx", "steer", "you")) == {
        "systemMessage": "you",
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "ctx"},
    }
    assert (
        json.loads(hooks.reply("UserPromptSubmit", "ctx", "", ""))["hookSpecificOutput"]["additionalContext"] == "ctx"
    )
    assert json.loads(hooks.reply("Stop", "ctx", "", "you")) == {"systemMessage": "you"}
    assert hooks.reply("Stop", "ctx", "steer", "") == ""
    assert hooks.reply("PreCompact", "ctx", "keep x", "you") == "keep x"
    assert [hook for hook in EVENTS if hooks.carries_context(hook)] == ["SessionStart", "UserPromptSubmit"]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMES = [
    "session_id",
    "transcript_path",
    "source",
    "reason",
    "prompt",
    "prompt_id",
    "agent_id",
    "agent_type",
    "trigger",
]
NAMES += [
    "last_assistant_message",
    "background_tasks",
    "compact_summary",
    "model",
    "error",
    "cwd",
    "custom_instructions",
]


@given(st.sampled_from([*EVENTS, "Odd"]), st.dictionaries(st.sampled_from(NAMES), anything))
def test_no_payload_breaks_the_reader(hook, fields):
    """Whatever stands in its fields, a payload is understood or refused; what is kept can be written on a tape."""
    try:
        found = heard(hook, **fields)
    except NotOurs:
        return
    assert isinstance(found, Heard)
    assert is_session_id(found.session_id)
    assert (found.event is None) == bool(found.note)
    assert set(found.facts) <= {fact.value for fact in Fact}
    json.dumps(found.data)


@given(st.text(max_size=300), st.integers(0, 200))
def test_a_shortened_text_keeps_its_ends(text, limit):
    """At most so long; whole where it fits; otherwise beginning, end, and the true number of what is left out."""
    found = cut_middle(text, limit)
    assert len(found) <= limit
    if len(text) <= limit:
        assert found == text
    elif limit > 60 and "[…" not in text:
        before, _, rest = found.partition(" [… ")
        number, _, after = rest.partition(" characters …] ")
        assert text.startswith(before)
        assert text.endswith(after)
        assert int(number) == len(text) - len(before) - len(after)
