"""What most agents' hooks have in common: they follow Claude Code's payloads. Light: loaded at every hook.

An agent's own `hooks` takes from here what it says in the same words, and writes down only where it differs.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tapehead.agents.hook_event import copy_text, nearest, text_in, waits
from tapehead.statemachine.vocabulary import Event, Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tapehead.agents.hook_event import Heard, Payload

PROMPT, REPLY, SUMMARY = 32_000, 16_000, 100_000
"""Characters that are kept of each."""
SOURCES = ("startup", "resume", "clear", "compact", "fork")
REASONS = ("clear", "resume", "logout", "prompt_input_exit", "exit", "other")
TRIGGERS = ("manual", "auto")


def untold(found: Heard, tape_end: Callable[[], bytes]) -> list[Heard]:  # noqa: ARG001 - one shape for all agents
    """Nothing: hooks tell all that happens, and a process that is gone tells the rest."""
    return []


def host_pid(env: Mapping[str, str]) -> str:  # noqa: ARG001 - as above
    """Nobody names it; it is the process above the hook."""
    return ""


def carries_context(hook: str) -> bool:
    """Whether what is printed now reaches the model."""
    return hook in ("SessionStart", "UserPromptSubmit")


def carries_steer(hook: str) -> bool:  # noqa: ARG001 - as above
    """The summariser is told nothing that a hook says."""
    return False


def count_characters(text: str) -> int:
    """How much of LIMIT a text takes, for an agent that counts characters."""
    return len(text)


def count_bytes(text: str) -> int:
    """How much of LIMIT a text takes, for an agent that counts bytes."""
    return len(text.encode("utf-8", "replace"))


def reply(hook: str, context: str, steer: str, person: str) -> str:  # noqa: ARG001 - as above
    """JSON, where the model or the user is reached; else nothing."""
    return answer(hook, context, person) if carries_context(hook) else ""


def answer(hook: str, context: str, person: str) -> str:
    """What the model reads and what the user is shown, apart; nothing where there is neither."""
    said: dict[str, object] = {}
    if person:
        said["systemMessage"] = person
    if context:
        said["hookSpecificOutput"] = {"hookEventName": hook, "additionalContext": context}
    return json.dumps(said) if said else ""


def read_start(found: Heard, payload: Payload) -> None:
    """A session begins, goes on, or has an empty or compacted context."""
    found.event = Event.SESSION_START
    found.data["source"] = source = nearest(payload.get("source"), SOURCES, "startup")
    if source == "compact":
        found.facts.append(Fact.AFTER_COMPACTION.value)
    if source == "clear":
        found.facts.append(Fact.CLEARED.value)
    copy_text(found, payload, "model")


def read_prompt(found: Heard, payload: Payload) -> None:
    """The user's words."""
    found.event = Event.TURN_START
    found.data["prompt"] = text_in(payload, "prompt", PROMPT)


def read_stop(found: Heard, payload: Payload) -> None:
    """A turn is over, with the agent's last words."""
    found.event = Event.TURN_END
    found.data["reply"] = text_in(payload, "last_assistant_message", REPLY)


def read_stop_failure(found: Heard, payload: Payload) -> None:
    """A turn broke off; the last message is what the user saw, since `error` is often "unknown"."""
    found.event = Event.TURN_FAILED
    copy_text(found, payload, "error", "error_details")
    if said := text_in(payload, "last_assistant_message"):
        found.data["error_message"] = said


def read_pre_compact(found: Heard, payload: Payload) -> None:
    """A compaction begins."""
    found.event = Event.COMPACTION
    found.data["trigger"] = nearest(payload.get("trigger"), TRIGGERS, "auto")
    copy_text(found, payload, "custom_instructions")


def read_post_compact(found: Heard, payload: Payload) -> None:
    """A compaction is over, with its summary."""
    found.event = Event.COMPACTED
    found.data["trigger"] = nearest(payload.get("trigger"), TRIGGERS, "auto")
    found.data["summary"] = text_in(payload, "compact_summary", SUMMARY)


def read_end(found: Heard, payload: Payload) -> None:
    """A session is over."""
    found.event = Event.SESSION_STOP
    found.data["reason"] = reason = nearest(payload.get("reason"), REASONS, "other")
    if reason == "clear":
        found.facts.append(Fact.CLEARED.value)


def read_permission_request(found: Heard, payload: Payload) -> None:
    """A dialog is shown. Nothing is printed, so the user decides."""
    waits(found, "approval", text_in(payload, "tool_name") or "a tool", payload.get("tool_input"))
    copy_text(found, payload, "agent_id")
