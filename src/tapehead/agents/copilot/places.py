"""Where Copilot keeps its sessions, and whose they are: `session-state/<id>/events.jsonl`."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, within, word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_OWN_LINE = re.compile(rb'\A\s*\{\s*"type"\s*:\s*"session\.start"\s*,\s*"data"\s*:\s*\{')


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield every session's record that is kept."""
    import glob  # noqa: PLC0415  it brings much along, and only those who look for files need it

    root = env.get("COPILOT_HOME") or os.path.join(home, ".copilot")
    yield from sorted(glob.iglob(os.path.join(glob.escape(root), "session-state", "*", "events.jsonl*")))


def is_own(name: str, head: bytes) -> bool:  # noqa: ARG001 - one shape for all agents
    """Whether a file is a session's, by the first bytes that are in it."""
    return bool(_OWN_LINE.match(head))


def session_of(path: str) -> str:
    """Give the session that a file belongs to: its first line says it, and else the directory's name does."""
    first = next((entry_of(line) for _, line in jsonl.lines(path, final=True)), {})
    named = os.path.basename(os.path.dirname(os.path.abspath(path)))
    return word(within(first, "data"), "sessionId") or (named if _UUID.fullmatch(named) else "")
