"""What an agent's hook was heard to say, in the machine's words. Light: every hook makes one."""

from __future__ import annotations

import json
from binascii import crc32
from time import monotonic
from typing import TYPE_CHECKING

from tapehead.store.paths import is_session_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.statemachine.vocabulary import Event

Payload = dict[str, object]
PATH = 4_096
"""Characters that a path may have: one of a million folders would be looked for for ever."""
ABOUT_TOOL = "about_tool"
"""The note of a tool that is about to be used, or has failed: `edit` or `failure` in its data. It is answered, and never written down."""
DETAIL = 2_000
"""Characters that are kept of a field that is no prompt, reply or summary."""


class NotOurs(Exception):
    """A payload that this agent did not send, or that nothing can be made of. The text says why, for doctor."""


class Heard:
    """One payload, understood: an event or a note, for one session."""

    __slots__ = ("began", "data", "event", "facts", "hook", "host", "known_by", "note", "once", "session_id")

    def __init__(self, host: str, hook: str, session_id: str) -> None:
        self.began = monotonic()
        """When it was heard: its hook has an answer soon after, or none."""
        self.host = host
        self.hook = hook
        """The agent's own name for what happened: the reply must speak of it."""
        self.session_id = session_id
        self.event: Event | None = None
        self.note = ""
        """The kind, where it is news that changes no phase."""
        self.facts: list[str] = []
        """What the payload itself tells of the world."""
        self.data: dict[str, object] = {}
        """The few fields that actions need. Never a tool's output."""
        self.once = False
        """Whether the agent is known to say this several times for one thing that happened."""
        self.known_by = ""
        """What tells this from all else that happened, where several hooks may find it out at once: one of them writes it down."""


_LEFT_OUT = " [… {} characters …] "


def cut_middle(text: str, limit: int) -> str:
    """A text of at most `limit` characters, its middle left out where it is longer: the ends say most."""
    if len(text) <= limit:
        return text
    keep = max(0, limit - len(_LEFT_OUT.format(len(text))))
    left_out = _LEFT_OUT.format(len(text) - keep)
    end = keep // 3
    return (text[: keep - end] + left_out + text[len(text) - end :])[:limit]


def read_opening(host: str, payload: object, env: Mapping[str, str]) -> tuple[Heard, Payload]:
    """The beginning that all payloads share: whose session, by which hook. Raises NotOurs for one that this agent did not send."""
    if not isinstance(payload, dict):
        raise NotOurs(f"not a JSON object but {type(payload).__name__}")
    # Several read Claude Code's settings, so a payload to its hook is looked at twice.
    other = sender(payload, env) or (_by_environment(payload, env) if host == "claude" else "")
    if other not in ("", host):
        raise NotOurs(f"sent by {NAMES[other]}, not by {NAMES[host]}")
    session_id, hook = payload.get("session_id"), payload.get("hook_event_name")
    if not isinstance(session_id, str) or not is_session_id(session_id):
        raise NotOurs("no session id that can be used")
    if not isinstance(hook, str) or not hook:
        raise NotOurs("no hook_event_name")
    return Heard(host, hook, session_id), payload


CLEAR = "/clear"
"""The command that empties the conversation. As a prompt it is no words of the user's to the model, and no turn."""
NAMES = {
    "claude": "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini",
    "cursor": "Cursor",
    "copilot": "Copilot",
    "droid": "Droid",
    "qwen": "Qwen Code",
    "opencode": "OpenCode",
    "kiro": "Kiro",
}
_DROIDS = ("off", "spec", "auto-low", "auto-medium", "auto-high")
_GEMINIS = ("BeforeAgent", "AfterAgent", "PreCompress", "BeforeModel", "AfterModel", "BeforeTool", "AfterTool")
_KIROS = ("agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop")


def sender(payload: Payload, env: Mapping[str, str]) -> str:
    """The agent that a payload gives away as its sender; empty where it could be any.

    CLAUDE_PROJECT_DIR proves nothing: others set it too. A session id in the environment does, where it is the payload's: agents
    run other agents in their shells, and hand their own environment down.
    """
    path = payload.get("transcript_path")
    path = path if isinstance(path, str) else ""
    return next((host for host, gives_away in _SIGNS if gives_away(payload, env, path)), "")


def _is_its_session(payload: Payload, env: Mapping[str, str], name: str) -> bool:
    return bool(payload.get("session_id")) and env.get(name) == payload.get("session_id")


def _is_geminis(payload: Payload, env: Mapping[str, str], path: str) -> bool:
    by_name = payload.get("hook_event_name") in _GEMINIS
    return by_name or "/.gemini/" in path or _is_its_session(payload, env, "GEMINI_SESSION_ID")


