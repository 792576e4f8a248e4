"""An agent's end of the pipes to `tapehead mcp`."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys

TAPEHEAD = os.path.join(os.path.dirname(sys.executable), "tapehead")
FIRST = "11111111-2222-4333-8444-555555555555"
SECOND = "22222222-2222-4333-8444-555555555555"
KEY = "AKIAIOSFODNN7EXAMPLQ"


class Client:
    """An agent's end of the pipes."""

    def __init__(self, cwd, env):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([TAPEHEAD, "mcp"], cwd=cwd, env=env, stdin=pipe, stdout=pipe, stderr=pipe)
        self.number = 0

    def send(self, *lines):
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        """One request, and the answer to it."""
        self.number += 1
        asked = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.send(json.dumps(asked).encode())
        answer = self.read()
        assert answer["id"] == self.number
        return answer

    def call(self, tool, **arguments):
        """A tool's text, and whether it is an error."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        [content] = result["content"]
        return content["text"], result["isError"]

    def tools(self):
        """The tools that it offers."""
        return self.ask("tools/list")["result"]["tools"]

    def close(self):
        """The client goes; the server's exit code and what it said on stderr."""
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(20)
        said = self.process.stderr.read() if not self.process.stderr.closed else b""
        self.process.stdout.close()
        self.process.stderr.close()
        return code, said


def fingerprints(root):
    """Every file below a directory, by what it holds."""
    found = {}
    for folder, _, names in os.walk(root):
        for path in (os.path.join(folder, name) for name in names):
            with open(path, "rb") as file:
                found[os.path.relpath(path, root)] = hashlib.sha256(file.read()).hexdigest()
    return found
