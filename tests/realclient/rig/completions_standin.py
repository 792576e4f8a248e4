"""A stand-in for the Chat Completions API, on loopback, which several clients speak. answering.py says what it can be ordered to do.

python -I completions_standin.py PORT LOG
"""

from __future__ import annotations

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -I leaves it out

from answering import Answering, serve

SUMMARY = "SUMMARY-OF-THE-STAND-IN: numbers were added up."
_ASKS_FOR_IT = (
    "produce the <state_snapshot> xml",
    "create a detailed summary",
    "anchored summary",
    "summary of the conversation",
    "conversation summary",
)
_SHELLS = ("bash", "Execute", "run_shell_command")
_ONE_MORE = re.compile(r"\[run ([^\]]*)\]")
_ALSO = {"Execute": {"riskLevelReason": "it was asked for", "riskLevel": "low"}}


def text_of(message: dict) -> str:
    """The words of a message, whichever way they are written down."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    return "\n".join(part.get("text") or "" for part in parts)


def told_by_tool(body: dict) -> str:
    """A tool's output may order one more command in its turn: `[run COMMAND]`."""
    last = (body.get("messages") or [{}])[-1]
    found = _ONE_MORE.search(text_of(last)) if last.get("role") == "tool" else None
    return f"{{run {found[1]}}}" if found else ""


def last_words(body: dict) -> str:
    """What the user said last, if nothing has answered since."""
    last = (body.get("messages") or [{}])[-1]
    return text_of(last) if last.get("role") == "user" else ""


class Completions(Answering):
    """Only requests that offer tools are turns."""

    def newest(self, body: dict) -> str:
        said = last_words(body) or told_by_tool(body)
        return said if body.get("tools") and not wants_summary(said) else ""

    def respond(self, body: dict, command: str, tokens: int) -> None:
        said = SUMMARY if wants_summary(last_words(body)) else f"Answer {self.number}."
        calls = [self._call(body, command)] if command else []
        usage = {"prompt_tokens": tokens, "completion_tokens": 9, "total_tokens": tokens + 9}
        about = {"id": f"chat_{self.number:06}", "created": 1, "model": body.get("model")}
        message = {"role": "assistant", "content": said, **({"tool_calls": calls} if calls else {})}
        why = "tool_calls" if calls else "stop"
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": why}
            return self.send(200, {**about, "object": "chat.completion", "choices": [choice], "usage": usage})
        pieces = [
            {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": why}]},
            {"choices": [], "usage": usage},
        ]
        lines = (json.dumps({**about, "object": "chat.completion.chunk", **piece}) for piece in pieces)
        stream = "".join(f"data: {line}\n\n" for line in (*lines, "[DONE]"))
        return self.send(200, stream.encode(), "text/event-stream")

    def _call(self, body: dict, command: str) -> dict:
        offered = [tool.get("function", {}).get("name") for tool in body.get("tools") or ()]
        name = next((each for each in offered if each in _SHELLS), "bash")
        given = {"command": command, "description": "what was asked for", **_ALSO.get(name, {})}
        function = {"name": name, "arguments": json.dumps(given)}
        return {"index": 0, "id": f"call_{self.number:06}", "type": "function", "function": function}


def wants_summary(said: str) -> bool:
    """Whether the client asks for a summary of it all: it may quote orders, which are not meant for us."""
    return any(words in said.lower() for words in _ASKS_FOR_IT)


if __name__ == "__main__":
    serve(Completions)
