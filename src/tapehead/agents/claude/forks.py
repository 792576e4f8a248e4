"""Forks (`--fork-session`, `/branch`): the new session's transcript begins with copies of the old one's lines.

`/branch` writes the copies at once and marks each with where it comes from. `--fork-session` writes them with the first prompt, unmarked:
they are known by their times, which are older than the session.
"""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING

from tapehead.agents.claude.result_copies import bare_entry_of
from tapehead.store.paths import is_session_id
from tapehead.transcript import jsonl

if TYPE_CHECKING:
    from typing import Any

_RESUME, _CONTINUE = ("--resume", "-r"), ("--continue", "-c")
_ENDING = ".jsonl"


def forked_from(path: str, session_id: str, words: list[str]) -> str:
    """The session that this one is a copy of: its transcript says it, or the command line; empty where neither does."""
    found = _marked(path) or _named(words) or (_newest(path) if any(word in _CONTINUE for word in words) else "")
    return found if is_session_id(found) and found != session_id else ""


def first_own_byte(path: str, started: datetime, offset: int = 0) -> int:
    """The byte after the last copied line from a byte on: one with an id of its own, and a time before the session started."""
    begins = offset
    for at, line in jsonl.lines(path, offset):
        entry = bare_entry_of(line)
        if not entry.get("uuid"):
            continue
        if "forkedFrom" not in entry and not _is_before(entry.get("timestamp"), started):
            break
        begins = at
    return begins


def _marked(path: str) -> str:
    """Where the first message of a transcript comes from, as its line says."""
    if not os.path.isfile(path):
        return ""
    for _, line in jsonl.lines(path, 0):
        entry = bare_entry_of(line)
        if entry.get("uuid"):
            origin = entry.get("forkedFrom")
            return str(origin.get("sessionId") or "") if isinstance(origin, dict) else ""
    return ""


def _named(words: list[str]) -> str:
    """The session that the command line names: `--resume ID` or `--resume=ID`."""
    for place, word in enumerate(words):
        name, _, value = word.partition("=")
        if name in _RESUME:
            return os.path.basename(value or "".join(words[place + 1 : place + 2])).removesuffix(_ENDING)
    return ""


def _newest(path: str) -> str:
    """The conversation that `--continue` takes: the newest one of the project, other than this."""
    try:
        with os.scandir(os.path.dirname(path)) as entries:
            found = [(each.stat().st_mtime, each.name) for each in entries if each.name.endswith(_ENDING)]
    except OSError:
        return ""
    others = [(time, name) for time, name in found if name != os.path.basename(path)]
    return max(others)[1].removesuffix(_ENDING) if others else ""


def _is_before(time: Any, started: datetime) -> bool:
    try:
        return isinstance(time, str) and datetime.fromisoformat(time) < started
    except (ValueError, TypeError):
        return False
