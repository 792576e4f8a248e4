"""Where Gemini keeps its sessions, and whose they are: `tmp/<project>/chats/session-<time>-<start of the id>.json`, or `.jsonl`.

A subagent's is beside them, in a directory named after the session that started it.
"""

from __future__ import annotations

import os.path
import re

from tapehead.transcript import jsonl
from tapehead.transcript.packed import plain_name

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NAME = re.compile(r"session-\d{4}-\d\d-\d\dT\d\d-\d\d-[0-9a-zA-Z_-]{1,36}\.jsonl?")
_HEAD = re.compile(rb'\A\s*\{\s*"sessionId"\s*:\s*"([^"]{1,200})"\s*,\s*"projectHash"\s*:\s*"')
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
    return session_named(path)[0] or _said(path)


def session_named(path: str) -> tuple[str, str]:
    """Give what a subagent's file is named after: the session that started it, and itself. Another's name says too little."""
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    beside = os.path.basename(os.path.dirname(os.path.dirname(os.path.abspath(path)))) == "chats"
    name = plain_name(path).partition(".")[0]
    return (folder, name) if beside and re.fullmatch(_UUID, folder) else ("", "")


def _said(path: str) -> str:
    """Give the session that a file says it is."""
    with jsonl.opened(path) as file:
        found = _HEAD.match(file.read(_BEGINNING))
    return found[1].decode(errors="replace") if found else ""


def project_of(path: str) -> str:
    """Give the directory that is worked on, which the host notes beside the sessions of a project."""
    chats = os.path.dirname(os.path.abspath(path))
    chats = chats if os.path.basename(chats) == "chats" else os.path.dirname(chats)
    try:
        with open(os.path.join(os.path.dirname(chats), ".project_root"), encoding="utf-8", errors="replace") as file:
            return file.read(_LONGEST_PATH).strip()
    except OSError:
        return ""
