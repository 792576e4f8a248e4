"""Where Droid keeps its sessions, and whose they are: `sessions/<directory>/<id>.jsonl`."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OWN_LINE = re.compile(rb'\A\s*\{\s*"type"\s*:\s*"session_start"\s*,\s*"id"\s*:\s*"')


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:  # noqa: ARG001 - one shape for all agents
    """Yield every session's record that is kept."""
    import glob  # noqa: PLC0415  it brings much along, and only those who look for files need it

    root = os.path.join(home, ".factory", "sessions")
    below = ("*.jsonl", "*/*.jsonl")
    yield from sorted(path for name in below for path in glob.iglob(os.path.join(glob.escape(root), name)))


def is_own(name: str, head: bytes) -> bool:  # noqa: ARG001 - as above
    """Whether a file is a session's, by the first bytes that are in it."""
    return bool(_OWN_LINE.match(head))


def session_of(path: str) -> str:
    """Give the session that a file belongs to: its first line says it."""
    first = next((entry_of(line) for _, line in jsonl.lines(path, final=True)), {})
    return word(first, "id") if word(first, "type") == "session_start" else ""
