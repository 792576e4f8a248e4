"""Writes transcripts as Claude Code does, from a script of who said and did what: for the docs, the tests and the benchmark."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from tapehead.cli.demo_transcript import Transcript

BEGINS = datetime(2027, 1, 15, 9, 0, tzinfo=UTC)


class Script(Transcript):
    """A made-up session of a project called tidewatch."""

    def __init__(self, session: str = "3f0c5a52-7d1e-4b8e-9a43-5b1f6e0d2c77", cwd: str = "/srv/tidewatch") -> None:
        super().__init__(session, cwd, BEGINS, "export-quoting")

    def read(self, path: str, text: str) -> Self:
        """The agent reads a file."""
        numbered = "\n".join(f"{n:6d}\t{line}" for n, line in enumerate(text.splitlines(), 1))
        return self.call("Read", numbered, file_path=f"{self.cwd}/{path}")

    def hook_said(self, text: str) -> Self:
        """The agent records what a hook gave to the model."""
        about = {"type": "hook_additional_context", "hookEvent": "SessionStart", "content": [text]}
        return self._line("attachment", None, attachment=about)

    def write(self, path: Path | str) -> str:
        """Puts it into a file; says which."""
        Path(path).write_text(self.text(), encoding="utf-8")
        return str(path)
