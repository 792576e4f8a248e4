"""Where transcripts in the plain form are looked for, and whose they are. An agent that nobody here knows may put them there, or a link to them."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

from tapehead.transcript import jsonl
from tapehead.transcript.entries import entry_of, first_word, within
from tapehead.transcript.packed_files import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

SESSION = ("session_id", "sessionId", "session", "conversation_id", "conversationId", "thread_id")
ROLES = ("user", "human", "assistant", "agent", "model", "ai", "system", "developer", "tool", "function")
WORDS = ("content", "text", "parts")
_NAMES = 5
"""Lines at the beginning of which one may name the session."""
_KEPT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


def transcripts(home: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield what agents or users put into our own folder for them."""
    import glob  # noqa: PLC0415  it brings much along, and only those who look for files need it

    chosen = env.get("XDG_STATE_HOME", "")
    root = chosen if os.path.isabs(chosen) else os.path.join(home, ".local", "state")
    yield from sorted(glob.iglob(os.path.join(glob.escape(root), "tapehead", "plain", "*.jsonl")))


def is_own(name: str, head: bytes) -> bool:  # noqa: ARG001 - one shape for all agents
    """Whether a file has the plain form: its first message says who speaks, and what."""
    lines = head.split(b"\n")[:_NAMES]
    return any(role_of(entry) in ROLES and _has_words(entry) for entry in map(entry_of, lines))


def role_of(entry: dict[str, Any]) -> str:
    """Give who speaks: the message says so, or the line around it."""
    found = first_word(within(entry, "message"), "role") or first_word(entry, "role", "speaker", "type")
    return found.lower()


def message_of(entry: dict[str, Any]) -> dict[str, Any]:
    """Give the message of a line: the line itself, or an object in it."""
    return within(entry, "message") or entry


def _has_words(entry: dict[str, Any]) -> bool:
    return any(message_of(entry).get(name) for name in WORDS) or bool(first_word(entry, "message"))


def session_of(path: str) -> str:
    """Give the session that a file belongs to: one of its first lines says it, or its name is taken."""
    for number, (_, line) in enumerate(jsonl.lines(path, final=True)):
        if found := first_word(entry_of(line), *SESSION):
            return found
        if number >= _NAMES:
            break
    name = plain_name(path).removesuffix(".jsonl")
    return "".join(letter if letter in _KEPT else "-" for letter in name).lstrip(".-")
