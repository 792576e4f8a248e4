"""Where Codex keeps its rollouts, and whose they are: `sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, packed when old.

Where the user goes back to an earlier prompt, the thread goes on in a rollout of its own: `rollout-<time>-<thread>_<its id>.jsonl`.
"""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, within
from tapehead.transcript.packed_files import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NAME = re.compile(rf"rollout-\d{{4}}-\d\d-\d\dT\d\d-\d\d-\d\d-({_UUID})(?:_([\w-]+))?\.jsonl")
_BELOW = ("sessions/*/*/*", "archived_sessions", "archived_sessions/*/*/*")
_OWN_LINE = re.compile(
    rb'\A\s*\{(?=[^\n]{0,200}"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|compacted|world_state)")'
    rb'[^\n]{0,200}"payload"\s*:\s*\{'
)
_OLDEST_LINE = re.compile(rb'\A\s*\{"id":"[0-9a-fA-F-]{36}","timestamp":"[^"]{0,40}","instructions":')


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield every rollout that is kept, oldest first."""
    root = env.get("CODEX_HOME") or os.path.join(home, ".codex")
    yield from sorted(
        path for below in _BELOW for path in _glob(root, below, "rollout-*.jsonl*") if _NAME.match(plain_name(path))
    )


def is_own(name: str, head: bytes) -> bool:
    """Whether a file is a rollout, by its name and the first bytes that are in it."""
    return bool(_NAME.fullmatch(name) or _OWN_LINE.match(head) or _OLDEST_LINE.match(head))


def session_of(path: str) -> str:
    """Give the session that a rollout belongs to; a subagent's belongs to the one that started it."""
    from tapehead.agents.codex.rollout import belongs  # noqa: PLC0415 - whose file it is every import asks, for every agent

    return belongs(meta_of(path))[0] or thread_of(path)


def thread_of(path: str) -> str:
    """Give the thread that a file is named after."""
    named = _NAME.fullmatch(plain_name(path))
    return named[1] if named else ""


def meta_of(path: str) -> dict[str, Any]:
    """Give what the first line says of whose rollout it is; in the oldest files it is the line itself."""
    from tapehead.agents.codex.rollout import kind_of  # noqa: PLC0415 - as above

    head = next((entry_of(line) for _, line in jsonl.lines(path)), {})
    if kind_of(head) != "session_meta":
        return {}
    return within(head, "payload") if "payload" in head else head


def ident_of(path: str) -> str:
    """Give what other rollouts know a file by: its own id, or that of the thread, where it is the thread's first."""
    named = _NAME.fullmatch(plain_name(path))
    return (named[2] or named[1]) if named else ""


def rollout_of(ident: str, near: str) -> str:
    """Find a rollout beside another one, or anywhere in the same home; empty where there is none."""
    return next((path for path in _near(ident, near, f"rollout-*{ident}.jsonl*") if ident_of(path) == ident), "")


def rollouts_of(thread: str, near: str) -> list[str]:
    """Find all rollouts of a thread in a home, oldest first."""
    found = {plain_name(path): path for path in _near(thread, near, f"rollout-*-{thread}*.jsonl*")}
    return [found[name] for name in sorted(found) if thread_of(name) == thread]


def _near(ident: str, near: str, wanted: str) -> Iterator[str]:
    if not re.fullmatch(_UUID, ident):
        return
    here = os.path.dirname(os.path.abspath(near))
    home = re.split(r"/(?:archived_)?sessions(?=/|$)", here)[0]
    for root, below in [(here, "")] + ([(home, below) for below in _BELOW] if home != here else []):
        yield from _glob(root, below, wanted)


def _glob(root: str, below: str, name: str) -> Iterator[str]:
    import glob  # noqa: PLC0415  it brings much along, and only those who look for files need it

    return glob.iglob(os.path.join(glob.escape(root), below, name))
