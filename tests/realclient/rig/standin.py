"""A stand-in for the Messages API, on loopback: it answers what the prompt orders, and writes every request down.

    python -I standin.py PORT LOG

Orders stand in braces in the newest prompt: `{run COMMAND}` calls the shell, `{write PATH}` writes a file, `{background COMMAND}` has it run beside the
session, `{ask WORDS}` asks the user a question, `{delegate WORDS}` starts a subagent, `{call TOOL NAME=VALUE}` calls a tool of an MCP server, `{say WORDS}` says just that,
`{claim N}` says that the input had N tokens (985000 makes the client compact), `{wait SECONDS}` answers late,
`{steps [read PATH] [write PATH=>TEXT] [edit PATH=>OLD=>NEW] [run COMMAND] [delegate WORDS]}` calls one tool after the other in one turn (a subagent's own orders
stand in angle brackets), `{fail STATUS}` answers with that HTTP status, `{full N}` that N tokens are too many, until there is a summary. What a hook hands back may quote old prompts; it is no order.
`{summary fail STATUS}` and `{summary wait SECONDS}`, anywhere in the conversation, are orders for when the client asks for a summary of it;
`{summary then ORDER}` puts an order (or several, in square brackets) into the first summary, for the request that goes on from there.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Lock

_MARK = "SUMMARY-OF-THE-STAND-IN"
SUMMARY = f"<analysis>All of it.</analysis>\n<summary>\n{_MARK}: numbers were added up.\n</summary>"
LONGEST_WAIT = 45.0
_ORDER = re.compile(r"\{(run|write|background|call|say|ask|delegate|claim|wait|fail|full) ([^}]*)\}")
_STEPS = re.compile(r"\{steps ([^}]*)\}")
_STEP = re.compile(r"\[(run|write|edit|read|delegate) ([^\]]*)\]")
_OF_SUMMARY = re.compile(r"\{summary (wait|fail|then) ([^}]*)\}")
_FROM_HOOKS = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_NUMBERS = count(1)
_WRITING = Lock()


def _inner(words: str) -> str:
    """The orders within an order: they stand in square brackets."""
    return words.replace("[", "{").replace("]", "}")


def newest(body: dict) -> list[dict]:
    """The blocks of the newest message from the user's side."""
    said = [message.get("content") for message in body.get("messages", []) if message.get("role") == "user"]
    content = said[-1] if said else []
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def wants_summary(blocks: list[dict]) -> bool:
    """Whether the client asks for a summary of it all: it may quote orders, which are not meant for us."""
    return bool(blocks) and all(tag in blocks[-1].get("text", "") for tag in ("<analysis>", "<summary>"))


def summary_orders(body: dict) -> dict[str, str]:
    """What was ordered for a summary."""
    return dict(_OF_SUMMARY.findall(json.dumps(body.get("messages", []), ensure_ascii=False)))


def orders(blocks: list[dict]) -> dict[str, str]:
    """What the prompt orders. A prompt that got no answer stands before it in the same message: the last words count."""
    said = [_FROM_HOOKS.sub("", block["text"]).strip() for block in blocks if block.get("type") == "text"]
    return dict(_ORDER.findall(next((text for text in reversed(said) if text), "")))


def answer(body: dict, ordered: dict[str, str], number: int) -> list[dict]:
    """The blocks of the reply."""
    blocks = newest(body)
    if wants_summary(blocks):
        return [{"type": "text", "text": SUMMARY + _goes_on(body, ordered.get("then", ""))}]
    tools = {tool.get("name") for tool in body.get("tools") or ()}
    is_answered = any(block.get("type") == "tool_result" for block in blocks)
    call = _call(step(body) or ({} if is_answered else ordered), tools)
    said = {"type": "text", "text": ordered.get("say") or f"Answer {number}."}
    return [said, {"type": "tool_use", "id": f"toolu_{number:06}", **call}] if call else [said]


def step(body: dict) -> dict[str, str]:
    """The next of the steps that the newest prompt orders: as many are done as tools have answered since."""
    done = 0
    for message in reversed([one for one in body.get("messages", []) if one.get("role") == "user"]):
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        done += sum(block.get("type") == "tool_result" for block in blocks)
        said = [_FROM_HOOKS.sub("", block["text"]).strip() for block in blocks if block.get("type") == "text"]
        if text := next((text for text in reversed(said) if text), ""):
            found = [order for steps in _STEPS.findall(text) for order in _STEP.findall(steps)]
            return dict(found[done : done + 1])
    return {}


def _goes_on(body: dict, then: str) -> str:
    """What the first summary orders; a later one has the first before it, and orders nothing."""
    if not then or _MARK in json.dumps(body.get("messages", [])):
        return ""
    return f"\n{_inner(then)}" if "[" in then else f"\n{{{then}}}"


