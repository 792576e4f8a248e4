"""An agent's record as Claude Code writes it, line by line: every line with its id, its time and its place."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

SESSION = "11111111-2222-4333-8444-555555555555"
BEGINS = datetime(2027, 1, 15, 8, 0, tzinfo=UTC)


class Record:
    """Grows by a line for whatever happens; time goes on by a second with each."""

    def __init__(self, session=SESSION, *, begins=BEGINS, step=1.0, cwd="/srv/boat"):
        self.session = session
        self.now = begins
        self.step = timedelta(seconds=step)
        self.cwd = cwd
        self.lines = []
        self.calls = 0

    @property
    def time(self):
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"

    def line(self, kind, **fields):
        """Any line."""
        entry = {
            "uuid": f"{len(self.lines):08d}-0000-4000-8000-{self.session[:8]:0>12}",
            "timestamp": self.time,
            "sessionId": self.session,
            "cwd": self.cwd,
            "gitBranch": "main",
            "version": "2.1.0",
            "type": kind,
            **fields,
        }
        self.now += self.step
        return self.raw(
            json.dumps({key: value for key, value in entry.items() if value is not None}, separators=(",", ":"))
        )

    def raw(self, line):
        self.lines.append(line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass"))
        return self

    def user(self, content, **fields):
        return self.line("user", message={"role": "user", "content": content}, **fields)

    def prompt(self, text, **fields):
        return self.user(text, **fields)

    def said(self, *blocks, **fields):
        message = {"id": f"msg_{len(self.lines)}", "role": "assistant", "model": "model-1", "content": list(blocks)}
        return self.line("assistant", message=message, **fields)

    def reply(self, text, **fields):
        return self.said({"type": "text", "text": text}, **fields)

    def thinks(self, text, **fields):
        return self.said({"type": "thinking", "thinking": text}, **fields)

    def call(self, tool="Bash", says=None, *, failed=False, side=None, **arguments):
        """A tool is used, and says something unless `says` is None."""
        self.calls += 1
        ident = f"toolu_{self.session[:4]}_{self.calls}"
        side = side or {}
        self.said({"type": "tool_use", "id": ident, "name": tool, "input": arguments}, **side)
        return self if says is None else self.result(says, ident, failed=failed, **side)

    def result(self, says, ident=None, *, failed=False, **fields):
        ident = ident or f"toolu_{self.session[:4]}_{self.calls}"
        block = {"type": "tool_result", "tool_use_id": ident, "content": says, "is_error": failed}
        return self.user([block], **fields)

    def queue(self, words, operation="enqueue"):
        return self.line("queue-operation", operation=operation, content=words, uuid=None, cwd=None)

    def compacted(self, summary, trigger="auto", tokens=160_000):
        self.line(
            "system",
            subtype="compact_boundary",
            content="Conversation compacted",
            compactMetadata={"trigger": trigger, "preTokens": tokens},
        )
        return self.user(summary, isCompactSummary=True)

    def turn(self, asked, *answers):
        """A prompt, and replies to it."""
        self.prompt(asked)
        for answer in answers:
            self.reply(answer)
        return self

    def bytes(self):
        return b"".join(line + b"\n" for line in self.lines)

    def write(self, directory, name=None):
        """The file, named after its session as the agent names it."""
        path = directory / (name or f"{self.session}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.bytes())
        return str(path)


class Linked(Record):
    """Lines that hang on each other, as the client links them; a prompt may hang on an earlier one."""

    def __init__(self, *what, **where):
        super().__init__(*what, **where)
        self.last = None
        self.before = {}

    def line(self, kind, **fields):
        fields = {"parentUuid": self.last, "isSidechain": False, **fields}
        super().line(kind, **{key: value for key, value in fields.items() if value is not None})
        entry = json.loads(self.lines.pop())
        entry.setdefault("parentUuid", None)
        self.last = entry["uuid"]
        return self.raw(json.dumps({"parentUuid": entry.pop("parentUuid"), **entry}, separators=(",", ":")))

    def ask(self, text, *, instead_of=None):
        """A prompt; in place of an earlier one where the user went back to before it."""
        self.last = self.before[instead_of] if instead_of else self.last
        self.before[text] = self.last
        return self.prompt(text, origin={"kind": "human"})

    def answer(self, text):
        """A reply, and the lines that the client puts behind it."""
        return self.reply(text).line("system", subtype="turn_duration")
