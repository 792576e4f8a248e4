"""Where Claude Code keeps its transcripts, and whose they are: `projects/<directory>/<session>.jsonl`.

A subagent's is in `<session>/subagents/`, beside the transcript of the session that started it.
"""

from __future__ import annotations

import os.path
import re

from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, word
from tapehead.transcript.packed import plain_name

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_KEYS = re.compile(rb'"(?:uuid|parentUuid|leafUuid|isSidechain)"\s*:')
_KINDS = re.compile(
    rb'"type"\s*:\s*"(?:user|assistant|system|summary|attachment|queue-operation|file-history-snapshot)"'
)
_LOOKED_AT = 200
"""Lines in which the session may be named: files begin with titles and snapshots."""


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield every transcript that is kept, those of subagents after their session's."""
    import glob  # noqa: PLC0415  it brings much along, and only those who look for files need it

    root = os.path.join(env.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), "projects")
    for below in ("*/*.jsonl", "*/*/subagents/agent-*.jsonl"):
        yield from sorted(glob.iglob(os.path.join(glob.escape(root), below)))


def is_own(name: str, head: bytes) -> bool:
    """Whether a file is a transcript, by its name and the first bytes that are in it."""
    return name.endswith(".jsonl") and bool(_KEYS.search(head) and _KINDS.search(head))


def session_of(path: str) -> str:
    """Give the session that a transcript belongs to; a subagent's belongs to the one that started it."""
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.basename(folder) == "subagents":
        return os.path.basename(os.path.dirname(folder))
    name = plain_name(path).removesuffix(".jsonl")
    return name if re.fullmatch(_UUID, name) else _said(path)


def _said(path: str) -> str:
    """Give the session that the first lines name."""
    for number, (_, line) in enumerate(jsonl.lines(path)):
        if (session := word(entry_of(line), "sessionId")) or number > _LOOKED_AT:
            return session
    return ""
