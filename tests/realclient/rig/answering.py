"""What the stand-ins for the models share: a server on loopback that writes every request down, and the orders in a prompt.

Orders stand in braces in the newest prompt: `{run COMMAND}` calls the shell, `{call TOOL NAME=VALUE}` calls a tool of an MCP server, `{claim N}` says that the input had N tokens, `{wait SECONDS}`
answers late, `{fail STATUS}` answers with that HTTP status. What a hook hands back may quote old prompts; it is no order.
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

LONGEST_WAIT = 45.0
_ORDER = re.compile(r"\{(run|call|claim|wait|fail) ([^}]*)\}")
_NUMBERS = count(1)
_WRITING = Lock()


def filled(schema: dict) -> str:
    """The least that fits a flat schema: clients ask side questions, such as which model to take."""
    kinds = {name: str(about.get("type")).lower() for name, about in schema.get("properties", {}).items()}
    return json.dumps({name: 1 if kind in ("integer", "number") else "short" for name, kind in kinds.items()})


class Answering(BaseHTTPRequestHandler):
    """One request. What the model's API looks like comes from below."""

    protocol_version = "HTTP/1.1"
    number: int
    called: str
    """The tool of a server that was ordered, with its argument."""

    def newest(self, body: dict) -> str:
        """The newest prompt; nothing where a tool has answered since, or where it is no turn of the conversation."""
        raise NotImplementedError

    def respond(self, body: dict, command: str, tokens: int) -> None:
        """Answers with a call of the command, or with words."""
        raise NotImplementedError

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        body, self.number = json.loads(raw or b"{}"), next(_NUMBERS)
        self._write_down({"number": self.number, "path": self.path, "body": body})
        ordered = dict(_ORDER.findall(self.newest(body)))
        self.called = ordered.get("call", "")
        time.sleep(min(float(ordered.get("wait", 0)), LONGEST_WAIT))
        if "fail" in ordered:
            return self.send(
                int(ordered["fail"]), {"error": {"code": int(ordered["fail"]), "message": "ordered to fail"}}
            )
        return self.respond(body, ordered.get("run", ""), int(ordered.get("claim", len(raw) // 4)))

    def of_server(self, names: list[str]) -> tuple[str, dict] | None:
        """The ordered tool by the name that the client has for it, and its arguments."""
        tool, _, argument = self.called.partition(" ")
        name, _, value = argument.partition("=")
        found = next((each for each in names if tool and each.endswith(f"_{tool}")), None)
        return (found, {name: value}) if found else None

    def do_GET(self) -> None:
        self.send(200, {"data": []})

    def send(self, status: int, data: object, kind: str = "application/json") -> None:
        raw = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _write_down(self, request: dict) -> None:
        with _WRITING, open(sys.argv[2], "ab", buffering=0) as log:
            log.write(json.dumps(request).encode() + b"\n")

    def log_message(self, *_: object) -> None:
        """The log is ours."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that was killed does not wait for its answer."""


def serve(kind: type[Answering]) -> None:
    """Serves on the port and into the log that the command line names."""
    server = _Server(("127.0.0.1", int(sys.argv[1])), kind)
    os.close(os.open(sys.argv[2], os.O_CREAT | os.O_WRONLY, 0o600))  # it is there: we listen
    server.serve_forever()
