"""Records with lines that no agent ever wrote: values of other types, deep nests, half characters, keys twice, torn lines."""

from __future__ import annotations

import copy
import json
import re

import chats
import rollouts
from recordings import RECORDS

from record import Record

EARLY, LATE = b"open the door", b"close the window"
DEEP = 300
STRANGE = (
    None, True, False, 0, -1, 1.5, 10**400, "", "x", "\ud800", "\x00\x1b[31m", "a" * 5_000, [], {}, [[]], [None], [{}], {"": {}},
    ["text"], {"type": []}, [{"type": ["text"], "text": "x"}], {"type": "text", "text": 7}, "2026-99-99T99:99:99Z", "../../x",
)  # fmt: skip
RAW = (
    b"",
    b"null",
    b"[]",
    b"7",
    b'"x"',
    b"{",
    b"}",
    b"\xff\xfe",
    b"\0\0",
    b'{"type":',
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"NaN",
)


def _claude():
    """Every kind of line that Claude Code writes."""
    record = Record()
    record.prompt("open the door")
    record.said({"type": "thinking", "thinking": "A door."}, {"type": "text", "text": "Looking."})
    tools = (
        ("Bash", {"command": "make test", "description": "run", "run_in_background": True}),
        ("Edit", {"file_path": "/srv/boat/door.py", "old_string": "shut = 1", "new_string": "shut = 0"}),
        ("MultiEdit", {"file_path": "a.py", "edits": [{"old_string": "a", "new_string": "b"}]}),
        ("Write", {"file_path": "b.py", "content": "door = open\n"}),
        ("Read", {"file_path": "c.py"}),
        ("Grep", {"pattern": "door", "path": "src"}),
        ("TodoWrite", {"todos": [{"content": "oil the hinge", "status": "pending"}]}),
        ("TaskCreate", {"subject": "oil", "description": "the hinge"}),
        ("TaskUpdate", {"taskId": "1", "status": "completed"}),
        ("Task", {"description": "look", "prompt": "look at the door", "subagent_type": "x"}),
        ("ExitPlanMode", {"plan": "1. open it"}),
        ("AskUserQuestion", {"questions": [{"question": "which door?", "options": [{"label": "left"}]}]}),
        ("mcp__x__y", {"a": 1, "b": ["c"], "d": {"e": "f"}}),
    )
    for number, (name, given) in enumerate(tools):
        ident = f"toolu_{number}"
        usage = {"input_tokens": 5, "output_tokens": 7, "cache_read_input_tokens": 9, "cache_creation_input_tokens": 1}
        message = {"id": f"m{number}", "role": "assistant", "model": "model-1", "usage": usage}
        record.line(
            "assistant",
            message={**message, "content": [{"type": "tool_use", "id": ident, "name": name, "input": given}]},
        )
        result = {
            "type": "tool_result",
            "tool_use_id": ident,
            "content": [{"type": "text", "text": "1 failed"}],
            "is_error": bool(number % 2),
        }
        about = {
            "originalFile": "shut = 1\n",
            "oldString": "shut = 1",
            "backgroundTaskId": "b1",
            "agentId": "a1",
            "isAsync": True,
            "task": {"status": "completed", "task_id": "b1"},
        }
        record.user([result], toolUseResult=about)
    record.user([{"type": "text", "text": "look"}, {"type": "image", "source": {}}])
    record.line("queue-operation", operation="enqueue", content="and the window")
    record.line("attachment", attachment={"type": "queued_command", "prompt": "and the window"})
    record.line("attachment", attachment={"type": "hook_additional_context", "content": ["tapehead: so far"]})
    record.line(
        "system", subtype="compact_boundary", content="compacted", compactMetadata={"trigger": "auto", "preTokens": 99}
    )
    record.user("This session is being continued from a previous conversation.\nA door.", isCompactSummary=True)
    record.prompt(
        "<task-notification><task-id>b1</task-id><status>failed</status><summary>x</summary></task-notification>"
    )
    record.prompt("<command-name>/fix</command-name><command-args>it</command-args>")
    record.line("user", isSidechain=True, agentId="a1", message={"role": "user", "content": "look at the door"})
    record.line("summary", summary="A door")
    record.prompt("never use tabs, always use spaces. Go on.")
    record.reply("It is shut. I decided to use a hinge because doors need one.")
    return [json.loads(line) for line in record.lines]