def _is_copilots(payload: Payload, env: Mapping[str, str], path: str) -> bool:
    """In its own words; or in Claude Code's, to a hook of Claude Code's, with a time that Claude Code's do not have."""
    own = "sessionId" in payload or "hookEventName" in payload or "/.copilot/" in path
    return own or bool(env.get("COPILOT_CLI") and "timestamp" in payload)


_SIGNS: tuple[tuple[str, Callable[[Payload, Mapping[str, str], str], bool]], ...] = (
    ("claude", lambda payload, env, _: _is_its_session(payload, env, "CLAUDE_CODE_SESSION_ID")),
    ("cursor", lambda payload, *_: "cursor_version" in payload or "conversation_id" in payload),
    ("opencode", lambda payload, *_: payload.get("agent") == "opencode"),
    ("kiro", lambda payload, *_: payload.get("hook_event_name") in _KIROS),
    ("qwen", lambda payload, env, path: "/.qwen/" in path or _is_its_session(payload, env, "QWEN_CODE_SESSION_ID")),
    ("gemini", _is_geminis),
    ("copilot", _is_copilots),
    ("droid", lambda payload, _, path: payload.get("permission_mode") in _DROIDS or "/.factory/" in path),
    ("codex", lambda payload, _, path: "turn_id" in payload or "/.codex/" in path or "/rollout-" in path),
)
"""By what each is known; who has the surest sign comes first."""


def _by_environment(payload: Payload, env: Mapping[str, str]) -> str:
    """What the environment alone says, which an agent that runs another one hands down: only where the payload says nothing."""
    if env.get("COPILOT_CLI"):
        return "copilot"
    if env.get("GEMINI_SESSION_ID"):
        return "gemini"
    if env.get("FACTORY_PROJECT_DIR"):
        return "droid"
    return "copilot" if "timestamp" in payload else ""


def directory_of(*candidates: object) -> str:
    """The first that can be a directory: a whole path, and one that the system could know."""
    for candidate in candidates:
        if isinstance(candidate, str) and candidate.startswith("/") and _can_be_path(candidate):
            return candidate
    return ""


def _can_be_path(text: str) -> bool:
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return len(text) <= PATH and "\0" not in text


def nearest(word: object, known: tuple[str, ...], otherwise: str) -> str:
    """A word that we know, for one that may not exist yet: itself, one that it contains, or the plainest."""
    if not isinstance(word, str):
        return otherwise
    lower = word.lower()
    return next((w for w in known if w == lower), None) or next((w for w in known if w in lower), otherwise)


def text_in(payload: Payload, name: str, limit: int = DETAIL) -> str:
    """A field that should be text, within bounds; nothing where it is none."""
    value = payload.get(name)
    return cut_middle(value, limit) if isinstance(value, str) else ""


def copy_text(found: Heard, payload: Payload, *names: str) -> None:
    """Takes over the fields that are there."""
    for name in names:
        if text := text_in(payload, name):
            found.data[name] = text


def unknown(found: Heard, payload: Payload) -> None:  # noqa: ARG001 - one shape for all readers
    """A hook that someone wired up by hand, or that did not exist yet: it happened, and that is all we know."""
    found.note = "other_hook"
    found.data["hook"] = found.hook[:80]


def waits(found: Heard, what: str, tool: str = "", given: object = None) -> None:
    """The agent waits for its user: for an `approval`, the answer to a `question`, or the next `prompt`.

    What a tool is given may be a whole file, so only what tells it apart is kept: its first words, and a checksum.
    """
    found.note = "waiting"
    found.data["for"] = what
    if tool:
        found.data["tool"] = tool[:80]
        found.data["key"] = key_of(given)
    if isinstance(given, dict):
        told = (given.get(name) for name in _TELLING)
        text = next((text for text in told if isinstance(text, str) and text), "")
        found.data["detail"] = text if len(text) <= _WAITED_FOR else text[:_WAITED_FOR] + "…"


_TELLING = ("command", "file_path", "notebook_path", "path", "url", "query", "pattern", "question", "description")
_WAITED_FOR = 300


def key_of(given: object) -> str:
    """By what the same call is known again in a transcript, whatever the order of its fields."""
    return f"{crc32(json.dumps(given, sort_keys=True).encode()):08x}"


def inside_subagent(found: Heard, payload: Payload) -> None:
    """A subagent's own start, compaction or stop is news of the session, never its own."""
    found.note = "inside_subagent"
    found.data["hook"] = found.hook[:80]
    copy_text(found, payload, "agent_id", "agent_type")