def _call(ordered: dict[str, str], tools: set[str]) -> dict | None:
    if "run" in ordered and "Bash" in tools:
        return {"name": "Bash", "input": {"command": ordered["run"], "description": "what was asked for"}}
    if "write" in ordered and "Write" in tools:
        path, _, text = ordered["write"].partition("=>")
        return {"name": "Write", "input": {"file_path": path, "content": text.replace("|", "\n") or "written\n"}}
    if "read" in ordered and "Read" in tools:
        return {"name": "Read", "input": {"file_path": ordered["read"]}}
    if "edit" in ordered and "Edit" in tools:
        path, old, new = (text.replace("|", "\n") for text in ordered["edit"].split("=>"))
        return {"name": "Edit", "input": {"file_path": path, "old_string": old, "new_string": new}}
    if "background" in ordered and "Bash" in tools:
        beside = {"command": ordered["background"], "description": "what runs beside it", "run_in_background": True}
        return {"name": "Bash", "input": beside}
    if "ask" in ordered and "AskUserQuestion" in tools:
        either = [{"label": label, "description": f"{label}, please"} for label in ("This", "That")]
        asked = {"question": ordered["ask"], "header": "Which", "options": either, "multiSelect": False}
        return {"name": "AskUserQuestion", "input": {"questions": [asked]}}
    if "call" in ordered and (found := _of_server(ordered["call"], tools)):
        return found
    delegate = next((name for name in ("Agent", "Task") if name in tools), None)
    if "delegate" in ordered and delegate:
        task = {
            "description": "a small task",
            "prompt": _inner(ordered["delegate"].replace("<", "[").replace(">", "]")),
            "subagent_type": "general-purpose",
        }
        return {"name": delegate, "input": task}
    return None


def _of_server(order: str, tools: set[str]) -> dict | None:
    """The call of a tool that an MCP server offers: the client puts the server's name before the tool's."""
    tool, _, argument = order.partition(" ")
    name, _, value = argument.partition("=")
    found = next((each for each in sorted(filter(None, tools)) if each.endswith(f"__{tool}")), None)
    return {"name": found, "input": {name: value}} if found else None


def events(message: dict, blocks: list[dict]) -> list[dict]:
    """The reply as the client wants it: piece by piece."""
    found = [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}]
    for index, block in enumerate(blocks):
        empty, piece = _PIECES[block["type"]](block)
        found += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": piece},
            {"type": "content_block_stop", "index": index},
        ]
    last = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [*found, {"type": "message_delta", "delta": last, "usage": message["usage"]}, {"type": "message_stop"}]


_PIECES = {
    "text": lambda block: ({"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}),
    "tool_use": lambda block: (
        {**block, "input": {}},
        {"type": "input_json_delta", "partial_json": json.dumps(block["input"])},
    ),
}


class Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        body, number = json.loads(raw or b"{}"), next(_NUMBERS)
        self._write_down({"number": number, "path": self.path, "body": body})
        if not self.path.partition("?")[0].endswith("/messages"):
            return self._send(200, json.dumps({"input_tokens": len(raw) // 4}).encode())
        ordered = summary_orders(body) if wants_summary(newest(body)) else orders(newest(body))
        time.sleep(min(float(ordered.get("wait", 0)), LONGEST_WAIT))
        if "full" in ordered and _MARK not in raw.decode():
            return self._refuse(400, f"prompt is too long: {ordered['full']} tokens > 200000 maximum")
        if "fail" in ordered:
            return self._refuse(int(ordered["fail"]), "ordered to fail")
        return self._reply(body, answer(body, ordered, number), int(ordered.get("claim", len(raw) // 4)), number)

    def _refuse(self, status: int, message: str) -> None:
        error = {"type": "error", "error": {"type": "invalid_request_error", "message": message}}
        self._send(status, json.dumps(error).encode())

    def do_GET(self) -> None:
        self._send(200, b'{"data": []}')

    def do_HEAD(self) -> None:
        self._send(200, b"")

    def _reply(self, body: dict, blocks: list[dict], tokens: int, number: int) -> None:
        message = {
            "id": f"msg_{number:06}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model"),
            "content": blocks,
            "stop_reason": "tool_use" if blocks[-1]["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": tokens, "output_tokens": 9},
        }
        if not body.get("stream"):
            return self._send(200, json.dumps(message).encode())
        stream = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in events(message, blocks))
        return self._send(200, stream.encode(), "text/event-stream")

    def _send(self, status: int, data: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _write_down(self, request: dict) -> None:
        with _WRITING, open(LOG, "ab", buffering=0) as log:
            log.write(json.dumps(request).encode() + b"\n")

    def log_message(self, *_: object) -> None:
        """The log is ours."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that was killed does not wait for its answer."""


if __name__ == "__main__":
    PORT, LOG = int(sys.argv[1]), sys.argv[2]
    server = Server(("127.0.0.1", PORT), Answering)
    os.close(os.open(LOG, os.O_CREAT | os.O_WRONLY, 0o600))  # it is there: we listen
    server.serve_forever()
