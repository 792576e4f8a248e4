"""A stand-in for the Gemini API, on loopback. answering.py says what it can be ordered to do; {claim 600000} makes Gemini compress.

python -I gemini_standin.py PORT LOG
"""

from __future__ import annotations

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # -I leaves it out

from answering import Answering, filled, serve

SUMMARY = (
    "<state_snapshot><overall_goal>SUMMARY-OF-THE-STAND-IN: numbers were added up.</overall_goal></state_snapshot>"
)
_FROM_HOOKS = re.compile(r"<(hook_context|session_context)>.*?</\1>", re.DOTALL)


def last_words(body: dict) -> str:
    """What the user said last, if no tool has answered since."""
    parts = (body.get("contents") or [{}])[-1].get("parts", [])
    answered = any("functionResponse" in part for part in parts)
    return "" if answered else "\n".join(part.get("text", "") for part in parts)


def _names(body: dict) -> list[str]:
    """The tools that a request offers."""
    return [tool["name"] for each in body.get("tools") or () for tool in each.get("functionDeclarations") or ()]


class Gemini(Answering):
    """Only requests that offer tools are turns."""

    def newest(self, body: dict) -> str:
        return _FROM_HOOKS.sub("", last_words(body)) if body.get("tools") else ""

    def respond(self, body: dict, command: str, tokens: int) -> None:
        if "countTokens" in self.path:
            return self.send(200, {"totalTokens": tokens})
        config = body.get("generationConfig") or {}
        schema = config.get("responseSchema") or config.get("responseJsonSchema")
        summing_up = "<state_snapshot>" in last_words(body) and not body.get("tools")
        said = filled(schema) if schema else f"Answer {self.number}."
        ran = ("run_shell_command", {"command": command, "description": "what was asked for"}) if command else None
        return self._say(SUMMARY if summing_up else said, ran or self.of_server(_names(body)), tokens)

    def _say(self, text: str, call: tuple[str, dict] | None, tokens: int) -> None:
        parts = [{"text": text}, *([{"functionCall": {"name": call[0], "args": call[1]}}] if call else [])]
        usage = {"promptTokenCount": tokens, "candidatesTokenCount": 9, "totalTokenCount": tokens + 9}
        reply = {
            "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": usage,
            "modelVersion": "standin",
            "responseId": f"r{self.number}",
        }
        if "streamGenerateContent" not in self.path:
            return self.send(200, reply)
        return self.send(200, f"data: {json.dumps(reply)}\r\n\r\n".encode(), "text/event-stream")


if __name__ == "__main__":
    serve(Gemini)
