"""Writes transcripts as Claude Code does, from a script of who said and did what: for the docs, the tests and the benchmark."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BEGINS = datetime(2027, 1, 15, 9, 0, tzinfo=UTC)
STEP = timedelta(seconds=20)


class Script:
    """A session that is being told; every word adds the lines that the host would write for it."""

    def __init__(self, session: str = "3f0c5a52-7d1e-4b8e-9a43-5b1f6e0d2c77", cwd: str = "/srv/tidewatch") -> None:
        self.session = session
        self.cwd = cwd
        self.lines: list[str] = []
        self.tools = 0

    def human(self, text: str) -> Script:
        """The person types something."""
        return self._line("user", {"role": "user", "content": text})

    def agent(self, text: str) -> Script:
        """The agent says something."""
        return self._answer({"type": "text", "text": text})

    def call(self, tool: str, says: str = "", *, failed: bool = False, **arguments: Any) -> Script:
        """The agent uses a tool, and the tool says something."""
        self.tools += 1
        ident = f"toolu_{self.tools:04d}"
        self._answer({"type": "tool_use", "id": ident, "name": tool, "input": arguments})
        result = {
            "type": "tool_result",
            "tool_use_id": ident,
            "content": says,
            **({"is_error": True} if failed else {}),
        }
        return self._line("user", {"role": "user", "content": [result]})

    def run(self, command: str, says: str = "", *, failed: bool = False) -> Script:
        """The agent runs a command."""
        return self.call("Bash", says, failed=failed, command=command)

    def edit(self, path: str, old: str, new: str) -> Script:
        """The agent changes a file."""
        done = f"The file {self.cwd}/{path} has been updated."
        return self.call("Edit", done, file_path=f"{self.cwd}/{path}", old_string=old, new_string=new)

    def read(self, path: str, text: str) -> Script:
        """The agent reads a file."""
        numbered = "\n".join(f"{n:6d}\t{line}" for n, line in enumerate(text.splitlines(), 1))
        return self.call("Read", numbered, file_path=f"{self.cwd}/{path}")

    def todos(self, **items: str) -> Script:
        """The agent sets its list: `done`, `doing` and `left`, each a list of items parted by `; `."""
        word = {"done": "completed", "doing": "in_progress", "left": "pending"}
        listed = [
            {"content": item, "status": word[status], "activeForm": item}
            for status, texts in items.items()
            for item in texts.split("; ")
        ]
        return self.call("TodoWrite", "Todos have been modified successfully.", todos=listed)

    def compacts(self, summary: str, *, trigger: str = "auto", boundary: bool = True) -> Script:
        """The host drops the conversation for a summary. Old versions wrote no boundary."""
        if boundary:
            about = {"trigger": trigger, "preTokens": 168_000}
            self._line(
                "system", None, subtype="compact_boundary", compactMetadata=about, content="Conversation compacted"
            )
        return self._line("user", {"role": "user", "content": summary}, isCompactSummary=True)

    def hook_said(self, text: str) -> Script:
        """The host records what a hook gave to the model."""
        about = {"type": "hook_additional_context", "hookEvent": "SessionStart", "content": [text]}
        return self._line("attachment", None, attachment=about)

    def text(self) -> str:
        """The whole file."""
        return "".join(f"{line}\n" for line in self.lines)

    def write(self, path: Path | str) -> str:
        """Puts it into a file; says which."""
        Path(path).write_text(self.text(), encoding="utf-8")
        return str(path)

    def _answer(self, block: dict[str, Any]) -> Script:
        message = {"id": f"msg_{len(self.lines):05d}", "role": "assistant", "model": "a-model", "content": [block]}
        return self._line("assistant", message)

    def _line(self, kind: str, message: dict[str, Any] | None, **more: Any) -> Script:
        entry = {
            "type": kind,
            "sessionId": self.session,
            "cwd": self.cwd,
            "gitBranch": "export-quoting",
            "isSidechain": False,
            "uuid": f"{self.session[:8]}-{len(self.lines):06d}",
            "timestamp": f"{BEGINS + len(self.lines) * STEP:%Y-%m-%dT%H:%M:%S.000Z}",
            **({"message": message} if message else {}),
            **more,
        }
        self.lines.append(json.dumps(entry, separators=(",", ":")))
        return self
