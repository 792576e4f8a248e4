"""Where Claude Code keeps its transcripts, and whose they are: `projects/<directory>/<session>.jsonl`, subagents' below it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.transcript import jsonl, packed_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_LINE = re.compile(rb'"sessionId" ?: ?"([\w-]+)"')
_OWN = (b'"parentUuid"', b'"leafUuid"', b'"isSidechain"', b'"type":"summary"', b'"type":"file-history-snapshot"')
_END = 64 * 1024
_FAR = 64 * 1024 * 1024


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield every transcript that is kept, those of subagents included."""
    root = os.path.join(env.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), "projects")
    for directory, below, names in os.walk(root):
        below.sort()
        yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(".jsonl"))


def is_own(name: str, head: bytes) -> bool:
    """Whether a file is a transcript, by its name and the first bytes that are in it."""
    return name.endswith(".jsonl") and (any(mark in head for mark in _OWN) or bool(_LINE.search(head)))


def session_of(path: str) -> str:
    """The session that a file belongs to: it is named after it, or lies below it, or says so in its last lines."""
    name = packed_files.plain_name(path).removesuffix(".jsonl")
    if _UUID.fullmatch(name):
        return name
    above = os.path.dirname(os.path.abspath(path))
    if os.path.basename(above) == "subagents":
        return os.path.basename(os.path.dirname(above))
    return _said(path) or name


def _said(path: str) -> str:
    # A session that goes on from another may begin with that one's lines: the last word counts.
    for some in _from_the_end(path):
        if found := _LINE.findall(some):
            return str(found[-1].decode())
    return ""


def _from_the_end(path: str) -> Iterator[bytes]:
    """Yield more and more of a file's end; of a packed one the last line that counts."""
    if path.endswith(packed_files.SUFFIXES):
        last = b""
        for _, line in jsonl.lines(path):
            last = line if b'"sessionId"' in line else last
        yield last
        return
    size, length = jsonl.size(path), _END
    with door.open_reader(path) as file:
        while length < _FAR:
            file.seek(max(0, size - length))
            yield file.read(length)
            length = length * 16 if length < size else _FAR
