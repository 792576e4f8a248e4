"""Records of the agents whose records are lines: in all of them a door is to be opened, and `make test` fails. Made by hand after real ones."""

WHEN = "2026-11-16T06:49:{:02}.000Z"


def _event(kind, ident, second=0, **data):
    return {"type": kind, "data": data, "id": ident, "timestamp": WHEN.format(second), "parentId": None}


COPILOT_SESSION = "1a5aae7b-f720-494a-90bc-fda62e0ac145"
_MAKE = {"command": "make test", "description": "run the tests"}
_USED = {
    "inputTokens": 12_103,
    "outputTokens": 9,
    "cacheReadTokens": 100,
    "cacheWriteTokens": 5,
    "maxPromptTokens": 64_000,
}
COPILOT = [
    _event("session.start", "e1", sessionId=COPILOT_SESSION, selectedModel="gpt-4.1",
           context={"cwd": "/home/me/project", "branch": "main"}),
    _event("hook.start", "e2", 1, hookType="userPromptSubmitted", input={"prompt": "open the door"}),
    _event("user.message", "e3", 1, content="open the door", delivery="idle", turnId="0",
           transformedContent="<current_datetime>x</current_datetime>\n\nopen the door\n\n"
                              "<system_reminder>\ntapehead: so far\n</system_reminder>"),
    _event("system.message", "e4", 1, role="system", content="You are a terminal assistant."),
    _event("session.usage_record", "e5", 2, usage=_USED),
    _event("assistant.message", "e6", 2, content="Looking.", model="gpt-4.1", reasoningText="A door.",
           toolRequests=[{"toolCallId": "call_1", "name": "bash", "arguments": _MAKE, "type": "function"}]),
    _event("tool.execution_complete", "e7", 3, toolCallId="call_1", success=True, shellExecution={"exitCode": 2},
           result={"content": "1 failed\n<shellId: 0 completed with exit code 2>"}),
    _event("assistant.message", "e8", 4, content="It is shut.", toolRequests=[]),
    _event("session.compaction_complete", "e9", 5, success=True, trigger="threshold", preCompactionTokens=10_602,
           summaryContent="a door was looked at"),
    _event("user.message", "e10", 6, content="go on", transformedContent="go on", delivery="idle"),
]  # fmt: skip

OPENCODE_SESSION = "ses_e1cdba428ffeZzR13y3T4NhTvw"


def message(ident, role, *parts, second=0, **info):
    """A message of OpenCode's, with its parts, as our plugin writes it down."""
    about = {"id": ident, "role": role, "time": {"created": 1_794_812_034_000 + second * 1000}, **info}
    return {"type": "message", "id": ident, "info": about, "parts": list(parts)}


def text(words, **fields):
    return {"type": "text", "text": words, **fields}


_STATE = {"status": "completed", "input": {"command": "make test"}, "output": "1 failed", "metadata": {"exit": 2}}
_TOKENS = {"input": 7_698, "output": 9, "reasoning": 1, "cache": {"read": 100, "write": 5}}
OPENCODE = [
    {"type": "session", "id": OPENCODE_SESSION, "directory": "/home/me/project", "version": "1.18.33"},
    message("msg_1", "user", text("open the door"), text("tapehead: so far", synthetic=True), model={"modelID": "m1"}),
    message(
        "msg_2", "assistant", {"type": "step-start"}, {"type": "reasoning", "text": "A door."}, text("Looking."),
        {"type": "tool", "tool": "bash", "callID": "call_1", "state": _STATE}, second=1, tokens=_TOKENS, modelID="m1",
    ),
    message("msg_3", "assistant", text("It is shut."), second=2),
    message("msg_4", "user", {"type": "compaction", "auto": True}, second=3),
    message("msg_5", "assistant", text("a door was looked at"), second=4, summary=True),
    {"type": "told", "text": "tapehead: in mid-turn"},
    message("msg_6", "user", text("Continue if you have next steps", synthetic=True), second=5),
    message("msg_7", "user", text("go on"), second=6),
]  # fmt: skip

DROID_SESSION = "5f1c0a52-7d1e-4b7b-9d0e-0f6f3c1a2b3c"


def droids(ident, role, *content, second=0, **fields):
    """A message of Droid's."""
    message_ = {"role": role, "content": list(content), **fields}
    return {"type": "message", "id": ident, "timestamp": WHEN.format(second), "message": message_}


