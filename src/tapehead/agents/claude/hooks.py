"""Claude Code's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Claude Code's own field names.
"""

from __future__ import annotations

import json

from tapehead.agents.heard import Heard, NotOurs, shortened
from tapehead.statemachine.vocabulary import Event, Fact
from tapehead.store.paths import is_session_id

TYPE_CHECKING = False  # the name is what a type checker looks for; `typing` itself stays unloaded
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HOST = "claude"
LIMIT = 9_500
"""Characters that one value may have: above 10,000 the host shows the model a preview of 2,000 and hides the rest."""

_PROMPT = 32_000
_REPLY = 16_000
_SUMMARY = 100_000
_DETAIL = 2_000
_PATH = 4_096
_NAME, _WHAT, _TASKS = 200, 300, 50

_SOURCES = ("startup", "resume", "clear", "compact", "fork")
_REASONS = ("clear", "resume", "logout", "prompt_input_exit", "other")
_TRIGGERS = ("manual", "auto")

_NOTICES = ("<task-notification", "<agent-notification", "<bash-notification", "<teammate-message")
"""How prompts begin that the host itself sends when something in the background is done; it names no other source."""

_OVER = ("completed", "failed", "killed", "stopped")

Payload = dict[str, object]


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Claude Code did not send, or that names no session."""
    if not isinstance(payload, dict):
        raise NotOurs(f"not a JSON object but {type(payload).__name__}")
    if other := _other_agent(payload, env):
        raise NotOurs(f"sent by {other}, not by Claude Code")
    session_id, hook = payload.get("session_id"), payload.get("hook_event_name")
    if not isinstance(session_id, str) or not is_session_id(session_id):
        raise NotOurs("no session id that can be used")
    if not isinstance(hook, str) or not hook:
        raise NotOurs("no hook_event_name")
    found = Heard(HOST, hook, session_id)
    if hook != "SubagentStop" and payload.get("agent_id"):
        _inside_subagent(found, payload)
    else:
        _READ.get(hook, _unknown)(found, payload)
    if path := _text(payload, "transcript_path", _DETAIL):
        found.data["transcript_path"] = path
    return found


def directory(payload: object, env: Mapping[str, str]) -> str:
    """Where the session belongs: the project it was started in, since its own cwd wanders off with every `cd`."""
    cwd = payload.get("cwd") if isinstance(payload, dict) else None
    for candidate in (env.get("CLAUDE_PROJECT_DIR", ""), cwd):
        if isinstance(candidate, str) and candidate.startswith("/") and _can_be_path(candidate):
            return candidate
    return ""


def _can_be_path(text: str) -> bool:
    """Whether the system could know a path of this name: one of a million folders would be looked for for ever."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return len(text) <= _PATH and "\0" not in text


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model."""
    return hook in ("SessionStart", "UserPromptSubmit")


def reply(hook: str, context: str, steer: str, person: str) -> str:
    """What to print so that the host takes it as meant: nothing at all where there is nothing to say.

    PreCompact's raw stdout goes to the summariser, JSON included, so it gets plain text. Elsewhere JSON keeps apart what
    the model reads and what the person is shown.
    """
    if hook == "PreCompact":
        return steer
    said: dict[str, object] = {}
    if person:
        said["systemMessage"] = person
    if context and carries_context(hook):
        said["hookSpecificOutput"] = {"hookEventName": hook, "additionalContext": context}
    return json.dumps(said) if said else ""


def _session_start(found: Heard, payload: Payload) -> None:
    found.event = Event.SESSION_START
    source = _nearest(payload.get("source"), _SOURCES, "startup")
    found.data["source"] = source
    if source == "compact":
        found.facts.append(Fact.AFTER_COMPACTION.value)
    if source == "clear":
        found.facts.append(Fact.CLEARED.value)
    _copy_text(found, payload, "model")
    tokens = payload.get("context_tokens")
    if isinstance(tokens, int) and not isinstance(tokens, bool):
        found.data["context_tokens"] = tokens


def _prompt(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_START
    found.data["prompt"] = _text(payload, "prompt", _PROMPT)
    _copy_text(found, payload, "prompt_id")
    source = payload.get("source")
    if str(found.data["prompt"]).startswith(_NOTICES):
        source = "notice"
    if isinstance(source, str) and source != "user":
        found.data["asked_by"] = source[:40]  # a timer or the host itself: not the human's words


def _stop(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_END
    found.data["reply"] = _text(payload, "last_assistant_message", _REPLY)
    tasks = payload.get("background_tasks")
    if isinstance(tasks, list) and len(tasks) <= _TASKS:  # of a list that was cut, what is not named might still run
        found.data["running"] = [name for task in tasks if isinstance(task, dict) and (name := _running(task))]


def _running(task: Payload) -> str:
    """A task that goes on beside the session: the host's name for it, and what it is; nothing for one that is over."""
    name = _text(task, "id", _NAME)
    over = task.get("status") in _OVER or not name or " " in name
    return "" if over else f"{name} {_text(task, 'command', _WHAT) or _text(task, 'description', _WHAT)}".rstrip()


