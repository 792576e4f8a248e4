"""What is recorded of each agent, for the tests of the contract: a new agent is a folder of data and a line in RECORDS."""

import json
from pathlib import Path

import chats
import other_records
import rollouts

from tapehead.agents.registry import HOSTS

RECORDED = Path(__file__).parent / "recorded"
PAYLOADS = {host: json.loads((RECORDED / host / "payloads.json").read_text()) for host in HOSTS}
"""By agent and kind: the payload as the real client sent it, and the environment that came with it."""
HEARD = {host: json.loads((RECORDED / host / "heard.json").read_text()) for host in HOSTS}
"""What is to be heard in each."""
EACH = [(host, kind) for host in HOSTS for kind in PAYLOADS[host]]


def payload(host, kind):
    return dict(PAYLOADS[host][kind]["payload"])


def whose(host, sent):
    """The session that a payload names, in whichever words."""
    return sent.get("conversation_id") if host == "cursor" else sent.get("session_id")


def env(host, kind):
    return dict(PAYLOADS[host][kind]["env"])


def _claudes(text, **fields):
    return {"type": "user", "sessionId": "s", "uuid": text, "message": {"role": "user", "content": text}, **fields}


def _claude_said(*content, ident):
    message = {"role": "assistant", "id": ident, "content": list(content)}
    return {"type": "assistant", "sessionId": "s", "uuid": ident, "message": message}


_CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}
_RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "1 failed", "is_error": True}
CLAUDE = [
    _claudes("open the door"),
    _claude_said({"type": "text", "text": "Looking."}, _CALL, ident="m1"),
    _claudes([_RESULT], uuid="r1"),
    _claude_said({"type": "text", "text": "It is shut."}, ident="m2"),
]
RECORDS = {
    "claude": ("s.jsonl", CLAUDE, "s"),
    "codex": (rollouts.NAME, rollouts.paginated(), rollouts.THREAD),
    "gemini": (chats.NAME, chats.lines(), chats.SESSION),
    "copilot": ("events.jsonl", other_records.COPILOT, other_records.COPILOT_SESSION),
    "opencode": ("ses_1.jsonl", other_records.OPENCODE, other_records.OPENCODE_SESSION),
    "droid": ("one.jsonl", other_records.DROID, other_records.DROID_SESSION),
    "qwen": ("s.jsonl", other_records.QWEN, other_records.QWEN_SESSION),
    "plain": ("s.jsonl", other_records.PLAIN, other_records.PLAIN_SESSION),
    "cursor": (f"{other_records.CURSOR_SESSION}.jsonl", other_records.CURSOR, other_records.CURSOR_SESSION),
}
"""A record of each: the name of its file, its lines, and whose it is. In all of them a door is to be opened, and `make test` fails."""


def written(directory, host):
    name, lines, _session = RECORDS[host]
    path = directory / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)
