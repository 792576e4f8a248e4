"""Where Qwen Code keeps its sessions, and whose they are: `projects/<directory>/chats/<id>.jsonl`, which every line names."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OWN_LINE = re.compile(
    rb'\A\s*\{\s*"uuid"\s*:\s*"[^"]{1,200}"\s*,\s*"parentUuid"\s*:[^,]{1,200},\s*"sessionId"\s*:\s*"[^"]{1,200}"\s*,\s*"timestamp"\s*:'
)
"""Claude Code's lines have the same names, and another order."""


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield every session's record that is kept."""
    import glob  # noqa: PLC0415  it brings much along, and only those who look for files need it

    root = env.get("QWEN_RUNTIME_DIR") or env.get("QWEN_HOME") or os.path.join(home, ".qwen")
    yield from sorted(glob.iglob(os.path.join(glob.escape(root), "projects", "*", "chats", "*.jsonl")))


def is_own(name: str, head: bytes) -> bool:  # noqa: ARG001 - one shape for all agents
    """Whether a file is a session's, by the first bytes that are in it."""
    return bool(_OWN_LINE.match(head))


def session_of(path: str) -> str:
    """Give the session that a file belongs to: its first line says it."""
    return word(next((entry_of(line) for _, line in jsonl.lines(path, final=True)), {}), "sessionId")
