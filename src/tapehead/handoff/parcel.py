"""What goes along when a session's work is handed to another machine: all that its brief is made of, and what is remembered.

Nothing leaves unmasked. Where the work went on from other sessions, they come too: their rules still hold.
"""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING, Any

from tapehead.actions.transcript_part import Masked, safe, slice_of
from tapehead.brief import capture_file as descriptions
from tapehead.brief.brief import brief
from tapehead.store import atomic
from tapehead.store.sessions import StateStore, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    from tapehead.actions.brief_keeper import BriefKeeper
    from tapehead.store.paths import Layout
    from tapehead.store.state import State

GENERATIONS = 4
"""Sessions before this one that come along."""
_TRANSCRIPT = 24 * 1024 * 1024
"""Bytes of a transcript: as many as a brief is made from."""
_OF_A_PROCESS = ("pid", "terminal")
"""What a line says of a process that is not there on another machine. When it started stays: it tells two of them apart."""


class Pack:
    """One handoff's files, by their names; and how much was redacted in them."""

    def __init__(self, layout: Layout, briefs: BriefKeeper) -> None:
        self.layout = layout
        self.briefs = briefs
        self.masked = Masked()

    def of(self, state: State) -> dict[str, bytes]:
        """All that goes along with a session."""
        text = brief(
            self.briefs.accounts.of(state),
            budget=self.briefs.settings.number("restore.budget"),
            source="compact",
            **self.briefs.given(state, state),
        )
        files = {"brief.md": self._text(text)}
        for one in self._line(state):
            files |= {f"sessions/{one.session_id}/{name}": content for name, content in self._session(one).items()}
        return {name: content for name, content in files.items() if content}

    def _line(self, state: State) -> list[State]:
        """The session, and those that it goes on from."""
        found = [state]
        while found[-1].predecessor and len(found) <= GENERATIONS:
            try:
                before = StateStore(self.layout).load(found[-1].predecessor)
            except Unreadable:
                break
            if before is None or before in found:
                break
            found.append(before)
        return found

    def _session(self, state: State) -> dict[str, bytes]:
        lines = StateStore(self.layout).lines(state.session_id)[0]
        return {
            "tape.gz": gzip.compress(b"".join(self._line_of_tape(line) for line in lines), mtime=0),
            "transcript.gz": slice_of(state.transcript_path, 0, self.masked, _TRANSCRIPT)[0],
            "turns.jsonl.gz": self._memory(state),
            **self._captures(state.session_id),
        }

    def _line_of_tape(self, line: bytes) -> bytes:
        try:
            found = json.loads(line)
            if isinstance(found, dict) and isinstance(found.get("data"), dict):
                data = {name: value for name, value in found["data"].items() if name not in _OF_A_PROCESS}
                line = json.dumps({**found, "data": data}).encode()
        except (ValueError, RecursionError):
            return b""
        return safe(line, self.masked)

    def _captures(self, session_id: str) -> dict[str, bytes]:
        """The description and what is kept beside it: the user's notes, the running ones, the agent's summaries."""
        folder = self.layout.captures(session_id)
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            return {}
        found = {name: write(os.path.join(folder, name)) for name in names if (write := self._writer(name))}
        return {name: content for name, content in found.items() if content}

    def _writer(self, name: str) -> Callable[[str], bytes] | None:
        if name.startswith("summary-") and name.endswith(".md"):
            return self._plain
        return {"state.md": self._description, "notes.md": self._plain, "notes.json": self._json}.get(name)

    def _plain(self, path: str) -> bytes:
        return self._text(atomic.read(path).decode("utf-8", "replace"))

    def _json(self, path: str) -> bytes:
        return safe(atomic.read(path), self.masked)

    def _description(self, path: str) -> bytes:
        """It is redacted already. Where a newer detector finds more, it is sealed anew."""
        try:
            found = descriptions.read(atomic.read(path).decode("utf-8", "replace"))
        except descriptions.NotAsWritten:
            return b""
        matter = {name: self.masked(value) for name, value in found.matter.items()}
        sections = tuple(part._replace(body=self.masked(part.body)) for part in found.sections)
        return descriptions.written(found._replace(matter=matter, sections=sections)).encode("utf-8", "replace")

    def _memory(self, state: State) -> bytes:
        """What is remembered of it, after a line that says of whom."""
        if not os.path.exists(self.layout.memory):
            return b""
        from tapehead.history import session_lines  # noqa: PLC0415 - only where there is a memory
        from tapehead.history.database import Database  # noqa: PLC0415 - as above
        from tapehead.history.recall import Recall  # noqa: PLC0415 - as above

        with Database(self.layout.memory) as database:
            told = Recall(database).sessions(state.session_id)
            rows = session_lines.rows_of(database, state.session_id)
        about: dict[str, Any] = dict(zip(("branch", "model", "title"), told[0][3:6], strict=True)) if told else {}
        about |= {"predecessor": state.predecessor, "rule": state.predecessor_rule}
        lines = [safe(json.dumps(about).encode(), self.masked)]
        lines += [session_lines.written(row._replace(body=self.masked(row.body))) for row in rows]
        return gzip.compress(b"".join(lines), mtime=0)

    def _text(self, text: str) -> bytes:
        return self.masked(text).encode("utf-8", "replace")
