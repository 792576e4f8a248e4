"""Where Gemini keeps its sessions, and whose they are: `tmp/<project>/chats/session-<time>-<start of the id>.json`, or `.jsonl`.

A subagent's is beside them, in a directory named after the session that started it.
"""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from tapehead import door
from tapehead.transcript import jsonl
from tapehead.transcript.packed_files import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NAME = re.compile(r"session-\d{4}-\d\d-\d\dT\d\d-\d\d-[0-9a-zA-Z_-]{1,36}\.jsonl?")
_HEAD = re.compile(rb'\A\s*\{\s*"sessionId"\s*:\s*"([^"]{1,200})"\s*,\s*"projectHash"\s*:\s*"')
_SUBAGENT = re.compile(rb'"kind"\s*:\s*"subagent"')
_BEGINNING = 4096
_LONGEST_PATH = 4096


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield every session file that is kept, oldest name first."""
    import glob  # noqa: PLC0415  it brings much along, and only those who look for files need it

    root = os.path.join(env.get("GEMINI_CLI_HOME") or home, ".gemini", "tmp")
    below = ("*/chats/session-*.json*", "*/chats/*/*.jsonl*")
    yield from sorted(path for name in below for path in glob.iglob(os.path.join(glob.escape(root), name)))


def is_own(name: str, head: bytes) -> bool:
    """Whether a file is a session's, by its name and the first bytes that are in it."""
    return bool(_HEAD.match(head) or (_NAME.fullmatch(name) and head.lstrip().startswith(b"{")))


def session_of(path: str) -> str:
    """Give the session that a file belongs to; a subagent's belongs to the one that started it."""
    return whose(path)[0]


def whose(path: str) -> tuple[str, str]:
    """Give the session that a file belongs to, and the subagent whose file it is, if it is one's."""
    with jsonl.open_jsonl(path) as file:
        head = file.read(_BEGINNING)
    said = _HEAD.match(head)
    ident = said[1].decode(errors="replace") if said else ""
    folder, above = _folders(path)
    if above == "chats" and re.fullmatch(_UUID, folder):
        return folder, ident or plain_name(path).partition(".")[0]
    return ident, ident if _SUBAGENT.search(head.partition(b"\n")[0]) else ""


def _folders(path: str) -> tuple[str, str]:
    """Give the names of the directory that a file is in, and of the one above it."""
    folder = os.path.dirname(os.path.abspath(path))
    return os.path.basename(folder), os.path.basename(os.path.dirname(folder))


def project_of(path: str) -> str:
    """Give the directory that is worked on, which the agent notes beside the sessions of a project."""
    chats = os.path.dirname(os.path.abspath(path))
    chats = chats if os.path.basename(chats) == "chats" else os.path.dirname(chats)
    try:
        path = os.path.join(os.path.dirname(chats), ".project_root")
        return door.read(path, _LONGEST_PATH).decode("utf-8", "replace").strip()
    except OSError:
        return ""
