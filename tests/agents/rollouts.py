"""Rollouts as Codex writes them, for tests: one made-up session in each of its formats."""

import json
from itertools import count

THREAD = "0197aaaa-0000-7000-8000-00000000000a"
PARENT = "0197bbbb-0000-7000-8000-00000000000b"
NAME = f"rollout-2026-03-01T10-00-00-{THREAD}.jsonl"
WINDOW = 200_000


def line(kind, payload, at=0, **fields):
    return {"timestamp": f"2026-03-01T10:{at:02}:00.000Z", "type": kind, "payload": payload, **fields}


def meta(at=0, thread=THREAD, **fields):
    git = {"branch": "main", "commit_hash": "0" * 40}
    return line(
        "session_meta", {"id": thread, "cwd": "/home/me/project", "cli_version": "0.1.0", "git": git, **fields}, at
    )


def message(role, *texts, at=0, kinds=None, **fields):
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} if isinstance(text, str) else text for text in texts]
    about = {"internal_chat_message_metadata_passthrough": {"content_item_kinds": kinds}} if kinds else {}
    return line("response_item", {"type": "message", "role": role, "content": content, **about}, at, **fields)


def person(text, at=0, **fields):
    return message("user", text, at=at, **fields)


def agent(text, at=0):
    return message("assistant", text, at=at)


def event(kind, at=0, **fields):
    return line("event_msg", {"type": kind, **fields}, at)


def told(text, at=0):
    """The user's words once more, for the screen, as older versions do."""
    return event("user_message", at, message=text, images=[])


def item(kind, at=0, **fields):
    """The same as newer versions do."""
    return event("item_completed", at, item={"type": kind, **fields})


def function(ident, name, at=0, **arguments):
    return line("response_item", _call("function_call", ident, name, arguments=json.dumps(arguments)), at)


def custom(ident, name, text, at=0):
    return line("response_item", _call("custom_tool_call", ident, name, input=text), at)


def _call(kind, ident, name, **given):
    return {"type": kind, "call_id": ident, "name": name, **given}


def output(ident, text, at=0, kind="function_call_output"):
    return line("response_item", {"type": kind, "call_id": ident, "output": text}, at)


def ran(ident, text, code=0, at=0):
    head = f"Chunk ID: ab12cd\nWall time: 0.1000 seconds\nProcess exited with code {code}\nOriginal token count: 3\nOutput:\n"
    return output(ident, head + text, at)


def tokens(sent, out, cached=0, at=0, total=None, **fields):
    last = {
        "input_tokens": sent,
        "cached_input_tokens": cached,
        "output_tokens": out,
        "total_tokens": sent + out,
    } | fields
    info = {
        "last_token_usage": last,
        "total_token_usage": {"total_tokens": total or sent + out},
        "model_context_window": WINDOW,
    }
    return event("token_count", at, info=info)


def compacted(text="", *kept):
    history = [person(words)["payload"] for words in kept] + [{"type": "compaction", "encrypted_content": "AAAA"}]
    return line("compacted", {"message": text, "replacement_history": history})


SURROUNDINGS = message(
    "user",
    "# AGENTS.md instructions for /home/me/project\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>",
    "<environment_context>\n  <cwd>/home/me/project</cwd>\n</environment_context>",
)
PATCH = """*** Begin Patch
*** Update File: src/door.py
@@ def open_door():
 def open_door():
-    return False
+    return True
*** Add File: tests/test_door.py
+def test_door():
+    assert open_door()
*** Delete File: old.txt
*** End Patch
"""


def legacy():
    """A session of the older format: the user's words stand twice."""
    return [
        meta(),
        event("task_started", model_context_window=WINDOW),
        message("developer", "<permissions instructions>all is allowed</permissions instructions>"),
        SURROUNDINGS,
        line("turn_context", {"cwd": "/home/me/project", "model": "gpt-test"}),
        person("open the door\n", at=1),
        told("open the door\n", at=1),
        event("agent_message", 2, message="Looking."),
        agent("Looking.", at=2),
        line("response_item", {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}, 2),
        function("c1", "exec_command", at=3, cmd="make test", workdir="/home/me/project"),
        ran("c1", "1 failed\n", code=2, at=4),
        tokens(1000, 50, cached=600, at=4),
        custom("c2", "apply_patch", PATCH, at=5),
        output("c2", "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n", 5),
        tokens(1500, 70, cached=900, at=5, total=2620),
        agent("It is open.", at=6),
        event("task_complete", 6, last_agent_message="It is open."),
        person("thanks", at=7),
        told("thanks", at=7),
        agent("Welcome.", at=8),
    ]


def paginated():
    """The same in the newer format: numbered lines, what a text is stands beside it, and the screen's words are items."""
    lines = [
        meta(session_id=THREAD, history_mode="paginated"),
        event("task_started", model_context_window=WINDOW),
        message("developer", "the door is red", kinds=["hooks.additional_context"]),
        message("user", "<environment_context>x</environment_context>", kinds=["environments.environment_context"]),
        person("open the door\n", at=1, kinds=["user.text"]),
        item("UserMessage", 1, id="u1", content=[{"type": "text", "text": "open the door\n"}]),
        item("AgentMessage", 2, id="m1", content=[{"type": "Text", "text": "Looking."}]),
        agent("Looking.", at=2),
        function("c1", "exec_command", at=3, cmd="make test"),
        item("CommandExecution", 4, id="c1", command=["/bin/bash", "-lc", "make test"], exit_code=2, status="failed"),
        ran("c1", "1 failed\n", code=2, at=4),
        line("token_usage_record", {"usage": {"input_tokens": 1000}}, 4),
        tokens(1000, 50, cached=600, at=4),
        agent("It is shut.", at=6),
        event("task_complete", 6),
    ]
    return [{"ordinal": number, **one} for number, one in zip(count(), lines, strict=False)]


def written(path, lines):
    """Write lines; what is bytes already is written as it is."""
    made = (one if isinstance(one, bytes) else json.dumps(one, separators=(",", ":")).encode() for one in lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(one + b"\n" for one in made))
    return str(path)
