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
           context={"cwd": "/work/project", "branch": "main"}),
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