LINES = {
    **{host: lines for host, (_, lines, _) in RECORDS.items()},
    "claude": _claude(),
    "codex": [*rollouts.paginated(), *rollouts.legacy()],
    "gemini": [*chats.lines(), chats.document()],
}
"""What is mutated, for each agent: lines of every kind that is known of it."""


class Mutator:
    """Draws mutations of an agent's lines, the same ones for the same seed."""

    def __init__(self, lines, random):
        self.lines, self.random = lines, random

    def line(self):
        """One line with something wrong in it."""
        how = self.random.choice(
            (
                self._replaced,
                self._replaced,
                self._replaced,
                self._shuffled,
                self._moved,
                self._twice,
                self._torn,
                self._raw,
                self._nested,
                self._bytes,
            )
        )
        return how(copy.deepcopy(self.random.choice(self.lines))).replace(b"\n", b" ")

    def record(self, count):
        """A file of mutated lines among good ones; it begins with a good one, and after all of them LATE is asked."""
        good = [_encoded(line) for line in self.lines]
        mixed = [self.line() for _ in range(count)] + good
        self.random.shuffle(mixed)
        asked = [re.sub(rb'"(id|uuid)":"', rb'"\1":"late-', line) for line in good if EARLY in line]
        return b"\n".join((good[0], *mixed, *(line.replace(EARLY, LATE) for line in asked), b""))

    def _slots(self, value):
        """Where a value can be replaced: (container, key)."""
        found, open_ = [], [value]
        while open_:
            one = open_.pop()
            for key in list(one) if isinstance(one, dict) else range(len(one)):
                found.append((one, key))
                if isinstance(one[key], dict | list):
                    open_.append(one[key])
        return found

    def _replaced(self, line):
        for _ in range(self.random.choice((1, 1, 2, 5))):
            if slots := self._slots(line):
                where, key = self.random.choice(slots)
                where[key] = copy.deepcopy(self.random.choice(STRANGE))
        return _encoded(line)

    def _shuffled(self, line):
        """Values change places."""
        slots = self._slots(line)
        (a, x), (b, y) = self.random.choice(slots), self.random.choice(slots)
        a[x], b[y] = copy.deepcopy(b[y]), copy.deepcopy(a[x])
        return _encoded(line)

    def _moved(self, line):
        """A part of another line, put anywhere."""
        other = self.random.choice(self.lines)
        where, key = self.random.choice(self._slots(line))
        at, name = self.random.choice(self._slots(other))
        where[key] = copy.deepcopy(at[name])
        return _encoded(line)

    def _nested(self, line):
        where, key = self.random.choice(self._slots(line))
        where[key] = "NEST"
        depth = self.random.choice((50, DEEP, 990, 5_000))
        opening, closing = self.random.choice(((b"[", b"]"), (b'{"a":', b"}"), (b'[{"content":', b"}]")))
        return _encoded(line).replace(b'"NEST"', opening * depth + b'"x"' + closing * depth)

    def _twice(self, line):
        key = self.random.choice([*line])
        again = json.dumps({key: self.random.choice(STRANGE)}).encode()[1:-1]
        return _encoded(line)[:-1] + b"," + b",".join([again] * self.random.choice((1, 300))) + b"}"

    def _torn(self, line):
        raw = _encoded(line)
        return raw[: self.random.randrange(len(raw))]

    def _raw(self, line):
        return self.random.choice(RAW)

    def _bytes(self, line):
        raw = bytearray(_encoded(line))
        for _ in range(self.random.choice((1, 3, 20))):
            raw[self.random.randrange(len(raw))] = self.random.randrange(256)
        return bytes(raw)


def _encoded(line):
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