_SAID = '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "tapehead: so far"}}'
_EXECUTE = {
    "type": "tool_use",
    "id": "call_1",
    "name": "Execute",
    "input": {"command": "make test", "summary": "tests"},
}
_FAILED = "1 failed\n\n\n[Process exited with code 2]"
DROID = [
    {"type": "session_start", "id": DROID_SESSION, "title": "the door", "version": 2, "cwd": "/home/me/project"},
    droids(
        "m0",
        "user",
        visibility="user_only",
        hookEventName="SessionStart",
        hookResults=[{"exitCode": 0, "stdout": _SAID}],
    ),
    droids("m1", "user", text("<system-reminder>\ntools\n</system-reminder>"), visibility="llm_only"),
    droids("m2", "user", text("open the door"), second=1),
    droids(
        "m3",
        "assistant",
        {"type": "thinking", "thinking": "A door."},
        text("Looking."),
        _EXECUTE,
        second=2,
        modelId="m1",
    ),
    droids(
        "m4", "user", {"type": "tool_result", "tool_use_id": "call_1", "is_error": False, "content": _FAILED}, second=3
    ),
    droids("m5", "assistant", text("It is shut."), second=4),
    {"type": "compaction_state", "id": "c1", "timestamp": WHEN.format(5), "summaryText": "a door was looked at"},
    {"type": "agent_turn_outcome", "turnId": "m2", "reason": "completed"},
    droids("m6", "user", text("go on"), second=6),
]

CURSOR_SESSION = "3c0f2f2e-6f0e-4f0a-8d43-0c9b8f4f7a11"
_SHELL = {"type": "tool_use", "name": "Shell", "input": {"command": "make test"}}
CURSOR = [
    {"role": "user", "message": {"content": [text("<user_query>\nopen the door\n</user_query>")]}},
    {"role": "assistant", "message": {"content": [text("Looking."), _SHELL]}},
    {"role": "assistant", "message": {"content": [text("It is shut.")]}},
    {"type": "turn_ended", "status": "completed"},
    {"role": "user", "message": {"content": "go on"}},
]

QWEN_SESSION = "7d0c4e3a-9f2b-4c55-8f0e-3f6d1f6c2a10"


def qwens(ident, kind, *parts, second=0, **fields):
    """A line of Qwen Code's."""
    about = {"cwd": "/home/me/project", "version": "0.24.4", "gitBranch": "main", **fields}
    message_ = {"message": {"role": "model" if kind == "assistant" else "user", "parts": list(parts)}} if parts else {}
    when = {"timestamp": WHEN.format(second), "type": kind}
    return {"uuid": ident, "parentUuid": None, "sessionId": QWEN_SESSION, **when, **about, **message_}


_QWEN_CALL = {"id": "call_1", "name": "run_shell_command", "args": {"command": "make test", "description": "tests"}}
_QWEN_RAN = (
    "Command: make test\nDirectory: (root)\nOutput: 1 failed\nError: (none)\nExit Code: 2\nSignal: (none)\n"
    "Process Group PGID: (none)"
)
_QWEN_RESULT = {"id": "call_1", "name": "run_shell_command", "response": {"output": _QWEN_RAN}}
_QWEN_KEPT = "a door was looked at\n\nResume the prior task using the summary above. Continue."
_QWEN_TOLD = "<qwen:user-prompt-submit-context>\ntapehead: so far\n</qwen:user-prompt-submit-context>"
QWEN = [
    qwens(
        "u1", "user", {"text": "open the door"}, {"text": _QWEN_TOLD}, second=1, provenance="real_user",
        systemPayload={"displayText": "open the door", "hookContext": "tapehead: so far"},
    ),
    qwens("u2", "system", second=1, subtype="ui_telemetry", systemPayload={"uiEvent": {}}),
    qwens(
        "u3", "assistant", {"text": "A door.", "thought": True}, {"text": "Looking."}, {"functionCall": _QWEN_CALL},
        second=2, model="m1", usageMetadata={"promptTokenCount": 100, "candidatesTokenCount": 9},
    ),
    qwens(
        "u4", "tool_result", {"functionResponse": _QWEN_RESULT}, second=3,
        toolCallResult={"callId": "call_1", "status": "success"},
    ),
    qwens("u5", "assistant", {"text": "It is shut."}, second=4, model="m1"),
    qwens(
        "u6", "system", second=5, subtype="chat_compression",
        systemPayload={
            "info": {"originalTokenCount": 100, "triggerReason": "manual"},
            "compressedHistory": [{"role": "user", "parts": [{"text": _QWEN_KEPT}]}],
        },
    ),
    qwens("u7", "user", {"text": "go on"}, second=6, provenance="real_user"),
]  # fmt: skip

PLAIN_SESSION = "s"
_PLAIN_CALL = {"id": "c1", "type": "function", "function": {"name": "shell", "arguments": '{"command": "make test"}'}}
PLAIN = [
    {
        "role": "user",
        "content": "open the door",
        "session_id": "s",
        "cwd": "/home/me/project",
        "timestamp": WHEN.format(1),
    },
    {"role": "assistant", "content": [{"type": "text", "text": "Looking."}], "tool_calls": [_PLAIN_CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "1 failed", "is_error": True},
    {"role": "assistant", "content": "It is shut.", "timestamp": 1_763_000_000},
    {"type": "compaction", "trigger": "manual", "content": "a door was looked at"},
    {"message": {"role": "user", "content": "go on"}, "timestamp": 1_763_000_001_000},
]
