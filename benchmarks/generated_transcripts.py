"""Transcripts as Claude Code writes them, in any amount: what a line repeats and how long its parts are is as in real ones.

About a fifth of such a file is words that anybody said or that a tool printed; the rest is ids, usage, signatures, and a second and
third copy of what tools did. What makes a parser work is there as often as in a sample of fifty sessions: in a thousand bytes of it
stood 43 backslashes, 37 quotes, 14 commas, 4 braces and 12 bytes that are not ASCII.
"""

from __future__ import annotations

import itertools
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path  # noqa: TC003 - a benchmark is no hook
from typing import Any

_BEGINS = datetime(2026, 1, 5, 9, tzinfo=UTC)
_SYLLABLES = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "se",
    "ti",
    "vo",
    "xu",
    "za",
    "ent",
    "ion",
)
_SIGNS = (
    " = ",
    "(",
    ")",
    " -> ",
    ": ",
    ".",
    "_",
    "/",
    '["',
    '"]',
    '"',
    ", ",
    " + ",
    "\n    ",
    "\n\t",
    ",\n",
    "  # ",
) * 2
_SIGNS += (" {\n",)


class Writer:
    """Writes sessions; the same seed writes the same ones."""

    def __init__(self, seed: int = 1) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - no secrets here
        self.words = words = [
            "".join(parts) for parts in itertools.islice(itertools.product(_SYLLABLES, repeat=3), 5_000)
        ]
        weights = [1 / (rank + 10) for rank in range(len(words))]
        drawn = self.chance.choices(words, weights, k=200_000)
        self.prose = [" ".join(drawn[at : at + 12]).capitalize() + "." for at in range(0, 96_000, 12)]
        self.code = [
            "".join(word + self.chance.choice(_SIGNS) for word in drawn[at : at + 8])
            for at in range(96_000, 200_000, 8)
        ]

    def text(self, parts: int) -> str:
        """Words as people use them."""
        return " ".join(self.chance.choices(self.prose, k=parts))

    def source(self, parts: int) -> str:
        """Something like code."""
        return "\n".join(self.chance.choices(self.code, k=parts))

    def session(self, path: Path, size: int, number: int = 0) -> Path:
        """Write a session of about so many bytes."""
        written = 0
        session = Session(self, number)
        with path.open("wb") as file:
            while written < size:
                for line in session.turn():
                    written += file.write(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
        return path


class Session:
    """One session, turn by turn."""

    def __init__(self, writer: Writer, number: int) -> None:
        self.writer = writer
        self.chance = writer.chance
        self.id = f"{number:08x}-1111-4222-8333-444444444444"
        self.now = _BEGINS + timedelta(hours=7 * number)
        self.count = 0

    def turn(self) -> list[dict[str, Any]]:
        """A prompt, some tools, and an answer."""
        lines = [self._line("user", {"role": "user", "content": self.writer.text(self.chance.randint(1, 6))})]
        for _ in range(self.chance.randint(2, 14)):
            lines += self._step()
        return [*lines, self._said({"type": "text", "text": self.writer.text(self.chance.randint(2, 20))})]

    def _step(self) -> list[dict[str, Any]]:
        thought = {"type": "thinking", "thinking": self.writer.text(4), "signature": self.chance.randbytes(300).hex()}
        ident = f"toolu_{self.id[:8]}_{self.count}"
        kind = self.chance.choice((self._read, self._edit, self._run, self._run))
        tool, arguments, says, copy = kind()
        call = self._said({"type": "tool_use", "id": ident, "name": tool, "input": arguments})
        block = {"tool_use_id": ident, "type": "tool_result", "content": says}
        result = self._line("user", {"role": "user", "content": [block]}) | {"toolUseResult": copy}
        progress = {"type": "progress", "data": self._progress(), **self._line("progress", None)}
        # As often as in a sample of fifty sessions: a sixth of its bytes are such lines, and half of its steps have a thought.
        told = [progress] if self.chance.random() < 0.75 else []
        return [*([self._said(thought)] if self.chance.random() < 0.5 else []), call, *told, result]

    def _progress(self) -> dict[str, Any]:
        """What a subagent does, told once more: a whole message of its own."""
        block = {"type": "tool_result", "tool_use_id": f"toolu_{self.count}", "content": self.writer.source(26)}
        message = self._line("user", {"role": "user", "content": [block]})
        return {"type": "agent_progress", "message": message, "normalizedMessages": [], "agentId": "a1b2c3"}

    def _read(self) -> tuple[str, dict[str, Any], str, dict[str, Any]]:
        path, text = self._file(), self.writer.source(self.chance.randint(10, 130))
        numbered = "\n".join(f"{number:6d}→{line}" for number, line in enumerate(text.split("\n"), 1))
        return "Read", {"file_path": path}, numbered, {"type": "text", "file": {"filePath": path, "content": text}}

    def _edit(self) -> tuple[str, dict[str, Any], str, dict[str, Any]]:
        path, old, new = self._file(), self.writer.source(4), self.writer.source(8)
        original = self.writer.source(250)
        copy = {
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": original,
            "structuredPatch": [{"oldStart": 1, "oldLines": 4, "newStart": 1, "newLines": 8, "lines": new.split("\n")}],
        }
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        return "Edit", arguments, f"The file {path} has been updated.\n{new}", copy

    def _run(self) -> tuple[str, dict[str, Any], str, dict[str, Any]]:
        said = self.writer.source(self.chance.choice((1, 3, 10, 60)))
        command = f"make {self.writer.text(1).split()[0].lower()} && git status"
        return "Bash", {"command": command, "description": "Runs it"}, said, {"stdout": said, "stderr": ""}

    def _file(self) -> str:
        return f"/srv/work/src/{self.chance.choice(self.writer.code).split('(')[0][:12].strip()}_{self.count % 40}.py"

    def _said(self, block: dict[str, Any]) -> dict[str, Any]:
        usage = {
            "input_tokens": 5,
            "cache_creation_input_tokens": 1_200,
            "cache_read_input_tokens": 90_000,
            "cache_creation": {"ephemeral_5m_input_tokens": 1_200, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 300,
            "service_tier": "standard",
        }
        message = {"id": f"msg_{self.count}", "type": "message", "role": "assistant", "model": "m", "content": [block]}
        ends = {"stop_reason": None, "stop_sequence": None, "usage": usage}
        return self._line("assistant", message | ends) | {"requestId": f"req_{self.count}"}

    def _line(self, kind: str, message: dict[str, Any] | None) -> dict[str, Any]:
        self.count += 1
        self.now += timedelta(seconds=self.chance.randint(1, 30))
        return {
            "parentUuid": self._uuid(self.count - 1),
            "isSidechain": False,
            "userType": "external",
            "cwd": "/srv/work",
            "sessionId": self.id,
            "version": "2.1.0",
            "gitBranch": "main",
            "type": kind,
            **({"message": message} if message else {}),
            "uuid": self._uuid(self.count),
            "timestamp": self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }

    def _uuid(self, number: int) -> str:
        return f"{number:08x}-aaaa-4bbb-8ccc-{self.id[:8]:0>12}"