def _stop_failure(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_FAILED
    _copy_text(found, payload, "error")
    _copy_text(found, payload, "error_details")
    if said := _text(payload, "last_assistant_message", _DETAIL):
        found.data["error_message"] = said  # what the person saw; `error` is often "unknown"


def _pre_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTION
    found.data["trigger"] = _nearest(payload.get("trigger"), _TRIGGERS, "auto")
    _copy_text(found, payload, "custom_instructions")


def _post_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTED
    found.data["trigger"] = _nearest(payload.get("trigger"), _TRIGGERS, "auto")
    found.data["summary"] = _text(payload, "compact_summary", _SUMMARY)


def _session_end(found: Heard, payload: Payload) -> None:
    found.event = Event.SESSION_STOP
    found.data["reason"] = reason = _nearest(payload.get("reason"), _REASONS, "other")
    if reason == "clear":
        found.facts.append(Fact.CLEARED.value)


def _subagent_stop(found: Heard, payload: Payload) -> None:
    """News. Between PreCompact and SessionStart the nameless one is the host's summariser: its words are the summary."""
    found.note = "subagent_stop"
    _copy_text(found, payload, "agent_id")
    _copy_text(found, payload, "agent_type")
    summarised = "<summary>" in _text(payload, "last_assistant_message", _SUMMARY)
    name, limit = ("summary", _SUMMARY) if summarised and not payload.get("agent_type") else ("reply", _REPLY)
    found.data[name] = _text(payload, "last_assistant_message", limit)


def _inside_subagent(found: Heard, payload: Payload) -> None:
    """A subagent's own start, compaction or stop is news of the session, never its own."""
    found.note = "inside_subagent"
    found.data["hook"] = found.hook[:80]
    _copy_text(found, payload, "agent_id")
    _copy_text(found, payload, "agent_type")


def _unknown(found: Heard, payload: Payload) -> None:  # noqa: ARG001 - one shape for all readers
    """A hook that someone wired up by hand, or that did not exist yet: it happened, and that is all we know."""
    found.note = "other_hook"
    found.data["hook"] = found.hook[:80]


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _stop,
    "StopFailure": _stop_failure,
    "PreCompact": _pre_compact,
    "PostCompact": _post_compact,
    "SessionEnd": _session_end,
    "SubagentStop": _subagent_stop,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""


def _other_agent(payload: Payload, env: Mapping[str, str]) -> str:
    """The agent that runs our command although it was installed for Claude Code: Cursor and Copilot read its settings.

    CLAUDE_PROJECT_DIR proves nothing: others set it too. The session id in the environment does.
    """
    if env.get("CLAUDE_CODE_SESSION_ID") and env.get("CLAUDE_CODE_SESSION_ID") == payload.get("session_id"):
        return ""
    if "cursor_version" in payload or "conversation_id" in payload:
        return "Cursor"
    if "sessionId" in payload or "hookEventName" in payload or env.get("COPILOT_CLI"):
        return "Copilot"
    if env.get("GEMINI_SESSION_ID") or payload.get("hook_event_name") in ("BeforeAgent", "AfterAgent", "PreCompress"):
        return "Gemini"
    if env.get("FACTORY_PROJECT_DIR"):
        return "Droid"
    path = payload.get("transcript_path")
    if "turn_id" in payload or (isinstance(path, str) and ("/.codex/" in path or "/rollout-" in path)):
        return "Codex"
    return "Copilot" if "timestamp" in payload else ""


def _nearest(word: object, known: tuple[str, ...], otherwise: str) -> str:
    """A word that we know, for one that may not exist yet: itself, one that it contains, or the plainest."""
    if not isinstance(word, str):
        return otherwise
    lower = word.lower()
    return next((w for w in known if w == lower), None) or next((w for w in known if w in lower), otherwise)


def _text(payload: Payload, name: str, limit: int) -> str:
    value = payload.get(name)
    return shortened(value, limit) if isinstance(value, str) else ""


def _copy_text(found: Heard, payload: Payload, name: str) -> None:
    if text := _text(payload, name, _DETAIL):
        found.data[name] = text
