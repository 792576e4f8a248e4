"""A stand-in for the Responses API, on loopback. answering.py says what it can be ordered to do; {claim 260000} makes Codex compact.

python -I openai_standin.py PORT LOG
"""

from __future__ import annotations

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -I leaves it out

from answering import Answering, filled, serve

SUMMARY = "SUMMARY-OF-THE-STAND-IN: numbers were added up."
_ASKS_FOR_IT = "CONTEXT CHECKPOINT COMPACTION"


def last_words(body: dict) -> str:
    """What the user said last, if no tool has answered since."""
    for item in reversed(body.get("input", [])):
        if item.get("role") == "user":
            return "\n".join(part.get("text", "") for part in item.get("content") or [])
        if item.get("type") == "function_call_output":
            break
    return ""


def _escalated(command: str) -> dict:
    """A command with this word in it asks to run outside the sandbox, which the user has to approve."""
    return {"sandbox_permissions": "require_escalated", "justification": "it must"} if "escalated" in command else {}


def _names(body: dict) -> list[str]:
    """The tools of servers that a request offers: each server is a namespace."""
    spaces = [tool for tool in body.get("tools") or () if tool.get("type") == "namespace"]
    return [f"{space['name']}__{tool['name']}" for space in spaces for tool in space["tools"]]


def _named(name: str) -> dict[str, str]:
    space, _, tool = name.rpartition("__")
    return {"namespace": space, "name": tool} if space else {"name": name}


class OpenAI(Answering):
    """Only requests that offer tools are turns."""

    def newest(self, body: dict) -> str:
        said = last_words(body)
        return said if body.get("tools") and _ASKS_FOR_IT not in said else ""

    def respond(self, body: dict, command: str, tokens: int) -> None:
        schema = ((body.get("text") or {}).get("format") or {}).get("schema")
        said = filled(schema) if schema else f"Answer {self.number}."
        call = ("exec_command", {"cmd": command, **_escalated(command)}) if command else self.of_server(_names(body))
        self._stream(SUMMARY if _ASKS_FOR_IT in last_words(body) else said, call, tokens)

    def _stream(self, text: str, call: tuple[str, dict] | None, tokens: int) -> None:
        name = f"{self.number:06}"
        message = {"type": "message", "role": "assistant", "id": f"msg_{name}"}
        content = [{"type": "output_text", "text": text, "annotations": []}]
        called = {"type": "function_call", "id": f"fc_{name}", "call_id": f"call_{name}"}
        items = [
            {**message, "content": content},
            *([{**called, **_named(call[0]), "arguments": json.dumps(call[1])}] if call else []),
        ]
        usage = {"input_tokens": tokens, "output_tokens": 9, "total_tokens": tokens + 9}
        details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        events = [
            {"type": "response.created", "response": {"id": f"resp_{name}"}},
            {"type": "response.output_item.added", "output_index": 0, "item": {**message, "content": []}},
            *({"type": "response.output_item.done", "output_index": n, "item": item} for n, item in enumerate(items)),
            {"type": "response.completed", "response": {"id": f"resp_{name}", "usage": usage | details}},
        ]
        stream = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events)
        self.send(200, stream.encode(), "text/event-stream")


if __name__ == "__main__":
    serve(OpenAI)
