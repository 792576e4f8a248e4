"""Session files as Gemini writes them, for tests: one made-up session in both formats."""

import json
from copy import deepcopy

SESSION = "aaaaaaaa-1111-4222-8333-444444444444"
NAME = f"session-2026-03-01T10-00-{SESSION[:8]}.jsonl"
HEADER = {"sessionId": SESSION, "projectHash": "ab" * 32, "startTime": "2026-03-01T10:00:00.000Z", "kind": "main"}
CONTEXT = (
    "<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /home/me/project\n</session_context>"
)
SNAPSHOT = "<state_snapshot><overall_goal>open the door</overall_goal></state_snapshot>"
THANKS = "Got it. Thanks for the additional context!"


def message(kind, ident, content, at=0, **fields):
    return {"id": ident, "timestamp": f"2026-03-01T10:{at:02}:00.000Z", "type": kind, "content": content, **fields}


def person(ident, text, at=0, **fields):
    return message("user", ident, [{"text": text}], at, **fields)


def agent(ident, text, at=0, **fields):
    return message("gemini", ident, text, at, model="gemini-test", **fields)


def tokens(sent, out, cached=0, thoughts=0):
    return {
        "input": sent,
        "output": out,
        "cached": cached,
        "thoughts": thoughts,
        "tool": 0,
        "total": sent + out + thoughts,
    }


def answer(ident, name, **response):
    return {"functionResponse": {"id": ident, "name": name, "response": response}}


def called(ident, name, status="success", answered=None, **arguments):
    result = [answer(ident, name, **answered)] if answered is not None else None
    return {"id": ident, "name": name, "args": arguments, "result": result, "status": status}


def ran(ident, command, said, code=""):
    failed = f"\nExit Code: {code}" if code else ""
    wrapped = f"<untrusted_context>\nOutput: {said}{failed}\nProcess Group PGID: 7\n</untrusted_context>"
    return called(ident, "run_shell_command", command=command, answered={"output": wrapped})


def history(*messages):
    return {"$set": {"messages": list(messages), "lastUpdated": "2026-03-01T11:00:00.000Z"}}


THOUGHT = [{"subject": "Doors", "description": "hm", "timestamp": "2026-03-01T10:02:00.000Z"}]
FIRST = agent("m1", "Looking.", 2, thoughts=THOUGHT, tokens=tokens(1000, 50, cached=600, thoughts=5))
EDIT = called(
    "t2",
    "replace",
    file_path="/home/me/project/a.py",
    old_string="x",
    new_string="y",
    instruction="open",
    answered={"output": "ok"},
)
WITH_CALLS = FIRST | {"toolCalls": [ran("t1", "make test", "1 failed", "2"), EDIT]}
ANSWERED = message(
    "user", "u2", [answer("t1", "run_shell_command", output="x"), answer("t2", "replace", output="ok")], 3
)
LAST = agent("m2", "It is open.", 4, tokens=tokens(1500, 20))


def lines():
    """A session of the newer format, with all that its file repeats; a copy, which a test may change."""
    return deepcopy(_all_lines())


def _all_lines():
    return [
        HEADER,
        history(person("c", CONTEXT)),
        person("u1", "open the door", 1),
        {"$set": {"lastUpdated": "2026-03-01T10:01:00.000Z"}},
        FIRST,
        WITH_CALLS,
        ANSWERED,
        LAST,
        HEADER,
        {"$set": {"sessionId": SESSION}},
        history(
            person("c", CONTEXT),
            person("u1", "open the door", 9),
            agent("m1", [{"text": "Looking."}], 9),
            ANSWERED,
            LAST,
        ),
        person("u3", "thanks", 10),
        agent("m3", "Welcome.", 11, tokens=tokens(1600, 5)),
    ]


def document():
    """The same in the older format: one document; a copy, too."""
    kept = [person("u1", "open the door", 1), WITH_CALLS, LAST, person("u3", "thanks", 10), agent("m3", "Welcome.", 11)]
    return deepcopy({key: value for key, value in HEADER.items() if key != "kind"} | {"messages": kept})


def written(path, entries):
    """Write lines, or a document as people see it; what is bytes already is written as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(entries, dict):
        path.write_text(json.dumps(entries, indent=2))
        return str(path)
    made = (one if isinstance(one, bytes) else json.dumps(one, separators=(",", ":")).encode() for one in entries)
    path.write_bytes(b"".join(one + b"\n" for one in made))
    return str(path)
