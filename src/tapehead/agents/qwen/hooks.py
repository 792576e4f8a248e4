"""Qwen Code's hooks: its payloads in, the machine's words out, and back. Light: loaded at every hook.

Only this folder knows Qwen Code's own field names. What the agent does was found by running it: docs/agents/qwen.md.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.agents.hook_event import (
    copy_text,
    directory_of,
    inside_subagent,
    nearest,
    read_opening,
    text_in,
    unknown,
    waits,
)
from tapehead.statemachine.vocabulary import Event, Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

HOST = "qwen"
LIMIT = 9_500
"""Characters that one value may have: its documents name 10,000 for one kind of hook, and more was not tried."""
STARTS_TWICE = False
ONE_OFF: tuple[str, ...] = ("-p", "--prompt")

_PROMPT = 32_000
_REPLY = 16_000
_SUMMARY = 100_000

_SOURCES = ("startup", "resume", "clear", "compact")
_REASONS = ("clear", "logout", "prompt_input_exit", "other")
_TRIGGERS = ("manual", "auto")
_WAITS = {"permission_prompt": "approval", "idle_prompt": "prompt"}


def heard(payload: object, env: Mapping[str, str]) -> Heard:
    """What a payload says. Raises NotOurs for one that Qwen Code did not send, or that names no session."""
    found, payload = read_opening(HOST, payload, env)
    of_subagent = payload.get("agent_id") and found.hook not in ("PermissionRequest", "Notification")
    read = inside_subagent if of_subagent else _READ.get(found.hook, unknown)
    read(found, payload)
    copy_text(found, payload, "transcript_path")
    return found


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:  # noqa: ARG001 - one shape for all agents
    """Nothing: what it does not say (the end of `qwen -p`), its process says by being gone."""
    return []


def directory(payload: object, env: Mapping[str, str]) -> str:
    """Where the session belongs: the project it was started in."""
    return directory_of(env.get("QWEN_PROJECT_DIR", ""), payload.get("cwd") if isinstance(payload, dict) else None)


def host_pid(env: Mapping[str, str]) -> str:  # noqa: ARG001 - one shape for all agents
    """Nobody names it; it is the process above the hook."""
    return ""


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model."""
    return hook in ("SessionStart", "UserPromptSubmit")


def carries_steer(hook: str) -> bool:  # noqa: ARG001 - one shape for all agents
    """The summariser is told nothing that a hook says."""
    return False


def size(text: str) -> int:
    """How much of LIMIT a text takes, with what the agent makes of the brackets in it."""
    return len(text) + 3 * (text.count("<") + text.count(">")) + 4 * text.count("&")


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """JSON, where the model or the user is reached; else nothing."""
    if not carries_context(hook):
        return ""
    said: dict[str, object] = {}
    if person:
        said["systemMessage"] = person
    if context:
        said["hookSpecificOutput"] = {"hookEventName": hook, "additionalContext": context}
    return json.dumps(said) if said else ""


def _session_start(found: Heard, payload: Payload) -> None:
    found.event = Event.SESSION_START
    found.data["source"] = source = nearest(payload.get("source"), _SOURCES, "startup")
    if source == "compact":
        found.facts.append(Fact.AFTER_COMPACTION.value)
    if source == "clear":
        found.facts.append(Fact.CLEARED.value)
    copy_text(found, payload, "model")


def _prompt(found: Heard, payload: Payload) -> None:
    """It comes before every request, those that carry a tool's result included: only there it has no words."""
    prompt = text_in(payload, "prompt", _PROMPT)
    if not prompt.strip():
        found.note = "goes_on"
        return
    found.event = Event.TURN_START
    found.data["prompt"] = prompt
    copy_text(found, payload, "prompt_id")


def _stop(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_END
    found.data["reply"] = text_in(payload, "last_assistant_message", _REPLY)


def _stop_failure(found: Heard, payload: Payload) -> None:
    found.event = Event.TURN_FAILED
    copy_text(found, payload, "error", "error_details")
    if said := text_in(payload, "last_assistant_message"):
        found.data["error_message"] = said


def _pre_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTION
    found.data["trigger"] = nearest(payload.get("trigger"), _TRIGGERS, "auto")
    copy_text(found, payload, "custom_instructions")


def _post_compact(found: Heard, payload: Payload) -> None:
    found.event = Event.COMPACTED
    found.data["trigger"] = nearest(payload.get("trigger"), _TRIGGERS, "auto")
    found.data["summary"] = text_in(payload, "compact_summary", _SUMMARY)


def _session_end(found: Heard, payload: Payload) -> None:
    """Never at the end of `qwen -p`."""
    found.event = Event.SESSION_STOP
    found.data["reason"] = reason = nearest(payload.get("reason"), _REASONS, "other")
    if reason == "clear":
        found.facts.append(Fact.CLEARED.value)


def _permission_request(found: Heard, payload: Payload) -> None:
    """A dialog is shown. Nothing is printed, so the user decides."""
    waits(found, "approval", text_in(payload, "tool_name") or "a tool", payload.get("tool_input"))
    copy_text(found, payload, "agent_id")


def _notification(found: Heard, payload: Payload) -> None:
    if what := _WAITS.get(text_in(payload, "notification_type")):
        waits(found, what)
    else:
        unknown(found, payload)


_READ: dict[str, Callable[[Heard, Payload], None]] = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _stop,
    "StopFailure": _stop_failure,
    "PreCompact": _pre_compact,
    "PostCompact": _post_compact,
    "SessionEnd": _session_end,
    "PermissionRequest": _permission_request,
    "Notification": _notification,
}
HOOKS = tuple(_READ)
"""The hooks that `install` registers."""
