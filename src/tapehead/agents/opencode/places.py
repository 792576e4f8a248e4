"""Where our plugin writes OpenCode's sessions down: the agent itself keeps them in a database."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OWN_LINE = re.compile(rb'\A\s*\{\s*"type"\s*:\s*"session"\s*,\s*"id"\s*:\s*"ses_')


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield every session that was written down."""
    import glob  # noqa: PLC0415  it brings much along, and only those who look for files need it

    chosen = env.get("XDG_STATE_HOME", "")
    root = chosen if os.path.isabs(chosen) else os.path.join(home, ".local", "state")
    yield from sorted(glob.iglob(os.path.join(glob.escape(root), "tapehead", "opencode", "*.jsonl")))


def is_own(name: str, head: bytes) -> bool:  # noqa: ARG001 - one shape for all agents
    """Whether a file is a session's, by the first bytes that are in it."""
    return bool(_OWN_LINE.match(head))


def session_of(path: str) -> str:
    """Give the session that a file belongs to: its first line says it."""
    first = next((entry_of(line) for _, line in jsonl.lines(path, final=True)), {})
    return word(first, "id") if word(first, "type") == "session" else ""
