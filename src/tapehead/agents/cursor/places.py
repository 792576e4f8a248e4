"""Where Cursor keeps its conversations, and whose they are: `projects/<folder>/agent-transcripts/<id>/<id>.jsonl`. Not seen with the real client."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from tapehead.transcript.packed_files import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NAME = re.compile(r"([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\.jsonl")
_OWN_LINE = re.compile(rb'\A\s*\{\s*"role"\s*:\s*"(?:user|assistant)"\s*,\s*"message"\s*:\s*\{')


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:  # noqa: ARG001 - one shape for all agents
    """Yield every conversation that is kept; those of subagents lie deeper, and are left out."""
    import glob  # noqa: PLC0415  it brings much along, and only those who look for files need it

    root = os.path.join(glob.escape(os.path.join(home, ".cursor", "projects")), "*", "agent-transcripts")
    yield from sorted(path for below in ("*.jsonl", "*/*.jsonl") for path in glob.iglob(os.path.join(root, below)))


def is_own(name: str, head: bytes) -> bool:  # noqa: ARG001 - as above
    """Whether a file is a conversation, by the first bytes that are in it."""
    return bool(_OWN_LINE.match(head))


def session_of(path: str) -> str:
    """Give the conversation that a file holds: only its name says it."""
    named = _NAME.fullmatch(plain_name(path))
    return named[1] if named else ""
